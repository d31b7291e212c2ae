"""Tests for attention_scores: sums, and what cannot be."""

import numpy as np
import pytest

from oasr.engine.decode import attention_scores


def test_each_hypothesis_has_the_sum_of_its_ids_and_its_end():
    given = [np.array([-1.0, -2.5]), np.array([-0.25], np.float32)]
    assert attention_scores.sums("left", given, [1, 0]).tolist() == [-3.5, -0.25]
    assert attention_scores.sums("left", [], []).tolist() == []
    assert attention_scores.sums("left", [[-np.inf]], [0]).tolist() == [-np.inf]


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ([], "left must score each of 1 hypotheses, gave 0."),
        ([[-1.0]], "left, hypothesis 0: expected 2 log-probabilities, one per id and"),
        ([[-1, -2]], "got int64 of shape"),
        ([[-1.0, np.nan]], "a log-probability is at most 0, got nan at position 1"),
        ([[0.5, -1.0]], "a log-probability is at most 0, got 0.5 at position 0"),
    ],
)
def test_what_cannot_be_is_named(given, error):
    with pytest.raises(ValueError, match=error):
        attention_scores.sums("left", given, [1])
