"""Tests for archive: what zipfile and the standard of RECORD read of it."""

import base64
import csv
import hashlib
import io
import stat
import zipfile

from tools.wheel import archive

FILES = {
    "a/__init__.py": b"",
    "a/b, ä.txt": "text 😀".encode(),
    "a/native.so": bytes(range(256)) * 9,
    "a-1.dist-info/WHEEL": b"Wheel-Version: 1.0\n",
    "z.py": b"x = 1\n",
}


def write(folder, files=FILES):
    path = folder / "a-1-py3-none-any.whl"
    archive.write(path, files, "a-1.dist-info")
    return path


def test_the_files_are_there_and_the_metadata_comes_last(tmp_path):
    with zipfile.ZipFile(write(tmp_path)) as wheel:
        names = wheel.namelist()
        assert {name: wheel.read(name) for name in FILES} == FILES
    assert names[-2:] == ["a-1.dist-info/WHEEL", "a-1.dist-info/RECORD"]
    assert names[:-2] == sorted(names[:-2])


def test_the_record_names_each_file_with_its_hash_and_size(tmp_path):
    with zipfile.ZipFile(write(tmp_path)) as wheel:
        names = wheel.namelist()
        text = wheel.read("a-1.dist-info/RECORD").decode("utf-8")
    rows = list(csv.reader(io.StringIO(text)))
    assert [name for name, _, _ in rows] == names
    assert rows.pop() == ["a-1.dist-info/RECORD", "", ""]
    for name, digest, size in rows:
        kind, _, value = digest.partition("=")
        expected = hashlib.new(kind, FILES[name]).digest()
        assert base64.urlsafe_b64decode(value + "==="[: -len(value) % 4]) == expected
        assert int(size) == len(FILES[name])


def test_modes_are_those_of_installed_files(tmp_path):
    with zipfile.ZipFile(write(tmp_path)) as wheel:
        modes = {i.filename: i.external_attr >> 16 for i in wheel.infolist()}
    assert {name for name, mode in modes.items() if mode & 0o111} == {"a/native.so"}
    assert all(stat.S_ISREG(mode) and mode & 0o444 == 0o444 for mode in modes.values())


def test_the_same_contents_are_the_same_bytes(tmp_path):
    for folder in (tmp_path / "one", tmp_path / "two"):
        folder.mkdir()
    one = write(tmp_path / "one")
    two = write(tmp_path / "two", dict(reversed(FILES.items())))
    assert one.read_bytes() == two.read_bytes()
    with zipfile.ZipFile(one) as wheel:
        assert {i.date_time for i in wheel.infolist()} == {(1980, 1, 1, 0, 0, 0)}
