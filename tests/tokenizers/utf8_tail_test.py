"""Tests for utf8_tail, against all characters of Unicode."""

import codecs
import itertools
import random

import pytest

from oasr.tokenizers import utf8_tail
from tests import conftest

_CHARACTERS = [chr(c).encode() for c in range(0x110000) if not 0xD800 <= c < 0xE000]
_BEGINNINGS = {c[:length] for c in _CHARACTERS for length in range(1, len(c))}
# The first and last byte of each range that Unicode's table 3-7 tells apart.
_EDGES = bytes.fromhex(
    "00 41 7F 80 8F 90 9F A0 BF C0 C1 C2 DF E0 E1 EC ED EE EF F0 F1 F3 F4 F5 FF"
)
_SURROGATES = {bytes([0xED, second]) for second in range(0xA0, 0xC0)}


def test_beginnings_are_those_of_all_characters():
    for first, second in itertools.product(range(256), repeat=2):
        for content in (bytes([first]), bytes([first, second])):
            assert utf8_tail.begins_character(content) == (content in _BEGINNINGS)
    for content in map(bytes, itertools.product(_EDGES, repeat=3)):
        assert utf8_tail.begins_character(content) == (content in _BEGINNINGS)
    assert not utf8_tail.begins_character(b"")


def test_a_byte_continues_a_beginning_of_a_character():
    whole = {c for c in _CHARACTERS if len(c) > 1}
    for beginning in sorted(_BEGINNINGS)[:: max(1, 40 // conftest.SCALE)]:
        for byte in range(256):
            longer = beginning + bytes([byte])
            expected = longer in whole or longer in _BEGINNINGS
            assert utf8_tail.continues(beginning, byte) == expected


@pytest.mark.parametrize("length", [0, 1, 2, 3])
def test_the_tail_is_the_longest_end_that_may_be_completed(length):
    for content in map(bytes, itertools.product(_EDGES, repeat=length)):
        ends = [content[k:] for k in range(length) if content[k:] in _BEGINNINGS]
        assert utf8_tail.incomplete_tail(content) == (ends[0] if ends else b"")


def test_the_tail_is_what_pythons_decoder_waits_for():
    rng = random.Random(0)
    for _ in range(20_000 * conftest.SCALE):
        content = bytes(rng.choices(_EDGES, k=rng.randrange(12)))
        _, used = codecs.utf_8_decode(content, "replace", False)
        # Python also waits behind half of a surrogate, which nothing can complete.
        waits_for = b"" if content[used:][:2] in _SURROGATES else content[used:]
        assert utf8_tail.incomplete_tail(content) == waits_for
