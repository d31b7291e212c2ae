"""Tests for whole_file: all of a file, or what was there before."""

import os

import pytest

from oasr.checkpoints import whole_file


def test_a_file_is_written_and_replaced(tmp_path):
    path = tmp_path / "a.json"
    whole_file.write(path, b"one")
    whole_file.write(path, b"two")
    assert path.read_bytes() == b"two"
    assert os.listdir(tmp_path) == ["a.json"]


def test_a_link_is_replaced_and_not_followed(tmp_path):
    (tmp_path / "secret").write_bytes(b"secret")
    (tmp_path / "link").symlink_to("secret")
    whole_file.write(tmp_path / "link", b"new")
    assert (tmp_path / "secret").read_bytes() == b"secret"
    assert (tmp_path / "link").read_bytes() == b"new"


@pytest.mark.parametrize("error", [OSError(28, "No space left"), KeyboardInterrupt()])
def test_what_was_there_stays_when_writing_fails(tmp_path, monkeypatch, error):
    path = tmp_path / "a.json"
    path.write_bytes(b"old")

    def fail(descriptor):
        raise error

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(type(error)):
        whole_file.write(path, b"new")
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["a.json"]


def test_what_fails_names_the_file_and_not_its_part(tmp_path, monkeypatch):
    def fail(descriptor):
        raise OSError(28, "No space left on device")

    absent = tmp_path / "absent" / "a.json"
    with pytest.raises(FileNotFoundError) as refusal:
        whole_file.write(absent, b"new")
    assert refusal.value.filename == str(absent)
    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="No space left") as refusal:
        whole_file.write(tmp_path / "a.json", b"new")
    assert refusal.value.filename == str(tmp_path / "a.json")


def test_a_long_name_is_no_trouble(tmp_path):
    path = tmp_path / ("n" * 255)
    whole_file.write(path, b"x")
    assert path.read_bytes() == b"x"
