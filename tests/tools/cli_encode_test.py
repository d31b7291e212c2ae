"""Tests for `oasr encode`: lines of text in, arrays of ids out."""

import io
import json
import sys

import pytest

from oasr import checkpoints
from oasr import tokenizers
from tests.checkpoints import layouts
from tests.tools import command_line
from tests.tools.command_line import run_here

TEXTS = ["你好 hello", "", "hello", "😀", "  你 ", "ünknown", "a\tb", "你\u2028好"]


def give(monkeypatch, content):
    """Makes `content` what stdin holds."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))


@pytest.mark.parametrize("end", ["", "\n", "\r\n"])
def test_each_line_is_the_ids_of_its_text(tmp_path, capfd, monkeypatch, end):
    folder = command_line.paraformer(tmp_path)
    spec = checkpoints.convert_checkpoint(folder).tokenizer
    tokenizer = tokenizers.build_tokenizer(spec)
    give(monkeypatch, ("\n".join(TEXTS) + end).encode())
    code, out, err = run_here(capfd, "encode", "--checkpoint", folder)
    assert code == 0
    assert "error" not in err  # What the vocabulary lacks is warned of.
    assert command_line.read_jsonl(out) == [tokenizer.encode(text) for text in TEXTS]


@pytest.mark.parametrize(
    ("options", "ids"), [((), [5, 8]), (("--split_special_tokens",), [5, 0, 5, 4, 1])]
)
def test_names_of_control_tokens(tmp_path, capfd, monkeypatch, options, ids):
    spec = command_line.hugging_face(tmp_path)
    give(monkeypatch, b"en<end>\n")
    result = run_here(capfd, "encode", "--spec", spec, *options)
    assert result == (0, json.dumps(ids) + "\n", "")


def test_what_is_no_utf_8_is_named_and_null(tmp_path, capfd, monkeypatch):
    spec = command_line.hugging_face(tmp_path)
    give(monkeypatch, b"en\ne\xffn\nd\n")
    code, out, err = run_here(capfd, "encode", "--spec", spec)
    assert (code, out) == (1, "[5]\nnull\n[4]\n")
    assert err == (
        "oasr: error: stdin:2: expected UTF-8, found the byte 0xff as byte 2 of the"
        " line.\n"
    )


def test_json_strings_may_hold_line_breaks(tmp_path, capfd, monkeypatch):
    spec = command_line.hugging_face(tmp_path)
    give(monkeypatch, b'"e\\nn"\n7\n"\n"d"\n')
    code, out, err = run_here(capfd, "encode", "--spec", spec, "--json")
    assert (code, out) == (1, "[2, 6, 3]\nnull\nnull\n[4]\n")
    assert "stdin:2: expected a JSON string, found '7'" in err
    assert "stdin:3: expected a JSON string: " in err


def test_ids_come_back_as_the_text(tmp_path, capfd, monkeypatch):
    spec = command_line.hugging_face(tmp_path)
    give(monkeypatch, b"end en\nned\n")
    ids = run_here(capfd, "encode", "--spec", spec)[1]
    give(monkeypatch, ids.encode())
    assert run_here(capfd, "detokenize", "--spec", spec)[1] == "end en\nned\n"


def test_a_kind_that_cannot_encode_says_so(tmp_path, capfd):
    folder = command_line.wenet(tmp_path)
    output = tmp_path / "out"
    arguments = ("encode", "--checkpoint", folder, "--output", output)
    code, out, err = run_here(capfd, *arguments)
    assert (code, out) == (1, "")
    assert err.startswith(f"oasr: error: {folder}: A symbol_table cannot encode text")
    assert not output.exists()


def test_a_directory_that_nobody_knows_is_refused(tmp_path, capfd):
    folder = layouts.lay(tmp_path / "odd", {"notes.txt": "x"})
    code, out, err = run_here(capfd, "encode", "--checkpoint", folder)
    assert (code, out) == (1, "")
    assert "no converter knows this directory" in err
