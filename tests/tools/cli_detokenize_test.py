"""Tests for `oasr detokenize`: lines of ids in, lines of text out."""

import io
import json
import random
import sys

import pytest

from oasr import tokenizers
from tests import conftest
from tests.checkpoints import layouts
from tests.tools import command_line
from tests.tools.command_line import run_here

# Of layouts.WENET: a line, and its text or what the message says of it.
LINES = {
    b"2 3": "hello",
    b"": "",
    b" \t 2   3\t": "hello",
    b"[2, 3]": "hello",
    b" [2,3] ": "hello",
    b"[]": "",
    b"0 2 6 3 1": "hello",
    b"4 5": "你😀",
    b"2 99 3 -1": "hello",
    b"2 3\r": "hello",
    b"2 9999999999999999999 3": "hello",
    b"2 hello": ("found 'hello' as word 2",),
    b"2.0 3": ("found '2.0' as word 1",),
    b"2,3": ("found '2,3' as word 1",),
    b"0x2": ("found '0x2' as word 1",),
    b"2 " + b"9" * 5000: ("as word 2",),
    "２".encode(): ("found '２' as word 1",),
    b"\xff\xfe": ("as word 1",),
    b"[2, 3": ("found '[2, 3'",),
    b"[2.0]": ("found '2.0' as item 1",),
    b"[2, true]": ("found 'true' as item 2",),
    b"[2, [3]]": ("found '[3]' as item 2",),
    b'["2"]': ("as item 1",),
    b"[2, null]": ("found 'null' as item 2",),
    b"[" * 100_000: ("found '[[[",),
    b"[" + b"9" * 5000 + b"]": ("found '[999",),
    b"[NaN]": ("found 'NaN' as item 1",),
}

# The lines of these numbers hold a good word before the bad one.
HALF_READ = [12, 16]


def give(monkeypatch, content):
    """Makes `content` what stdin holds."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))


@pytest.mark.parametrize("stream", [(), ("--stream",)], ids=["whole", "stream"])
def test_each_line_is_a_line(tmp_path, capfd, monkeypatch, stream):
    folder = command_line.wenet(tmp_path)
    give(monkeypatch, b"\n".join(LINES))
    code, out, err = run_here(capfd, "detokenize", "--checkpoint", folder, *stream)
    texts = out.removesuffix("\n").split("\n")
    assert code == 1
    assert len(texts) == len(LINES)
    said = err.splitlines()
    for number, (line, text) in enumerate(zip(LINES.values(), texts, strict=True), 1):
        if isinstance(line, str):
            assert text == line
            continue
        assert text == ("he" if stream and number in HALF_READ else "")
        message = said.pop(0)
        assert message.startswith(f"oasr: error: stdin:{number}: expected token ids")
        assert line[0] in message
        assert len(message) < 300
    assert not said


@pytest.mark.parametrize("stream", [(), ("--stream",)], ids=["whole", "stream"])
@pytest.mark.parametrize("end", [b"", b"\n", b"\r\n"])
def test_good_lines_are_all_well(tmp_path, capfd, monkeypatch, stream, end):
    folder = command_line.wenet(tmp_path)
    give(monkeypatch, b"\xef\xbb\xbf2 3\n4" + end)
    result = run_here(capfd, "detokenize", "--checkpoint", folder, *stream)
    assert result == (0, "hello\n你\n", "")


@pytest.mark.parametrize("stream", [(), ("--stream",)], ids=["whole", "stream"])
def test_nothing_in_is_nothing_out(tmp_path, capfd, monkeypatch, stream):
    give(monkeypatch, b"")
    folder = command_line.wenet(tmp_path)
    result = run_here(capfd, "detokenize", "--checkpoint", folder, *stream)
    assert result == (0, "", "")


def test_a_file_is_read_and_another_written_whole(tmp_path, capfd, monkeypatch):
    monkeypatch.chdir(tmp_path)
    command_line.wenet(tmp_path / command_line.FOLDER)
    layouts.lay(tmp_path, {"in 里": "2 3\n4\n"})
    arguments = ("--checkpoint", command_line.FOLDER, "in 里", "--output", "out 外")
    assert run_here(capfd, "detokenize", *arguments) == (0, "", "")
    assert (tmp_path / "out 外").read_text("utf-8") == "hello\n你\n"


def test_line_breaks_of_a_text_do_not_break_lines(tmp_path, capfd, monkeypatch):
    spec = command_line.hugging_face(tmp_path)
    lines = b"2 6 3\n2\n6\n"
    give(monkeypatch, lines)
    code, out, err = run_here(capfd, "detokenize", "--spec", spec)
    assert (code, out) == (0, "e n\ne\n \n")
    assert err.startswith("oasr: note: 2 texts have line breaks")
    give(monkeypatch, lines)
    assert run_here(capfd, "detokenize", "--spec", spec, "--stream")[1] == out
    give(monkeypatch, lines)
    code, out, err = run_here(capfd, "detokenize", "--spec", spec, "--json")
    assert (code, err) == (0, "")
    assert [json.loads(line) for line in out.splitlines()] == ["e\nn", "e", "\n"]


def test_json_has_null_for_what_cannot_be_read(tmp_path, capfd, monkeypatch):
    give(monkeypatch, b"2 3\nx\n4")
    folder = command_line.wenet(tmp_path)
    code, out, _ = run_here(capfd, "detokenize", "--checkpoint", folder, "--json")
    assert (code, out) == (1, '"hello"\nnull\n"你"\n')


def test_json_and_stream_exclude_each_other(tmp_path, capfd):
    folder = command_line.wenet(tmp_path)
    arguments = ("detokenize", "--checkpoint", folder, "--json", "--stream")
    code, _, err = run_here(capfd, *arguments)
    assert code == 2
    assert "not allowed with" in err


@pytest.mark.parametrize("seed", range(40 * conftest.SCALE))
def test_a_stream_is_the_text_however_its_bytes_come(
    tmp_path, capfd, monkeypatch, seed
):
    draw = random.Random(seed)
    spec = command_line.hugging_face(tmp_path)
    tokenizer = tokenizers.build_tokenizer(
        tokenizers.TokenizerSpec(
            "huggingface", {"tokenizer": str(tmp_path / "tokenizer.json")}
        )
    )
    rows = [
        [draw.randrange(-1, 10) for _ in range(draw.randrange(9))] for _ in "123456"
    ]
    content = "".join(
        (json.dumps(row) if draw.random() < 0.3 else " ".join(map(str, row))) + "\n"
        for row in rows
    ).encode()
    cuts = sorted(draw.randrange(len(content) + 1) for _ in range(20))
    chunks = [content[a:b] for a, b in zip([0, *cuts], [*cuts, None], strict=True)]
    monkeypatch.setattr(
        "tools.cli.inputs.chunks", lambda path: (c for c in chunks if c)
    )
    code, out, _ = run_here(capfd, "detokenize", "--spec", spec, "--stream")
    assert code == 0
    texts = [tokenizer.decode(row).replace("\n", " ") for row in rows]
    assert out == "".join(f"{text}\n" for text in texts)


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        (None, "no such file"),
        ("", "JSON"),
        ("[1]", "expected a JSON object"),
        ("{}", "'kind'"),
        ('{"kind": "bpe"}', "Unknown tokenizer kind 'bpe'"),
        ('{"kind": "symbol_table"}', "needs the file 'table'"),
        ('{"kind": "symbol_table", "files": {"table": "absent"}}', "absent"),
        (
            '{"kind": "symbol_table", "files": {"table": "units.txt"}, "more": 1}',
            "more",
        ),
        (
            '{"kind": "symbol_table", "files": {"table": "units.txt"},'
            ' "options": {"x": 1}}',
            "'x'",
        ),
        ('{"kind": "symbol_table", "files": {"table": 7}}', "'table'"),
        ("[" * 100_000, "nested"),
    ],
)
def test_a_bad_spec_is_refused(tmp_path, capfd, spec, said):
    layouts.lay(tmp_path, {"units.txt": layouts.WENET})
    if spec is not None:
        layouts.lay(tmp_path, {"spec.json": spec})
    arguments = ("--spec", tmp_path / "spec.json", "--output", tmp_path / "out")
    code, out, err = run_here(capfd, "detokenize", *arguments)
    assert (code, out) == (1, "")
    assert err.startswith("oasr: error: ")
    assert said in err
    assert err.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_the_files_of_a_spec_are_found_from_where_it_lies(tmp_path, capfd, monkeypatch):
    spec = {"kind": "symbol_table", "files": {"table": "units.txt"}}
    layouts.lay(tmp_path / "a", {"units.txt": layouts.WENET, "spec.json": spec})
    monkeypatch.chdir(tmp_path)
    give(monkeypatch, b"4\n")
    assert run_here(capfd, "detokenize", "--spec", "a/spec.json")[1] == "你\n"
    spec["files"]["table"] = str(tmp_path / "a" / "units.txt")
    layouts.lay(tmp_path / "b", {"spec.json": spec})
    give(monkeypatch, b"4\n")
    assert run_here(capfd, "detokenize", "--spec", "b/spec.json")[1] == "你\n"


@pytest.mark.parametrize("name", ["absent", "."])
def test_an_unreadable_file_is_named(tmp_path, capfd, name):
    folder = command_line.wenet(tmp_path)
    arguments = ("--checkpoint", folder, tmp_path / name, "--output", tmp_path / "o")
    code, out, err = run_here(capfd, "detokenize", *arguments)
    assert (code, out) == (1, "")
    assert err.startswith(f"oasr: error: {tmp_path / name}: ")
    assert not (tmp_path / "o").exists()
