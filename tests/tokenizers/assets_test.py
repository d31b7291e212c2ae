"""Tests for assets."""

import os

import pytest

from oasr.tokenizers import assets
from oasr.tokenizers import errors


def test_a_file_is_read_as_it_is(tmp_path):
    path = tmp_path / "\u4f60 b.txt"
    path.write_bytes(b"a\r\n\xe4\xbd\xa0")
    assert assets.read_bytes(path) == b"a\r\n\xe4\xbd\xa0"
    assert assets.read_text(str(path)) == "a\r\n\u4f60"


def test_a_byte_order_mark_is_no_text_unless_kept(tmp_path):
    path = tmp_path / "bom.txt"
    path.write_bytes(b"\xef\xbb\xbfa\xef\xbb\xbf")
    assert assets.read_text(path) == "a\ufeff"
    assert assets.read_text(path, keep_bom=True) == "\ufeffa\ufeff"


@pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf"])
def test_the_line_that_is_not_utf_8_is_named(tmp_path, bom):
    path = tmp_path / "bad.txt"
    path.write_bytes(bom + b"a\nb\n\xe4\xbdz\n")
    with pytest.raises(errors.AssetError, match=r"bad.txt:3: expected UTF-8, .* 0xE4"):
        assets.read_text(path)


def test_what_is_no_regular_file_is_refused(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for path, message in [
        (tmp_path / "none", "none: no such file"),
        (tmp_path, "expected a file, found a directory"),
        (tmp_path / "pipe", "pipe: expected a regular file"),
        ("a\0b", "cannot be read"),
        ("a" * 5000, "cannot be read"),
    ]:
        with pytest.raises(errors.AssetError, match=message):
            assets.read_bytes(path)


@pytest.mark.parametrize("path", [0, None, b"a", True])
def test_what_is_no_path_is_refused(path):
    with pytest.raises(TypeError, match="Expected a path, got"):
        assets.read_bytes(path)
