"""Tests for plain: outputs hold lists of integers and floats, whatever was found."""

import fractions
import math

import numpy as np
import pytest

from oasr.engine.decode import base
from oasr.engine.executor import plain


def found(ids=(), score=0.0):
    return base.Hypothesis(ids, score)


@pytest.mark.parametrize(
    "ids",
    [(5, 7), [5, 7], np.array([5, 7]), (np.int64(5), np.int32(7)), range(5, 9, 2)],
)
def test_ids_are_a_list_of_integers(ids):
    row = plain.ids_of(found(ids))
    assert (type(row), row) == (list, [5, 7])
    assert all(type(token_id) is int for token_id in row)
    assert row is not ids


@pytest.mark.parametrize("ids", [("5",), (5.0,), (True,), 5])
def test_other_ids_are_refused(ids):
    with pytest.raises(TypeError, match="must be"):
        plain.ids_of(found(ids))


@pytest.mark.parametrize(
    "score", [1.5, np.float32(1.5), np.float64(1.5), fractions.Fraction(3, 2)]
)
def test_scores_are_floats(score):
    assert type(plain.score_of(found(score=score))) is float
    assert plain.score_of(found(score=score)) == 1.5


def test_what_cannot_be_is_as_low_as_can_be():
    assert plain.score_of(found(score=-math.inf)) == -math.inf
    assert plain.score_of(found(score=-3)) == -3.0


@pytest.mark.parametrize("score", [None, "x", math.nan, np.float32("nan"), True, 1j])
def test_other_scores_are_refused(score):
    with pytest.raises(ValueError, match=r"^A score is a number, got "):
        plain.score_of(found(score=score))


def test_rows_are_different():
    assert plain.rows_of([found((5,)), found(()), found((5, 5))]) == [[5], [], [5, 5]]
    with pytest.raises(ValueError, match=r"have different ids, got \[5\] twice"):
        plain.rows_of([found((5,)), found((7,)), found([5])])
