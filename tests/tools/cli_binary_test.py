"""Tests for the program as users run it: pipes, folders, interrupts, full disks."""

import fcntl
from importlib import metadata
import importlib.util
import json
import os
import pathlib
import pty
import re
import signal
import struct
import subprocess
import sys
import termios

import numpy as np
import pytest

from tests.checkpoints import layouts
from tests.tools import command_line
from tests.tools import speech
from tests.tools.command_line import FOLDER
from tests.tools.command_line import run
from tests.tools.command_line import scores
from tools.cli import command
from tools.cli import main

COMMANDS = {one.name: one for one in main._COMMANDS}


@pytest.fixture
def home(tmp_path):
    """Lays out checkpoints and scores in a folder with a blank and Chinese."""
    command_line.wenet(tmp_path / FOLDER / "wenet")
    command_line.paraformer(tmp_path / FOLDER / "paraformer")
    np.save(tmp_path / FOLDER / "a b.npy", scores(2, 3, 0, 4))
    return tmp_path


def paste(text, folder):
    """Pastes lines into a shell, with the program where Bazel's is called."""
    text = text.replace(command.PROGRAM, f"'{command_line.OASR}'")
    text = text.replace("/tmp/oasr", str(folder / "oasr"))
    return subprocess.run(
        ["sh", "-e"],
        input=text.encode(),
        capture_output=True,
        cwd=folder,
        env=command_line.environment(),
        timeout=60,
        check=False,
    )


# What the example in the help of each command prints, as far as it is fixed.
EXAMPLES = {
    "transcribe": f"{speech.TEXT}\nWEBVTT\n\n00:00:00.000 --> ",
    "score": "WER 33.33 %\n",
    "inspect": "detected    wenet\n",
    "convert": "/oasr_converted/oasr.json\n",
    "detokenize": "hello\nhello\n",
    "encode": "[3, 4, 5, 6]\n",
    "decode": "1\n00:00:00,000 --> 00:00:00,833\nhello\n\n",
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_example_of_the_help_works_when_pasted(tmp_path, monkeypatch, name):
    speech.lay(tmp_path, monkeypatch)
    code, page, _ = run(name, "--help", cwd=tmp_path)
    assert code == 0
    example = page.split("\nexample:\n", 1)[1]
    assert command.PROGRAM in example
    pasted = paste(example, tmp_path)
    assert pasted.returncode == 0, pasted.stderr.decode()
    assert EXAMPLES[name] in pasted.stdout.decode()


def test_every_command_has_an_example():
    assert set(EXAMPLES) == set(COMMANDS)


def test_the_versions_are_those_of_the_packages(tmp_path):
    names = ("ctranslate2", "numpy", "sentencepiece", "tokenizers")
    code, out, _ = run("--version", cwd=tmp_path)
    assert code == 0
    assert out.splitlines()[1:] == [
        f"python {sys.version.split()[0]}",
        *(f"{name} {metadata.version(name)}" for name in names),
    ]
    assert re.fullmatch(r"oasr \d+\.\d+\.\d+", out.splitlines()[0])


def test_every_command_works_through_pipes_and_files(home):
    folder = home / FOLDER
    assert run("inspect", "wenet", cwd=folder)[0] == 0
    code, out, _ = run("convert", "wenet", "--output", "new 新", cwd=folder)
    assert (code, out) == (0, "new 新/oasr.json\n")

    asked = ("detokenize", "--checkpoint", "new 新")
    assert run(*asked, cwd=folder, stdin=b"2 3\n[4]\n") == (0, "hello\n你\n", "")
    (folder / "ids.txt").write_text("2 3\n")
    assert run(*asked, "ids.txt", "--output", "文 1", cwd=folder) == (0, "", "")
    assert (folder / "文 1").read_text("utf-8") == "hello\n"

    asked = ("encode", "--checkpoint", "paraformer")
    assert run(*asked, cwd=folder, stdin="你好\n".encode()) == (0, "[3, 4]\n", "")
    (folder / "文").write_text("你好\n", "utf-8")
    assert run(*asked, "文", "--output", "ids", cwd=folder) == (0, "", "")
    assert (folder / "ids").read_text() == "[3, 4]\n"

    asked = ("decode", "--checkpoint", "new 新", "a b.npy")
    assert run(*asked, cwd=folder) == (0, "hello你\n", "")
    asked += ("--format", "jsonl", "--output", "out 出.jsonl")
    assert run(*asked, cwd=folder) == (0, "", "")
    found = json.loads((folder / "out 出.jsonl").read_text("utf-8"))
    assert (found["request_id"], found["text"]) == ("a b.npy", "hello你")


def test_relative_paths_start_where_the_user_stands(home):
    environment = command_line.environment()
    environment["BUILD_WORKING_DIRECTORY"] = str(home / FOLDER)
    asked = ("decode", "--checkpoint", "wenet", "a b.npy", "--output", "out")
    assert run(*asked, cwd="/", env=environment) == (0, "", "")
    assert (home / FOLDER / "out").read_text("utf-8") == "hello你\n"


def test_a_stream_is_written_while_it_is_read(home):
    asked = ("detokenize", "--checkpoint", "wenet", "--stream")
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with command_line.start(*asked, cwd=home / FOLDER, **pipes) as process:
        for given, text in [
            (b"2 ", "he"),
            (b"3 ", "llo"),
            (b"4", ""),
            (b"\n5 ", "你\n😀"),
        ]:
            process.stdin.write(given)
            process.stdin.flush()
            expected = text.encode()
            assert process.stdout.read(len(expected)) == expected
        process.stdin.close()
        assert process.stdout.read() == b"\n"
        assert process.wait(timeout=60) == 0


@pytest.mark.parametrize("stream", [(), ("--stream",)], ids=["whole", "stream"])
def test_an_interrupt_leaves_nothing_half_written(home, stream):
    folder = home / FOLDER
    (folder / "out").write_text("before")
    before = sorted(os.listdir(folder))
    asked = ("detokenize", "--checkpoint", "wenet", "--output", "out", *stream)
    with command_line.start(*asked, cwd=folder, stdin=subprocess.PIPE) as process:
        process.stdin.write(b"2 3\nx\n")
        process.stdin.flush()
        assert b"stdin:2" in process.stderr.readline()  # It reads by now.
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=60) == 130
        assert process.stderr.read() == b"oasr: interrupted\n"
    assert (folder / "out").read_text() == "before"
    assert sorted(os.listdir(folder)) == before


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_what_ends_it_leaves_no_file_that_was_made(home, ending):
    folder = home / FOLDER
    tokens = "token_list: [<blank>, <s>, </s>, 你, <unk>]\n"
    layouts.lay(folder / "list", {"config.yaml": f"model: Paraformer\n{tokens}"})
    (folder / "out").write_text("before")
    (home / "temporary").mkdir()
    environment = {**command_line.environment(), "TMPDIR": str(home / "temporary")}
    asked = ("detokenize", "--checkpoint", "list", "--output", "out")
    options = {"cwd": folder, "stdin": subprocess.PIPE, "env": environment}
    with command_line.start(*asked, **options) as process:
        process.stdin.write(b"3\nx\n")
        process.stdin.flush()
        assert b"stdin:2" in process.stderr.readline()  # It reads by now.
        assert os.listdir(home / "temporary")
        process.send_signal(ending)
        assert process.wait(timeout=60) == 128 + ending
    assert os.listdir(home / "temporary") == []
    assert (folder / "out").read_text() == "before"


class Watcher:
    """A finder of modules that sees what an interrupt does while one is loaded."""

    def __init__(self, name):
        self.name, self.handlers = name, []

    def find_spec(self, name, path=None, target=None):
        if name == self.name:
            self.handlers.append(signal.getsignal(signal.SIGINT))


@pytest.mark.parametrize("ignored", [False, True])
def test_an_interrupt_while_libraries_load_ends_it_at_once(monkeypatch, ignored):
    path = pathlib.Path(__file__).parents[2] / "tools" / "oasr_main.py"
    spec = importlib.util.spec_from_file_location("oasr_main", path)
    program = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(program)
    watcher = Watcher("tools.cli.console")
    monkeypatch.setattr(sys, "meta_path", [watcher, *sys.meta_path])
    monkeypatch.delitem(sys.modules, "tools.cli.console", raising=False)
    monkeypatch.delattr("tools.cli.console", raising=False)
    monkeypatch.setattr(sys, "argv", ["oasr", "--version"])
    before = signal.signal(
        signal.SIGINT, signal.SIG_IGN if ignored else signal.default_int_handler
    )
    try:
        assert program.main() == 0
        after = signal.getsignal(signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, before)
    # What a shell has its jobs ignore, they ignore all the time.
    assert watcher.handlers == [signal.SIG_IGN if ignored else signal.SIG_DFL]
    assert after == (signal.SIG_IGN if ignored else signal.default_int_handler)


def test_where_the_user_stood_may_be_gone(tmp_path):
    environment = command_line.environment()
    environment["BUILD_WORKING_DIRECTORY"] = str(tmp_path / "gone")
    code, out, err = run("--version", cwd="/", env=environment)
    assert (code, out) == (1, "")
    assert err == f"oasr: error: {tmp_path / 'gone'}: No such file or directory\n"


@pytest.mark.parametrize("stream", [(), ("--stream",)], ids=["whole", "stream"])
def test_a_broken_pipe_is_no_traceback(home, stream):
    asked = ("detokenize", "--checkpoint", "wenet", *stream)
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with command_line.start(*asked, cwd=home / FOLDER, **pipes) as process:
        process.stdin.write(b"2 3\n")
        process.stdin.flush()
        assert process.stdout.readline() == b"hello\n"
        process.stdout.close()
        process.stdin.write(b"2 3\n")
        process.stdin.close()
        assert process.wait(timeout=60) == 141
        assert process.stderr.read() == b""


@pytest.mark.parametrize(
    ("arguments", "stdin"),
    [
        (("inspect", "wenet"), ""),
        (("convert", "wenet", "--output", "new"), ""),
        (("detokenize", "--checkpoint", "wenet"), "2 3\n"),
        (("encode", "--checkpoint", "paraformer"), "你好\n"),
        (("decode", "--checkpoint", "wenet", "a b.npy"), ""),
        (("--help",), ""),
        (("--version",), ""),
        (("decode", "--help"), ""),
    ],
)
def test_a_full_disk_is_said(home, arguments, stdin):
    with open("/dev/full", "wb") as full:
        asked = {"stdin": stdin.encode(), "stdout": full}
        code, _, err = run(*arguments, cwd=home / FOLDER, **asked)
    assert (code, err) == (1, "oasr: error: stdout: No space left on device\n")


def test_a_full_disk_as_output_is_said(home):
    asked = ("decode", "--checkpoint", "wenet", "a b.npy", "--output", "/dev/full")
    code, out, err = run(*asked, cwd=home / FOLDER)
    assert (code, out) == (1, "")
    assert err == "oasr: error: /dev/full: No space left on device\n"
    assert not os.path.isfile("/dev/full")


def shell(script, folder):
    """Runs a line of a shell with the program in $OASR."""
    environment = {**command_line.environment(), "OASR": str(command_line.OASR)}
    return subprocess.run(
        ["sh", "-c", script],
        cwd=folder,
        env=environment,
        capture_output=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize(
    ("script", "code"),
    [
        ('"$OASR" detokenize --checkpoint wenet <&-', 1),
        ('"$OASR" inspect absent 2>&-', 1),
        ('"$OASR" inspect absent 2>/dev/full', 1),
    ],
)
def test_closed_streams_are_no_traceback(home, script, code):
    found = shell(script, home / FOLDER)
    assert found.returncode == code
    assert b"Traceback" not in found.stderr
    assert found.stdout == b""


def test_a_wrong_command_line_is_2(tmp_path):
    for arguments in ((), ("frobnicate",), ("inspect",), ("decode", "x.npy")):
        code, out, err = run(*arguments, cwd=tmp_path)
        assert (code, out) == (2, "")
        assert "usage: oasr" in err


def decode_with_stderr(home, stderr, stdout=subprocess.PIPE):
    names = [f"{k}.npy" for k in range(30)]
    for name in names:
        np.save(home / FOLDER / name, scores(2, 3))
    asked = ("decode", "--checkpoint", "wenet", *names[:15], "absent.npy", *names[15:])
    options = {"stdout": stdout, "stderr": stderr}
    with command_line.start(*asked, cwd=home / FOLDER, **options) as process:
        out = process.stdout.read() if stdout == subprocess.PIPE else b""
        err = process.stderr.read() if stderr == subprocess.PIPE else b""
        return process.wait(timeout=60), out, err


def read_all(terminal):
    """Returns what a terminal of which all writers are gone was given."""
    parts = []
    try:
        while part := os.read(terminal, 1 << 16):
            parts.append(part)
    except OSError:  # Linux ends a terminal so.
        pass
    return b"".join(parts)


def test_a_bar_is_on_a_terminal_only(home):
    expected = b"hello\n" * 15 + b"\n" + b"hello\n" * 15
    code, out, err = decode_with_stderr(home, subprocess.PIPE)
    assert (code, out) == (1, expected)
    assert err == b"oasr: error: absent.npy: no such file.\n"

    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 200, 0, 0))
    code, out, _ = decode_with_stderr(home, theirs)
    os.close(theirs)
    seen = read_all(ours)
    os.close(ours)
    assert (code, out) == (1, expected)
    assert b"100%" in seen
    assert b"absent.npy: no such file." in seen


def test_no_bar_stands_between_results_on_one_terminal(home):
    ours, theirs = pty.openpty()
    code, _, _ = decode_with_stderr(home, theirs, stdout=theirs)
    os.close(theirs)
    seen = read_all(ours)
    os.close(ours)
    assert code == 1
    assert b"100%" not in seen
    assert b"\x1b" not in seen
    assert seen.count(b"hello\r\n") == 30


PAGES = [
    pathlib.Path(__file__).parents[2] / name
    for name in ("README.md", "docs/command_line.md")
]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_what_the_documentation_shows_works_when_pasted(tmp_path, monkeypatch, page):
    speech.lay(tmp_path, monkeypatch)
    text = page.read_text("utf-8")
    blocks = re.findall(r"^```sh\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    assert blocks
    for block in blocks:
        pasted = paste(block, tmp_path)
        assert pasted.returncode == 0, pasted.stderr.decode()
        # A comment shows the first line of what the command before it prints.
        for shown in re.findall(r"^# (.+)$", block, re.MULTILINE):
            assert shown in pasted.stdout.decode()
