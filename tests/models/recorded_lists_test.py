"""Tests for recorded_lists: scores in JSON, and errors that say where and what."""

import os

import pytest

from oasr import tokenizers
from oasr.models import recorded_lists


def read(tmp_path, content):
    (tmp_path / "x.json").write_text(content)
    return recorded_lists.read_json(tmp_path / "x.json")


@pytest.mark.parametrize(
    ("content", "scores"),
    [
        ("[[0, -30], [-30, 0]]", [[0, -30], [-30, 0]]),
        ("[[-Infinity, 0.0]]", [[float("-inf"), 0]]),
        ("[[1e-3]]", [[0.001]]),
        ("[[], []]", [[], []]),
        ("[]", []),
    ],
)
def test_lists_of_numbers_are_scores(content, scores, tmp_path):
    found = read(tmp_path, content)
    assert found.ndim == 2
    assert found.tolist() == scores


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[[0.5, 0.5], [1.0]]", "row 1: expected 2 values as in row 0, found 1"),
        ("[[0.5], 3]", "row 1: expected a list of numbers, found int"),
        ('[[0.5, "1"]]', "row 0, column 1: expected a number, found '1'"),
        (f'[["{"1" * 99}"]]', r"row 0, column 0: .*, found '1{56}\.\.\.\.$"),
        ("[[true]]", "row 0, column 0: expected a number, found True"),
        ("[[null]]", "row 0, column 0: expected a number, found None"),
        ("[[[0.5]]]", r"row 0, column 0: expected a number, found \[0\.5\]"),
        (f"[1{'0' * 400}]", "row 0: expected a list"),
        (f"[[1{'0' * 400}]]", "expected numbers that a float can hold"),
        (f"[[1{'0' * 9999}]]", "expected JSON in UTF-8, found: Exceeds the limit"),
        ('{"a": []}', "expected a list of rows, found dict"),
        ("[[0.5", "expected JSON in UTF-8, found: .*line 1"),
        ("[" * 100_000, "expected JSON in UTF-8, found"),
        ("", "expected JSON in UTF-8, found"),
    ],
    ids=range(14),
)
def test_a_malformed_file_is_named_with_the_place(content, message, tmp_path):
    with pytest.raises(tokenizers.AssetError, match=f"x\\.json: .*{message}"):
        read(tmp_path, content)


def test_json_is_utf8(tmp_path):
    (tmp_path / "x.json").write_bytes(b"[[\xff]]")
    with pytest.raises(tokenizers.AssetError, match=r"x\.json: expected JSON in UTF-8"):
        recorded_lists.read_json(tmp_path / "x.json")


def test_a_file_that_would_fill_memory_is_not_read(tmp_path):
    (tmp_path / "x.json").touch()
    os.truncate(tmp_path / "x.json", recorded_lists.MAX_BYTES + 1)
    with pytest.raises(tokenizers.AssetError, match="67108864 bytes of JSON, found 67"):
        recorded_lists.read_json(tmp_path / "x.json")
