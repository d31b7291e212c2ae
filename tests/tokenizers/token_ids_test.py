"""Tests for token_ids."""

import array
import collections
import random

import numpy as np
import pytest

from oasr.tokenizers import token_ids
from tests.tokenizers import bad_ids

FAR = 2**70


@pytest.mark.parametrize(
    "ids",
    [
        [1, -2, FAR],
        (1, -2, FAR),
        collections.deque([1, -2, FAR]),
        np.array([1, -2, FAR], dtype=object),
        [np.int64(1), np.int8(-2), FAR],
    ],
)
def test_any_sequence_of_integers_becomes_a_list(ids):
    found = token_ids.as_list(ids)
    assert found == [1, -2, FAR]
    assert {type(token_id) for token_id in found} == {int}


def test_arrays_and_ranges_are_sequences_of_integers():
    for ids in (np.arange(3, dtype=np.uint8), array.array("i", [0, 1, 2]), range(3)):
        assert token_ids.as_list(ids) == [0, 1, 2]
    assert token_ids.as_list([]) == token_ids.as_list(np.array([], dtype=int)) == []


def test_a_list_of_integers_is_not_copied():
    ids = [1, 2, 3]
    assert token_ids.as_list(ids) is ids


@pytest.mark.parametrize(("ids", "place"), bad_ids.BAD_IDS)
def test_what_is_no_integer_is_named_by_position(ids, place):
    with pytest.raises(TypeError, match=f"integers: the id at position {place} is"):
        token_ids.as_list(ids)


@pytest.mark.parametrize("ids", bad_ids.NO_SEQUENCES)
def test_what_is_no_sequence_is_refused(ids):
    with pytest.raises(TypeError, match="must be a sequence of integers, got"):
        token_ids.as_list(ids)


def test_a_long_value_is_shown_in_part():
    with pytest.raises(TypeError) as caught:
        token_ids.as_list(["x" * 10**6])
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize(
    "ids", [{3, 1}, frozenset({1, 3}), [1, 3, 3], (n for n in (1, 3))]
)
def test_any_collection_becomes_a_set(ids):
    assert token_ids.as_set(ids) == {1, 3}


@pytest.mark.parametrize("ids", [5, None, "13", [True], [1.0]])
def test_what_is_no_collection_of_integers_is_refused(ids):
    with pytest.raises(TypeError, match="Token ids must be"):
        token_ids.as_set(ids)


@pytest.mark.parametrize(
    ("ids", "expected"),
    [
        ([], True),
        ([0, 4], True),
        ([5], False),
        ([-1], False),
        ([FAR], False),
        ([True], False),
        ([1.0], False),
        ((1,), False),  # Only a list is looked at.
    ],
)
def test_in_range(ids, expected):
    assert token_ids.in_range(ids, 5) is expected


def test_select_leaves_out_what_is_outside_or_dropped():
    dropped = frozenset({3})
    assert token_ids.select([1, 2, 3, 4, -1, FAR], 2, 5, dropped) == [2, 4]
    assert token_ids.select(np.array([1, 2, 3, 4]), 2, 5, dropped) == [2, 4]
    kept = [2, 4]
    assert token_ids.select(kept, 2, 5, dropped) is kept
    with pytest.raises(TypeError, match=r"position 1 is 2\.0"):
        token_ids.select([2, 2.0], 2, 5, dropped)


def test_select_by_its_words():
    rng = random.Random(0)
    for _ in range(2_000):
        ids = [rng.randrange(-3, 14) for _ in range(rng.randrange(8))]
        before = list(ids)
        first, last = sorted(rng.choices(range(-1, 12), k=2))
        dropped = frozenset(rng.choices(range(10), k=rng.randrange(3)))
        expected = [i for i in ids if first <= i < last and i not in dropped]
        for form in (
            dropped,
            token_ids.flags(dropped, 10),
            token_ids.flags(dropped, 40),
        ):
            assert token_ids.select(ids, first, last, form) == expected
            kept = token_ids.mask(ids, first, last, form)
            assert [
                i for i, is_kept in zip(ids, kept, strict=True) if is_kept
            ] == expected
        assert ids == before


def test_flags_take_a_byte_for_each_id():
    assert token_ids.flags([0, 2, 2, -1, 4, FAR], 4) == b"\1\0\1\0"
    assert token_ids.flags([], 3) == bytes(3)
    # Behind the flags no id is dropped.
    assert token_ids.select([0, 3, 4, FAR], 0, 9, b"\1\0\1\1") == [4]
    with pytest.raises(TypeError, match="frozenset or bytes"):
        token_ids.select([1], 0, 9, {1})
