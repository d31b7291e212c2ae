"""Tests for `oasr score`: which transcript belongs to which reference."""

import io
import json
import sys

import pytest

from tests.checkpoints import layouts
from tests.tools.command_line import run_here


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def score(folder, capfd, ref, hyp, *arguments):
    """Scores lines of text against each other."""
    layouts.lay(folder, {"ref.txt": ref, "hyp.txt": hyp})
    return run_here(capfd, "score", "ref.txt", "hyp.txt", *arguments)


def test_other_numbers_of_lines_are_refused(folder, capfd):
    code, out, err = score(folder, capfd, "a\nb\n", "a\n")
    assert (code, out) == (1, "")
    assert "ref.txt has 2 transcripts and hyp.txt 1" in err


def test_ids_pair_lines_of_text(folder, capfd):
    ref, hyp = "u1 ever tried\nu2 ever failed\nu3\n", "\nu3 yes\nu2  ever failed\nu1\n"
    found = json.loads(score(folder, capfd, ref, hyp, "--ids", "--json")[1])
    assert [(row["id"], row["rate"]) for row in found["utterances"]] == [
        ("u1", 1.0),
        ("u2", 0.0),
        ("u3", None),
    ]


def objects(*rows):
    return "".join(json.dumps(row) + "\n" for row in rows)


def test_json_lines_are_paired_by_the_files_they_name(folder, capfd):
    rows = objects(
        {"request_id": "/data/b 1.flac", "text": "ever failed"},
        {"request_id": "/data/1995-1837.0001.flac", "text": "ever tried"},
        {"request_id": "c", "text": "no matter"},
    )
    ids = "1995-1837.0001 ever tried\nb.wav ever tried\nc no matter\n"
    layouts.lay(folder, {"hyp.jsonl": rows.replace("b 1", "b"), "ref.txt": ids})
    asked = ("score", "ref.txt", "hyp.jsonl", "--json")
    found = json.loads(run_here(capfd, *asked, "--ids")[1])
    rates = {row["id"]: row["rate"] for row in found["utterances"]}
    assert rates == {"1995-1837.0001": 0.0, "b.wav": 0.5, "c": 0.0}

    lines = "ever failed\never tried\nno matter\n"
    layouts.lay(folder, {"ref.txt": lines})
    assert json.loads(run_here(capfd, *asked)[1])["rate"] == 0


def test_names_that_several_files_share_are_not_guessed(folder, capfd):
    rows = objects(
        {"request_id": "x/a.wav", "text": "one"},
        {"request_id": "y/a.wav", "text": "two"},
    )
    layouts.lay(folder, {"hyp.jsonl": rows, "ref.txt": "a one\n"})
    code, out, err = run_here(capfd, "score", "ref.txt", "hyp.jsonl", "--ids")
    assert (code, out) == (1, "")
    assert "hyp.jsonl: has no 'a', which is at ref.txt:1." in err


def test_what_failed_counts_as_empty_and_is_said(folder, capfd):
    rows = objects({"request_id": "a", "text": "", "error": "a.wav: not audio"})
    layouts.lay(folder, {"hyp.jsonl": rows, "ref.txt": "a ever tried\n"})
    code, out, err = run_here(capfd, "score", "ref.txt", "hyp.jsonl", "--ids")
    assert code == 0
    assert out.endswith("WER 100.00 %\n")
    assert err.startswith("oasr: warning: hyp.jsonl:1: recognition failed")
    assert "a.wav: not audio" in err


@pytest.mark.parametrize(
    ("ref", "hyp", "said"),
    [
        (
            "a x\nb y\nc z\n",
            "a x\n",
            "hyp.txt: has no 'b', which is at ref.txt:2 (and 1",
        ),
        ("a x\n", "a x\n\nb y\n", "ref.txt: has no 'b', which is at hyp.txt:3."),
        ("a x\na y\n", "a x\n", "ref.txt:2: the id 'a' is at ref.txt:1, too"),
        ("a x\n", "a x\nb y\na z\n", "hyp.txt:3: the id 'a' is at hyp.txt:1, too"),
    ],
)
def test_ids_that_do_not_pair_are_named(folder, capfd, ref, hyp, said):
    code, out, err = score(folder, capfd, ref, hyp, "--ids")
    assert (code, out) == (1, "")
    assert err.startswith(f"oasr: error: {said}")


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("{", "expected a JSON object"),
        ("[1]", "expected a JSON object with a 'text', found [1]"),
        ('{"id": "a"}', "expected a JSON object with a 'text'"),
        ('{"id": "a", "text": null}', "expected a JSON object with a 'text'"),
        ('{"id": [1], "text": "x"}', "expected text as 'id', found [1]"),
        ("[" * 100_000, "expected a JSON object"),
    ],
)
def test_malformed_json_is_named(folder, capfd, row, said):
    layouts.lay(
        folder, {"hyp.jsonl": '{"id": "a", "text": "x"}\n' + row, "ref.txt": "x"}
    )
    code, out, err = run_here(capfd, "score", "ref.txt", "hyp.jsonl")
    assert (code, out) == (1, "")
    assert err.startswith("oasr: error: hyp.jsonl:2: ")
    assert said in err
    assert len(err) < 400


def test_what_is_no_utf_8_is_named(folder, capfd):
    (folder / "ref.txt").write_bytes(b"a\n\xff\n")
    (folder / "hyp.txt").write_text("a\nb\n")
    code, out, err = run_here(capfd, "score", "ref.txt", "hyp.txt")
    assert (code, out) == (1, "")
    assert "ref.txt:2: expected UTF-8, found the byte 0xff" in err


def test_one_of_both_may_be_stdin(folder, capfd, monkeypatch):
    layouts.lay(folder, {"ref.txt": "a b\n"})
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"a c\n")))
    assert run_here(capfd, "score", "ref.txt", "-")[1].endswith("WER 50.00 %\n")
    code, _, err = run_here(capfd, "score", "-", "-")
    assert code == 1
    assert "stdin can be only one of them" in err


def test_an_absent_file_is_named(folder, capfd):
    code, out, err = run_here(capfd, "score", "absent", "absent")
    assert (code, out) == (1, "")
    assert err == "oasr: error: absent: No such file or directory\n"
