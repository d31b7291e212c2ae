"""Tests for yaml_file: plain values are read, all else is refused."""

import os
import time

import pytest

from oasr import tokenizers
from oasr.checkpoints import yaml_file


def read(folder, text):
    path = folder / "config.yaml"
    path.write_text(text, encoding="utf-8")
    return yaml_file.read_mapping(path)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            "a: 1\nb: [x, 2.5, null]", {"a": 1, "b": ["x", 2.5, None]}, id="yaml"
        ),
        pytest.param("a: ${b.c}", {"a": "${b.c}"}, id="a reference is text"),
        pytest.param("\ufeffa: 你好 😀", {"a": "你好 😀"}, id="a BOM"),
        pytest.param("a: &x 5\nb: *x", {"a": 5, "b": 5}, id="a value again"),
        pytest.param("a: no\nb: 'no'", {"a": False, "b": "no"}, id="YAML 1.1 booleans"),
    ],
)
def test_read(tmp_path, text, expected):
    assert read(tmp_path, text) == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected a YAML mapping, found NoneType"),
        ("- 1", "expected a YAML mapping, found list"),
        ("a: {", "config.yaml:1: expected YAML of plain values"),
        ("a: 1\n\tb: 2", "config.yaml:2: expected YAML"),
        ("a: 1\n---\nb: 2", "config.yaml:2: .* found another document"),
        ("a: \x01", "special characters are not allowed"),
        ("a: 2020-13-45", "month must be in 1..12"),
        ("a: " + "9" * 6000, "config.yaml: expected YAML of plain values: Exceeds"),
        ("? [1]\n: 2", "unhashable key"),
        ("a: !!timestamp x", "expected YAML of plain values"),
        ('a: !!int ""', "expected YAML of plain values"),
        ("a: !!bool x", "expected YAML of plain values"),
        ("a: !!merge x", "could not determine a constructor"),
    ],
)
def test_bad_yaml_is_refused(tmp_path, text, message):
    with pytest.raises(tokenizers.AssetError, match=message):
        read(tmp_path, text)


@pytest.mark.parametrize(
    "value",
    [
        '!!python/object/apply:os.mkdir ["{folder}/made"]',
        "!!python/name:os.mkdir",
        "!!python/object/new:os.system [ls]",
        "!!python/module:os",
        "!!python/tuple [1, 2]",
        "!local 1",
    ],
)
def test_tags_of_code_are_refused(tmp_path, value):
    with pytest.raises(tokenizers.AssetError, match="could not determine a constr"):
        read(tmp_path, "a: " + value.format(folder=tmp_path))
    assert os.listdir(tmp_path) == ["config.yaml"]


def bomb(merged):
    """A hundred lines that mean a billion values."""
    lines = ["a0: &a0 {x: 1, y: 2}"]
    for n in range(1, 100):
        again = f"*a{n - 1}, *a{n - 1}"
        lines.append(
            f"a{n}: &a{n} " + (f"{{<<: [{again}]}}" if merged else f"[{again}]")
        )
    return "\n".join(lines)


@pytest.mark.parametrize("merged", [True, False])
def test_a_bomb_of_aliases_is_refused(tmp_path, merged):
    with pytest.raises(tokenizers.AssetError, match=r":2: .* repeated by an alias"):
        read(tmp_path, bomb(merged))


@pytest.mark.parametrize("text", ["a: " + "[" * 10**5, "{a: " * 10**5, "- " * 10**5])
def test_depth_is_bounded(tmp_path, text):
    started = time.process_time()
    with pytest.raises(tokenizers.AssetError, match="nested over 32 deep"):
        read(tmp_path, text)
    assert time.process_time() - started < 20


def test_length_is_bounded(tmp_path):
    with pytest.raises(tokenizers.AssetError, match=r"the file has .* bytes"):
        read(tmp_path, "a: " + "x" * yaml_file.MAX_BYTES)
