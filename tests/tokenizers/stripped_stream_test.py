"""Tests for stripped_stream, against Python's reading of all bytes so far."""

import random

import pytest

from oasr.tokenizers import stripped_stream
from tests import conftest

PARTS = [b"a", b" ", b"\xe4", b"\xbd", b"\xa0", b"\xe3", b"\x80", b"\xc2", b"\xa0"]
PARTS += [b"\xe1\x9a", b"\xff", b"", "\U0001f600".encode(), b"\n", b"\xef\xbf\xbd"]


def shown(content):
    return content.decode("utf-8", "replace").strip()


@pytest.mark.parametrize("seed", range(20))
def test_the_text_is_that_of_all_bytes(seed):
    rng = random.Random(seed)
    for _ in range(100 * conftest.SCALE):
        state, content, given = stripped_stream.StrippedStream(), b"", ""
        for part in rng.choices(PARTS, k=10):
            given += state.feed_bytes(part)
            content += part
            assert state["text"] == shown(content)
            assert state["text"].startswith(given)
        assert given + state.finish() == shown(content)


def test_half_a_surrogate_is_not_waited_for():
    state = stripped_stream.StrippedStream()
    assert state.feed_bytes(b"a\xed") == "a"
    assert state.feed_bytes(b"\xbd") == "\ufffd\ufffd"


def test_nothing_is_held_once_it_is_finished():
    state = stripped_stream.StrippedStream()
    state.feed_bytes(b"a \xe3")
    assert state.held == " \ufffd"
    assert state.finish() == " \ufffd"
    assert state.held == ""
    assert state["text"] == "a \ufffd"


def test_every_whitespace_character_is_known():
    blanks = [chr(c).encode() for c in range(0x110000) if chr(c).isspace()]
    expected = {blank[:k] for blank in blanks for k in range(1, len(blank))}
    assert expected == stripped_stream._BLANK_BEGINNINGS
