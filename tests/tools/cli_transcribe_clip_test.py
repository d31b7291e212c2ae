"""Tests for `oasr transcribe` with tiny.en: a clip in, what is said in it out."""

import contextlib
import fcntl
import itertools
import json
import os
import pty
import re
import signal
import struct
import subprocess
import termios

import numpy as np
import pysubs2
import pytest
import soundfile

from tests.tools import command_line
from tests.tools import speech
from tests.tools.command_line import run
from tests.tools.command_line import run_here

TINY = ("transcribe", "--model", "tiny.en")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Lays out the clip, and goes there."""
    speech.lay(tmp_path, monkeypatch)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def lay_long(folder, times):
    """Writes the clip as often, one after the other."""
    samples, rate = soundfile.read(speech.clip(), dtype="int16")
    soundfile.write(folder / "long.wav", np.tile(samples, times), rate)


def test_what_is_said_is_written(folder, capfd):
    assert run_here(capfd, *TINY, "talk.wav") == (0, f"{speech.TEXT}\n", "")
    arguments = ("--model", speech.model(), "--beam_size", "1", "--threads", "1")
    code, out, err = run_here(capfd, "transcribe", "talk.wav", *arguments)
    assert (code, err) == (0, "")
    assert out.lower().count("ever") == 2


def test_alternatives_words_and_segments_are_found(folder, capfd):
    arguments = ("--n_best", "3", "--word_timestamps", "--format", "jsonl")
    code, out, err = run_here(capfd, *TINY, "talk.wav", *arguments)
    assert (code, err) == (0, "")
    found = json.loads(out)
    assert found["text"] == found["nbest_texts"][0] == speech.TEXT
    assert len(found["nbest_texts"]) == len(found["scores"]) == 3
    assert [word["word"] for word in found["words"]] == speech.TEXT.split()
    edges = [word[edge] for word in found["words"] for edge in ("start", "end")]
    assert edges == sorted(edges)
    assert 0 <= edges[0] < edges[-1] <= found["duration"] < 10
    assert " ".join(one["text"] for one in found["segments"]) == speech.TEXT


@pytest.mark.parametrize("words", [(), ("--word_timestamps",)])
def test_subtitles_show_what_is_said_while_it_is(folder, capfd, words):
    arguments = ("--format", "srt,vtt", "--output_dir", "out", *words)
    assert run_here(capfd, *TINY, "talk.wav", *arguments) == (0, "", "")
    events = list(pysubs2.load(str(folder / "out" / "talk.srt")))
    assert [event.text for event in events] == [
        f"{phrase}." for phrase in speech.TEXT.rstrip(".").split(". ")
    ]
    for event, after in itertools.pairwise(events):
        assert event.start < event.end < after.start


def test_audio_comes_through_a_pipe(folder):
    with open("talk.wav", "rb") as file:
        audio = file.read()
    code, out, err = run(*TINY, "-", "--format", "ctm", cwd=folder, stdin=audio)
    assert (code, err) == (0, "")
    words = [line.split()[4] for line in out.splitlines()]
    assert words == speech.TEXT.split()
    assert {line.split()[0] for line in out.splitlines()} == {"stdin"}


def test_a_full_disk_is_said(folder):
    with open("/dev/full", "wb") as full:
        code, _, err = run(*TINY, "talk.wav", cwd=folder, stdout=full)
    assert (code, err) == (1, "oasr: error: stdout: No space left on device\n")


def read_all(terminal):
    """Returns what a terminal of which all writers are gone was given."""
    parts = []
    try:
        while part := os.read(terminal, 1 << 16):
            parts.append(part)
    except OSError:  # Linux ends a terminal so.
        pass
    return b"".join(parts).decode()


@contextlib.contextmanager
def on_a_terminal(folder, *arguments):
    """Yields the program, and the terminal that its stderr is."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 120, 0, 0))
    pipes = {"stdout": subprocess.PIPE, "stderr": theirs}
    asked = (*TINY, *arguments, "--beam_size", "1")
    with command_line.start(*asked, cwd=folder, **pipes) as process:
        os.close(theirs)
        yield process, ours
    os.close(ours)


def test_a_bar_shows_how_far_long_audio_is(folder):
    lay_long(folder, times=10)
    with on_a_terminal(folder, "long.wav") as (process, terminal):
        seen = read_all(terminal)
        out = process.stdout.read().decode()
    assert process.returncode == 0
    assert out.lower().count("ever") >= 10
    for shown in ("long.wav", "of 0:01:40", "x ", " left"):
        assert shown in seen


def test_short_audio_needs_no_bar(folder):
    with on_a_terminal(folder, "talk.wav") as (process, terminal):
        seen = read_all(terminal)
        out = process.stdout.read().decode()
    assert process.returncode == 0
    assert (out.lower().count("ever"), seen) == (2, "")


def test_an_interrupt_writes_what_is_said_until_then(folder):
    lay_long(folder, times=60)
    with on_a_terminal(folder, "long.wav", "talk.wav") as (process, terminal):
        seen = ""
        while not re.search(r"0:00:[1-9]\d? of 0:09:58", seen):
            seen += os.read(terminal, 1 << 16).decode(errors="replace")
        process.send_signal(signal.SIGINT)
        seen += read_all(terminal)
        out = process.stdout.read().decode()
    assert process.returncode == 130
    (done,) = re.findall(
        r"oasr: interrupted: long\.wav: ([\d.]+) s of 597\.8 s of it are written;"
        " 1 more not begun",
        seen,
    )
    assert 0 < float(done) < 300
    assert out.count("\n") == 1
    assert 1 < out.lower().count("ever") < 60
