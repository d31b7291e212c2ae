"""Tests for cif: where a predictor fires, and that its two arrays are not exchanged."""

import fractions
import itertools
import random

import numpy as np
import pytest

from oasr.models import cif
from tests import conftest

# Fires in the middle of frame 2, at the end of frame 3 and a quarter into frame 6.
WEIGHTS = [0.25, 0.5, 0.5, 0.75, 0.5, 0.25, 1.0, 0.0]
PEAKS = [0.25, 0.75, 1.25, 1.0, 0.5, 0.75, 1.75, 0.75]
FIRES = [2.5, 4.0, 6.25]


def integrated(weights, threshold=1):
    """Returns peaks and fires, in exact arithmetic, from the definition."""
    total, taken, peaks, fires = 0, 0, [], []
    for frame, weight in enumerate(weights):
        peaks.append(total + weight - taken)
        if peaks[-1] >= threshold:
            taken += threshold
            share = (taken - total) / weight if weight else 0
            fires.append(frame + max(share, 0))
        total += weight
    return peaks, fires


def test_known_peaks_give_known_fires():
    assert integrated(map(fractions.Fraction, WEIGHTS)) == (PEAKS, FIRES)
    found = cif.fire_positions(weights=WEIGHTS, peaks=PEAKS)
    assert found.tolist() == FIRES


def test_exchanged_arrays_are_refused_case_115():
    with pytest.raises(
        ValueError,
        match=r"at frame 1 the weights sum to 1 and the peak is 0\.5; are the two exch",
    ):
        cif.fire_positions(weights=PEAKS, peaks=WEIGHTS)


@pytest.mark.parametrize("seed", range(100 * conftest.SCALE))
def test_fires_follow_the_definition(seed):
    rng = random.Random(seed)
    weights = [
        fractions.Fraction(rng.randrange(64), 64) for _ in range(rng.randrange(60))
    ]
    peaks, fires = integrated(weights)
    arrays = {
        "weights": np.array(weights, np.float32),
        "peaks": np.array(peaks, np.float32),
    }
    assert cif.fire_positions(**arrays) == pytest.approx([float(f) for f in fires])
    thirds = cif.fire_positions(**arrays, rate=3)
    assert thirds == pytest.approx([float(f) / 3 for f in fires])


@pytest.mark.parametrize("seed", range(20 * conftest.SCALE))
def test_any_two_random_arrays_are_refused_when_exchanged(seed):
    weights = np.random.default_rng(seed).uniform(0.1, 0.9, size=30)
    peaks, _ = integrated(weights.tolist())
    assert len(cif.fire_positions(weights=weights, peaks=peaks))
    with pytest.raises(ValueError, match="exchanged"):
        cif.fire_positions(weights=peaks, peaks=weights)


def test_float32_sums_over_ten_minutes_stay_within_the_tolerance():
    weights = np.random.default_rng(0).uniform(0, 0.5, size=30_000).astype(np.float32)
    rest, peaks = np.float32(0), []
    for weight in weights:
        rest += weight
        peaks.append(rest)
        rest -= np.float32(rest >= 1)
    found = cif.fire_positions(weights=weights, peaks=peaks)
    assert len(found) == sum(peak >= 1 for peak in peaks)
    assert all(a < b for a, b in itertools.pairwise(found))


def test_another_threshold_is_reached_earlier():
    weights = [fractions.Fraction(1, 4)] * 8
    peaks, fires = integrated(weights, fractions.Fraction(1, 2))
    found = cif.fire_positions(
        weights=np.array(weights, float), peaks=np.array(peaks, float), threshold=0.5
    )
    assert found.tolist() == fires == [2, 4, 6, 8]


def test_a_weight_over_the_threshold_fires_once_and_is_carried():
    found = cif.fire_positions(weights=[2.5, 0.0, 0.5], peaks=[2.5, 1.5, 1.0])
    assert found.tolist() == [0.4, 1.0, 3.0]


def test_what_fires_in_the_tail_fires_at_the_end():
    fires = cif.fire_positions(weights=[0.5, 0.25, 0.45], peaks=[0.5, 0.75, 1.2])
    assert fires == pytest.approx([2 + 0.25 / 0.45])
    clipped = cif.fire_positions(
        weights=[0.5, 0.25, 0.45], peaks=[0.5, 0.75, 1.2], frame_count=2
    )
    assert clipped.tolist() == [2.0]


def test_no_frames_fire_nothing():
    assert cif.fire_positions(weights=[], peaks=[]).tolist() == []


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"peaks": PEAKS[1:]}, "of one length, got 8 and 7"),
        ({"peaks": [PEAKS]}, r"CIF peaks must be \[T\], got the shape \(1, 8\)"),
        (
            {"weights": [-0.5, *WEIGHTS[1:]]},
            "CIF weights must be finite numbers from 0",
        ),
        ({"weights": [np.nan, *WEIGHTS[1:]]}, "CIF weights must be finite numbers"),
        ({"threshold": 0}, "threshold and rate must be above 0, got 0 and 1.0"),
        ({"rate": -1}, "threshold and rate must be above 0"),
    ],
)
def test_impossible_arrays_are_refused(changes, message):
    with pytest.raises(ValueError, match=message):
        cif.fire_positions(**{"weights": WEIGHTS, "peaks": PEAKS, **changes})
