"""Tests for transducer_search: what survives a frame, also among equals."""

import numpy as np
import pytest

from oasr.engine.decode import transducer_search
from tests import conftest


@pytest.mark.parametrize("seed", range(100 * conftest.SCALE))
def test_the_highest_are_found_and_of_equals_the_first(seed):
    rng = np.random.default_rng(seed)
    values = rng.choice([-np.inf, -3.0, -2.0, -1.0, 0.0], size=rng.integers(0, 20))
    count = int(rng.integers(1, 25))
    ranked = sorted(range(len(values)), key=lambda place: (-values[place], place))
    expected = [place for place in ranked if values[place] > -np.inf][:count]
    assert transducer_search.best_places(values, count) == expected


@pytest.mark.parametrize(
    ("log_prob", "expected"), [(0.0, 1.0), (0.0005, 1.0), (-np.inf, 0.0)]
)
def test_a_posterior_is_a_probability(log_prob, expected):
    assert transducer_search.posterior(log_prob) == expected
