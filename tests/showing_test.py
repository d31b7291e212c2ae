"""Tests for showing: a text of bounded length for any value and any exception."""

import numpy as np
import pytest

from oasr import showing


class Mute:
    """A value that cannot be written."""

    def __repr__(self):
        raise RuntimeError("no")


class MuteError(Exception):
    """An exception that cannot be written."""

    def __str__(self):
        raise RuntimeError("no")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("", "''"),
        (None, "None"),
        ("a\nb\u2581", "'a\\nb\u2581'"),
        ("𠀀" * 58, "'" + "𠀀" * 58 + "'"),
        ("𠀀" * 59, "'" + "𠀀" * 56 + "..."),
        (b"\0" * 10**8, "b'" + "\\x00" * 13 + "\\x0..."),
        ([0] * 10**7, "[" + "0, " * 18 + "0,..."),
        ((1,) * 3, "(1, 1, 1)"),
        (10**70, "1" + "0" * 56 + "..."),
        (10**5000, "<int of 16610 bits>"),
        (Mute(), "<Mute without a repr>"),
        ([Mute()], "<list without a repr>"),
        (np.eye(2), "array([[1., 0.], [0., 1.]])"),
    ],
    ids=range(13),
)
def test_a_value_is_shown_on_a_short_line(value, text):
    assert showing.shown(value) == text
    assert len(text) <= 60


def test_a_text_is_cut_at_its_limit():
    assert showing.shortened("abcdef", 6) == "abcdef"
    assert showing.shortened("abcdefg", 6) == "abc..."
    assert showing.shortened("a \n  b\r\nc", 9) == "a b c"


def test_an_exception_has_a_text():
    assert showing.message(ValueError("No.")) == "No."
    assert showing.message(ValueError()) == ""
    assert showing.message(MuteError()) == "MuteError without a text"
