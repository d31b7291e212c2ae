"""Tests for `oasr transcribe` where it ends early: interrupts, disks, absent things."""

import os
import resource
import sys

import pytest

from tests.tools import command_line
from tests.tools import fake_recognizer
from tests.tools.command_line import run_here
from tools.cli import models


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Lays out audio, and goes there."""
    fake_recognizer.lay_audio(tmp_path, a=1, b=2.5, long=100)
    fake_recognizer.lay_model(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def fake(folder, monkeypatch):
    return fake_recognizer.install(monkeypatch)


def transcribe(capfd, *arguments):
    return run_here(capfd, "transcribe", "--model", "model", *arguments)


def test_an_interrupt_writes_what_is_done(folder, capfd, monkeypatch):
    fake_recognizer.install(monkeypatch, interrupt_at=60.0)
    code, out, err = transcribe(capfd, "a.wav", "long.wav", "b.wav")
    assert (code, out) == (130, "lasts 1.\nlasts 60.\n")
    assert err == (
        "oasr: interrupted: long.wav: 60.0 s of 100.0 s of it are written; 1 more not"
        " begun\n"
    )


def test_an_interrupt_writes_files_of_what_is_done(folder, capfd, monkeypatch):
    fake_recognizer.install(monkeypatch, interrupt_at=30.0)
    arguments = ("long.wav", "b.wav", "--format", "srt,jsonl", "--output_dir", "out")
    code, out, err = transcribe(capfd, *arguments)
    assert (code, out) == (130, "")
    assert "long.wav: 30.0 s of 100.0 s of it are written; 1 more not begun" in err
    assert sorted(os.listdir("out")) == ["long.jsonl", "long.srt"]
    [row] = command_line.read_jsonl((folder / "out" / "long.jsonl").read_text())
    assert (row["text"], row["duration"]) == ("lasts 30.", 100.0)


def test_an_interrupt_before_anything_is_done_writes_nothing(
    folder, capfd, monkeypatch
):
    fake_recognizer.install(monkeypatch, interrupt_at=0.0)
    code, out, err = transcribe(capfd, "long.wav", "--output_dir", "out")
    assert (code, out) == (130, "")
    assert err == "oasr: interrupted: long.wav: nothing of it is written\n"
    assert os.listdir("out") == []


def test_an_interrupt_while_audio_is_read_ends_at_once(fake, capfd, monkeypatch):
    def interrupt(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("oasr.features.audio.read", interrupt)
    assert transcribe(capfd, "a.wav") == (130, "", "oasr: interrupted\n")


def test_a_full_disk_is_named_and_leaves_nothing_half_written(fake, folder, capfd):
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    arguments = ("a.wav", "b.wav", "--format", "txt,verbose_json", "--output_dir", ".")
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (20, before[1]))
        code = run_here(capfd, "transcribe", "--model", "model", *arguments)[0]
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert code == 1
    assert sorted(p for p in os.listdir() if p.startswith((".", "a."))) == [
        "a.txt",
        "a.wav",
    ]
    assert (folder / "a.txt").read_text() == "lasts 1.\n"


def test_a_place_for_no_folder_is_named_before_the_work(fake, folder, capfd):
    (folder / "file").write_text("a file")
    code, out, err = transcribe(capfd, "a.wav", "--output_dir", "file")
    assert (code, out) == (1, "")
    assert err == "oasr: error: file: Not a directory; expected one for the results\n"
    assert not fake.asked


def test_a_directory_that_is_no_model_is_named(folder, capfd):
    code, out, err = transcribe(capfd, "a.wav")
    assert (code, out) == (1, "")
    assert err.startswith("oasr: error: ")
    assert "/model: expected vocab" in err
    code, out, err = run_here(capfd, "transcribe", "a.wav", "--model", "absent")
    assert (code, out) == (1, "")
    assert "--model absent: there is no such directory; expected one" in err
    assert "tiny.en" in err


@pytest.mark.parametrize("library", ["ctranslate2", "soundfile"])
def test_an_absent_library_is_named_before_a_model_is_fetched(
    folder, capfd, monkeypatch, library
):
    monkeypatch.setitem(sys.modules, library, None)
    monkeypatch.setattr(models, "directory", None)
    code, out, err = transcribe(capfd, "a.wav")
    assert (code, out) == (1, "")
    assert "pip install 'oasr-server[recognizer]'" in err
