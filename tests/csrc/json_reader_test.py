"""Tests for json_reader, against Python's own reading of the same bytes."""

import json
import math
import random

import pytest

from oasr._native import json_reader
from tests import conftest

_ATOMS = ["0", "-0", "12", "-3.5", "1e3", "1E-2", "2.5e+10", "1e999", "123456789012345"]
_ATOMS += ["true", "false", "null", "NaN", "Infinity", "-Infinity", '""', '"a b"']
_ATOMS += ['"\\u4f60\\ud83d\\ude00"', '"\\ud800"', '"\\ud800\\u0041"', '"\\udc00"']
_ATOMS += ['"\\"\\\\\\/\\b\\f\\n\\r\\t"', '"你😀é\u007f"', '"' + "x" * 70 + '"']
_PARTS = [*_ATOMS, "[", "]", "{", "}", ",", ":", " ", "\n", '"', "\\", "\\u12", "01"]
_PARTS += [".", "-", "+", "e5", "1.", "1.e2", "nul", "\t", "\x01", "\u00a0", "'a'"]


def refuse(key, first, second):
    raise KeyError(key, first, second)


def read(document, twice=refuse):
    return json_reader.read(document, twice)


def same(one, other):
    """Equality that takes NaN for itself, and tells 1 from 1.0 and True."""
    if isinstance(one, float) and isinstance(other, float) and math.isnan(one):
        return math.isnan(other)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return list(one) == list(other) and all(same(one[k], other[k]) for k in one)
    return type(one) is type(other) and one == other


def made(rng, depth=0):
    kind = rng.randrange(4) if depth < 4 else 3
    blank = rng.choice(["", " ", "\n\t", "\r\n"])
    if kind == 0:
        inner = ",".join(made(rng, depth + 1) for _ in range(rng.randrange(4)))
        return f"{blank}[{inner}{blank}]"
    if kind == 1:
        keys = rng.sample(["a", "b", "\\u0061b", "你", "", "x" * 70], rng.randrange(4))
        inner = ",".join(f'{blank}"{k}"{blank}:{made(rng, depth + 1)}' for k in keys)
        return "{" + inner + blank + "}"
    return blank + rng.choice(_ATOMS) + blank


def test_a_document_is_what_python_reads():
    rng = random.Random(0)
    for _ in range(2_000 * conftest.SCALE):
        document = made(rng)
        value, fault = read(document.encode())
        assert fault is None, document
        assert same(value, json.loads(document)), document


def ignore(key, first, second):
    pass


def test_what_python_refuses_is_refused_and_nothing_else():
    rng = random.Random(1)
    refused = 0
    for _ in range(5_000 * conftest.SCALE):
        document = list(made(rng))
        for _ in range(rng.randrange(1, 3)):
            place = rng.randrange(len(document) + 1)
            document[place : place + rng.randrange(3)] = rng.choice(_PARTS)
        document = "".join(document)
        try:
            expected = json.loads(document)
        except json.JSONDecodeError:
            refused += 1
            value, fault = read(document.encode(), ignore)
            assert value is None, document
            assert fault[0] == "syntax", document
            assert 0 <= fault[1] <= len(document.encode())
        else:
            repeated = []
            value, fault = read(
                document.encode(), lambda *told, to=repeated: to.append(told)
            )
            assert fault is None, document
            assert repeated or same(value, expected), document
    assert refused > 1_000


@pytest.mark.parametrize(
    ("document", "fault"),
    [
        (b"", ("syntax", 0, "Expecting value")),
        (b'{"a": [1, 2', ("syntax", 11, "Expecting ',' delimiter")),
        (b'{"a" 1}', ("syntax", 5, "Expecting ':' delimiter")),
        (b"{a: 1}", ("syntax", 1, "Expecting property name enclosed in double quotes")),
        (b"[1] x", ("syntax", 4, "Extra data")),
        (b"[1,]", ("syntax", 2, "Illegal trailing comma")),
        (b'["abc', ("syntax", 1, "Unterminated string starting at")),
        (b'["\\x"]', ("syntax", 2, "Invalid \\escape")),
        (b'["\\u12g4"]', ("syntax", 3, "Invalid \\uXXXX escape")),
        (b'["a\nb"]', ("syntax", 3, "Invalid control character at")),
        (b'["\xe4\xbd"]', ("utf-8", 2, "UTF-8")),
        (b'["\xed\xa0\x80"]', ("utf-8", 2, "UTF-8")),
        (b"\xff\xfe{}", ("utf-8", 0, "Expecting value")),
        (b"9" * 4301, ("syntax", 0, "Expecting a number of at most 4300 digits")),
    ],
)
def test_a_fault_has_a_place(document, fault):
    assert read(document) == (None, fault)


def test_nesting_is_bounded():
    most = json_reader.MOST_DEPTH
    for left, right in (("[", "]"), ('{"a":', "}")):
        document = left * most + "1" + right * most
        assert same(read(document.encode())[0], json.loads(document))
        value, (kind, place, _) = read((left * 10**6).encode())
        assert (value, kind, place) == (None, "depth", len(left) * most)


def test_a_key_that_is_there_again_is_said():
    with pytest.raises(KeyError) as told:
        read(b'{"b": {"a": 1, "\\u0061": [2]}, "a": 3}')
    assert told.value.args == ("a", 1, [2])
    assert read(b'[{"a": 1}, {"a": 2}]')[1] is None


def test_a_text_that_was_a_key_is_the_same_object():
    value, _ = read(
        '{"vocab": {"Ġhello": 0}, "merges": [["Ġhello", "Ġhello"]]}'.encode()
    )
    (key,), ((left, right),) = value["vocab"], value["merges"]
    assert key is left is right


def test_only_bytes_are_read():
    with pytest.raises(TypeError):
        json_reader.read("[]", refuse)
