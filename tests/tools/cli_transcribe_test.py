"""Tests for `oasr transcribe`, with a recogniser that knows but how long audio is."""

import io
import json
import os
import sys

import pysubs2
import pytest
import webvtt

from oasr import formats
from tests.tools import command_line
from tests.tools import fake_recognizer
from tests.tools.command_line import run_here


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Lays out audio, and goes there."""
    fake_recognizer.lay_audio(tmp_path, a=1, b=2.5, long=100, bad=13, empty=0)
    (tmp_path / "text.wav").write_text("no audio")
    fake_recognizer.lay_model(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def fake(folder, monkeypatch):
    return fake_recognizer.install(monkeypatch)


def transcribe(capfd, *arguments):
    return run_here(capfd, "transcribe", "--model", "model", *arguments)


def test_a_transcript_is_a_line(fake, capfd):
    expected = "lasts 1.\nlasts 2.5.\n\nlasts 100.\n"
    files = ("a.wav", "b.wav", "empty.wav", "long.wav")
    assert transcribe(capfd, *files) == (0, expected, "")


def test_files_of_each_format_are_written(fake, folder, capfd):
    arguments = ("a.wav", "long.wav", "--format", "all", "--output_dir", "out/新")
    assert transcribe(capfd, *arguments, "--word_timestamps") == (0, "", "")
    suffixes = {*formats.list_formats(), "json"} - {"verbose_json"}
    names = [f"{stem}.{suffix}" for stem in ("a", "long") for suffix in suffixes]
    out = folder / "out" / "新"
    assert sorted(os.listdir(out)) == sorted(names)

    assert (out / "a.txt").read_text() == "lasts 1.\n"
    assert (out / "a.tsv").read_text() == "start\tend\ttext\n0\t1000\tlasts 1.\n"
    assert (out / "a.ctm").read_text() == (
        "a.wav 1 0.000 0.500 lasts 0.500\na.wav 1 0.500 0.500 1. 0.500\n"
    )
    [event] = pysubs2.load(str(out / "a.srt"))
    assert (event.start, event.end, event.text) == (0, 1000, "lasts 1.")
    [caption] = webvtt.read(str(out / "a.vtt"))
    assert (caption.start, caption.end) == ("00:00:00.000", "00:00:01.000")
    [row] = command_line.read_jsonl((out / "long.jsonl").read_text())
    assert (row["request_id"], row["text"]) == ("long.wav", "lasts 100.")
    found = json.loads((out / "long.json").read_text())
    assert (found["task"], found["duration"]) == ("transcribe", 100.0)
    assert [word["word"] for word in found["words"]] == ["lasts", "100."]


@pytest.mark.parametrize(
    ("name", "words"),
    [("txt", False), ("jsonl", False), ("srt", False), ("tsv", False), ("ctm", True)],
)
def test_words_are_timed_where_a_format_needs_them(fake, capfd, name, words):
    assert transcribe(capfd, "a.wav", "--format", name)[0] == 0
    assert fake.asked[0].options.word_timestamps == words
    assert transcribe(capfd, "a.wav", "--format", name, "--word_timestamps")[0] == 0
    assert fake.asked[1].options.word_timestamps


def test_options_reach_the_request(fake, capfd):
    arguments = ("--n_best", "3", "--temperature", "0.5", "--prompt", "So it goes.")
    arguments += ("--language", "German", "--task", "translate")
    code, out, _ = transcribe(capfd, "a.wav", *arguments, "--format", "verbose_json")
    assert code == 0
    found = json.loads(out)
    assert (found["task"], found["language"]) == ("translate", "german")
    options = fake.asked[0].options
    assert (options.n_best, options.temperature) == (3, 0.5)
    assert (options.prompt, options.language) == ("So it goes.", "de")
    assert options.task == "translate"


@pytest.mark.parametrize("named", ["de", "DE", "german", "German"])
def test_a_language_has_a_name_and_a_code_in_any_case(fake, capfd, named):
    assert transcribe(capfd, "a.wav", "--language", named)[0] == 0
    assert fake.asked[0].options.language == "de"


def test_a_model_of_english_is_asked_for_nothing_else(folder, capfd, monkeypatch):
    fake = fake_recognizer.install(monkeypatch, languages=("en",))
    assert transcribe(capfd, "a.wav", "--language", "en") == (0, "lasts 1.\n", "")
    options = fake.asked[0].options
    assert (options.language, options.task) == (None, None)
    code, out, err = transcribe(capfd, "a.wav", "--language", "de")
    assert (code, out) == (1, "")
    assert err == "oasr: error: --language de: the model knows en.\n"
    code, out, err = transcribe(capfd, "a.wav", "--task", "translate")
    assert (code, out) == (1, "")
    assert "--task translate needs a multilingual model; model knows English" in err


BAD = {
    "absent.wav": "absent.wav: cannot be read: No such file or directory.",
    "text.wav": "text.wav: no audio that can be read: ",
    "model": "model: cannot be read: Is a directory.",
    "bad.wav": "bad.wav: model: --beam_size is unlucky",
}


def test_what_fails_is_named_and_the_others_are_done(fake, capfd):
    code, out, err = transcribe(capfd, "a.wav", *BAD, "b.wav")
    assert (code, out) == (1, "lasts 1.\n" + "\n" * len(BAD) + "lasts 2.5.\n")
    for line, said in zip(err.splitlines(), BAD.values(), strict=True):
        assert line.startswith(f"oasr: error: {said}")


def test_jsonl_says_what_failed(fake, capfd):
    code, out, _ = transcribe(capfd, *BAD, "a.wav", "--format", "jsonl")
    rows = command_line.read_jsonl(out)
    assert code == 1
    assert [row["request_id"] for row in rows] == [*BAD, "a.wav"]
    assert [row["finish_reason"] for row in rows] == ["error"] * len(BAD) + ["stop"]


def test_no_file_is_written_for_what_failed(fake, folder, capfd):
    arguments = ("--format", "txt,jsonl,srt", "--output_dir", "out")
    code, out, err = transcribe(capfd, *BAD, "a.wav", *arguments)
    assert (code, out) == (1, "")
    assert len(err.splitlines()) == len(BAD)
    assert sorted(os.listdir("out")) == ["a.jsonl", "a.srt", "a.txt"]


@pytest.mark.parametrize("name", ["srt", "vtt", "tsv", "verbose_json"])
def test_times_of_two_recordings_do_not_go_to_one_stdout(fake, capfd, name):
    code, out, err = transcribe(capfd, "a.wav", "b.wav", "--format", name)
    assert (code, out) == (1, "")
    assert f"The format {name} holds one recording, and 2 were given; --outp" in err
    assert not fake.asked


def test_formats_do_not_share_stdout(fake, capfd):
    code, out, err = transcribe(capfd, "a.wav", "--format", "srt,txt,srt")
    assert (code, out) == (1, "")
    assert "srt, txt do not all go to stdout; --output_dir DIR writes" in err


def test_names_that_would_be_written_to_one_file_are_refused(fake, folder, capfd):
    fake_recognizer.lay_audio(folder / "more", a=1)
    for other in ("more/a.wav", "a.wav"):
        arguments = ("a.wav", other, "--output_dir", "out")
        code, out, err = transcribe(capfd, *arguments)
        assert (code, out) == (1, "")
        assert f"a.wav and {other} would both be written to out/a.txt" in err
    assert not os.path.exists("out")
    assert not fake.asked


@pytest.mark.parametrize("folder_of", ["a.wav", "a.wav/out", ""])
def test_where_no_results_can_be_is_said_before_the_work(fake, capfd, folder_of):
    code, out, err = transcribe(capfd, "a.wav", "--output_dir", folder_of)
    assert (code, out) == (1, "")
    assert err.startswith("oasr: error: ")
    assert not fake.asked


def test_a_folder_that_cannot_be_written_is_said_before_the_work(
    fake, folder, capfd, monkeypatch
):
    (folder / "out").mkdir()
    monkeypatch.setattr(os, "access", lambda path, mode: path != "out")  # Not of root.
    code, out, err = transcribe(capfd, "a.wav", "--output_dir", "out")
    assert (code, out) == (1, "")
    assert err == "oasr: error: out: The directory cannot be written\n"
    assert not fake.asked


def test_audio_comes_from_stdin(fake, folder, capfd, monkeypatch):
    content = (folder / "b.wav").read_bytes()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
    code, out, err = transcribe(capfd, "-", "--format", "jsonl")
    assert (code, err) == (0, "")
    assert command_line.read_jsonl(out)[0]["request_id"] == "stdin"

    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
    assert transcribe(capfd, "-", "--output_dir", ".") == (0, "", "")
    assert (folder / "stdin.txt").read_text() == "lasts 2.5.\n"

    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"no audio")))
    code, out, err = transcribe(capfd, "-")
    assert (code, out) == (1, "\n")
    assert err.startswith("oasr: error: stdin: no audio that can be read")


def test_stdin_is_read_once(fake, capfd, monkeypatch):
    code, out, err = transcribe(capfd, "-", "-")
    assert (code, out) == (1, "")
    assert err == "oasr: error: stdin can be read once; - was given more often.\n"
    monkeypatch.setattr(sys, "stdin", None)
    code, out, err = transcribe(capfd, "-")
    assert (code, out) == (1, "\n")
    assert err == "oasr: error: stdin: stdin is closed; name a file to read.\n"


def test_a_file_is_replaced_whole(fake, folder, capfd):
    (folder / "a.txt").write_text("before, and longer than after")
    assert transcribe(capfd, "a.wav", "--output_dir", ".") == (0, "", "")
    assert (folder / "a.txt").read_text() == "lasts 1.\n"


class Ends(formats.Format):
    """Refuses what does not end with 1."""

    def render(self, output):
        if not output.text.endswith("1."):
            raise ValueError(f"The text {output.text!r} does not end with 1.")
        return "ends\n"


def test_what_a_format_cannot_hold_fails_alone(fake, folder, capfd, monkeypatch):
    monkeypatch.setattr("oasr.formats.registry._registered_formats", {"ends": Ends})
    arguments = ("b.wav", "a.wav", "--format", "ends,txt", "--output_dir", "out")
    code, out, err = transcribe(capfd, *arguments)
    assert (code, out) == (1, "")
    assert err.startswith("oasr: error: b.wav: The text 'lasts 2.5.' does not end")
    assert sorted(os.listdir("out")) == ["a.ends", "a.txt"]


@pytest.mark.parametrize(
    "arguments",
    [
        ("--temperature", "inf"),
        ("--task", "sing"),
        ("--format", "ass"),
        ("--format", "txt,,srt"),
        ("--format", ""),
        ("--unknown",),
    ],
)
def test_a_wrong_command_line_is_refused(fake, capfd, arguments):
    code, out, err = transcribe(capfd, "a.wav", *arguments)
    assert (code, out) == (2, "")
    assert "oasr transcribe: error: " in err or "oasr: error: " in err
    assert "Traceback" not in err
    assert not fake.asked


@pytest.mark.parametrize(
    ("option", "value", "said"),
    [
        ("--n_best", "0", "0 is below 1"),
        ("--n_best", "1001", "1001 is above 1000"),
        ("--beam_size", "x", "'x' is no whole number"),
        ("--beam_size", "1.5", "'1.5' is no whole number"),
        ("--beam_size", "100000", "100000 is above 1000"),
        ("--threads", "-1", "-1 is below 1"),
        ("--threads", "100000", "100000 is above 1024"),
        ("--temperature", "-0.1", "'-0.1' is no temperature from 0 on"),
        ("--temperature", "nan", "'nan' is no temperature from 0 on"),
        ("--temperature", "hot", "'hot' is no temperature from 0 on"),
    ],
)
def test_a_wrong_number_is_refused(fake, capfd, option, value, said):
    code, out, err = transcribe(capfd, "a.wav", option, value)
    assert (code, out) == (2, "")
    assert err.endswith(f"oasr transcribe: error: argument {option}: {said}\n")
    assert not fake.asked
