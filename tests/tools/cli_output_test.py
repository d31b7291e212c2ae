"""Tests for output: results on stdout or whole in a file."""

import os
import sys
import threading

import pytest

from tools.cli import output


def write(path, *texts):
    with output.opened(str(path)) as results:
        for text in texts:
            results.write(text)


def test_a_file_appears_in_the_end(tmp_path):
    path = tmp_path / "结果 1"
    with output.opened(str(path)) as results:
        results.write("你好\n")
        assert not path.exists()
        results.write("b\n")
    assert path.read_bytes() == "你好\nb\n".encode()
    assert os.listdir(tmp_path) == [path.name]


@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError, SystemExit])
def test_after_an_error_the_file_is_as_it_was(tmp_path, error):
    path = tmp_path / "a"
    path.write_text("before")

    def fail():
        with output.opened(str(path)) as results:
            results.write("half")
            raise error

    with pytest.raises(error):
        fail()
    assert path.read_text() == "before"
    assert os.listdir(tmp_path) == ["a"]


def test_a_path_is_written_in_the_bytes_of_the_system(tmp_path):
    with output.opened(str(tmp_path / "a")) as results:
        results.write_path(os.fsdecode(b"caf\xe9/\xe4\xbd\xa0"))
        results.write("\udce9\n")
    assert (tmp_path / "a").read_bytes() == b"caf\xe9/\xe4\xbd\xa0\n\\udce9\n"


def test_a_link_stays_one(tmp_path):
    (tmp_path / "real").write_text("before")
    (tmp_path / "link").symlink_to("real")
    write(tmp_path / "link", "after")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text() == "after"


@pytest.mark.parametrize(
    ("name", "error"),
    [(".", IsADirectoryError), ("absent/a", FileNotFoundError), ("f/a", OSError)],
)
def test_a_place_for_no_file_is_refused_before_the_work(tmp_path, name, error):
    (tmp_path / "f").write_text("a file")

    def work():
        with output.opened(str(tmp_path / name)):
            pytest.fail("work was done")

    with pytest.raises(error) as raised:
        work()
    assert raised.value.filename == str(tmp_path / name)


def test_a_full_disk_is_named_and_stays_a_device():
    with pytest.raises(OSError, match="No space left") as raised:
        write("/dev/full", "x")
    assert raised.value.filename == "/dev/full"
    assert not os.path.isfile("/dev/full")


def test_a_full_disk_leaves_no_part(tmp_path, monkeypatch):
    def fail(descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="No space left") as raised:
        write(tmp_path / "a", "x")
    assert raised.value.filename == str(tmp_path / "a")
    assert os.listdir(tmp_path) == []


def test_a_pipe_gets_results_as_they_come(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    read = []
    reader = threading.Thread(
        target=lambda: read.append((tmp_path / "pipe").read_text("utf-8"))
    )
    reader.start()
    write(tmp_path / "pipe", "你", "b")
    reader.join(timeout=10)
    assert read == ["你b"]


def test_stdout_gets_results_as_they_come(capfd):
    for path in (None, "-"):
        with output.opened(path) as results:
            results.write("你\n")
            assert capfd.readouterr().out == "你\n"


def test_a_closed_stdout_is_said(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "stdout", None)
    with pytest.raises(OSError, match="stdout is closed; name a file for"):
        write("-", "x")
    write(tmp_path / "a", "x")
    assert (tmp_path / "a").read_text() == "x"


def test_half_of_a_surrogate_pair_is_an_escape(tmp_path):
    write(tmp_path / "a", '"\udc80"')
    assert (tmp_path / "a").read_bytes() == b'"\\udc80"'
