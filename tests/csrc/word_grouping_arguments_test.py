"""Tests for word_grouping: what its arguments may be."""

import itertools
import re

import numpy as np
import pytest

from oasr._native import word_grouping


def arguments(**changes):
    """Returns valid arguments of `group_words` with some replaced."""
    valid = {
        "text": b"a b",
        "piece_ends": np.array([1, 3]),
        "lends": np.array([True, False]),
        "starts": np.array([0.0, 1.0]),
        "ends": np.array([1.0, 2.0]),
        "confidences": np.array([0.5, 1.0]),
    }
    return valid | changes


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({}, id="as named"),
        pytest.param({"lends": np.array([1, 0], dtype=np.uint8)}, id="uint8 flags"),
        pytest.param({"starts": np.arange(4.0)[::2] / 2}, id="strided"),
        pytest.param({"ends": np.array([1, 2], dtype=np.float32)}, id="float32"),
        pytest.param({"piece_ends": np.array([1, 3], dtype=np.int32)}, id="int32"),
        pytest.param({"piece_ends": [1, 3], "lends": [True, False]}, id="lists"),
    ],
)
def test_arrays_that_convert_safely_are_taken(changes):
    expected = [("a", 0.0, 1.0, 0.5), ("b", 1.0, 2.0, 1.0)]
    assert word_grouping.group_words(**arguments(**changes)) == expected


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"lends": np.array([True])}, "lends has 1 values; expected 2, one per piece."),
        ({"starts": np.zeros(3)}, "starts has 3 values; expected 2, one per piece."),
        ({"ends": np.zeros(0)}, "ends has 0 values; expected 2, one per piece."),
        ({"confidences": np.zeros(1)}, "confidences has 1 values; expected 2, one"),
        ({"starts": np.zeros((2, 1))}, "starts has 2 dimensions; expected 1."),
        ({"starts": None}, "starts has 0 dimensions; expected 1."),
        (
            {"piece_ends": np.array([3, 2])},
            "piece_ends[1] is 2; expected at least 3, the end of the piece before.",
        ),
        ({"piece_ends": np.array([-1, 3])}, "piece_ends[0] is -1; expected at least 0"),
        (
            {"piece_ends": np.array([1, 2])},
            "The last of piece_ends is 2; expected 3, the length of the text in bytes.",
        ),
        ({"piece_ends": np.array([1, 4])}, "The last of piece_ends is 4; expected 3"),
        ({"starts": np.array([0, np.nan])}, "starts[1] is nan; expected a finite"),
        ({"ends": np.array([np.inf, 1])}, "ends[0] is inf; expected a finite number."),
        ({"confidences": np.array([np.nan, 1])}, "confidences[0] is nan; expected a"),
        (
            {"ends": np.array([1.0, 0.5])},
            "ends[1] is 0.500000; expected at least starts[1], 1.000000.",
        ),
    ],
)
def test_values_out_of_place_are_named(changes, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        word_grouping.group_words(**arguments(**changes))


def test_text_without_pieces_is_refused():
    with pytest.raises(ValueError, match=r"The last of piece_ends is 0; expected 1"):
        word_grouping.word_spans(b"a", np.zeros(0, dtype=np.int64), np.zeros(0, bool))


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({"text": "a b"}, id="str for bytes"),
        pytest.param({"piece_ends": np.array([1.0, 3.0])}, id="float ends"),
        pytest.param({"lends": np.array([1.0, 0.0])}, id="float flags"),
        pytest.param({"starts": np.array(["0", "1"])}, id="str times"),
    ],
)
def test_arrays_of_another_kind_are_refused(changes):
    with pytest.raises(TypeError):
        word_grouping.group_words(**arguments(**changes))


@pytest.mark.parametrize("pieces", ["ab", [b"a", b"b"], [1, 2], None])
def test_pieces_must_be_a_list_of_str(pieces):
    rest = list(itertools.islice(arguments().values(), 2, None))
    with pytest.raises(TypeError):
        word_grouping.group_pieces(pieces, *rest)
