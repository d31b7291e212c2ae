"""Tests for plain_prefix_beam, the oracle: against every path and a textbook beam."""

import math

import numpy as np
import pytest

from tests import conftest
from tests.engine.decode import ctc_oracles
from tests.engine.decode import plain_prefix_beam

ALL = 10_000  # A beam that holds every prefix of the small cases.


def search(log_probs, *, blank_id=0, beam_size=ALL, **options):
    return plain_prefix_beam.search(
        np.asarray(log_probs, dtype=np.float32),
        blank_id=blank_id,
        beam_size=beam_size,
        **options,
    )


def log(probs):
    with np.errstate(divide="ignore"):
        return np.log(np.asarray(probs, dtype=np.float32))


@pytest.mark.parametrize(
    ("probs", "expected"),
    [
        ([[1.0, 0.0]], [((), 1.0)]),
        ([[0.0, 1.0]], [((1,), 1.0)]),
        # The best path is two blanks; "1" has three paths that sum to more.
        ([[0.6, 0.4], [0.6, 0.4]], [((1,), 0.64), ((), 0.36)]),
        # A repeat needs a blank between.
        ([[0.0, 1.0], [0.0, 1.0]], [((1,), 1.0)]),
        ([[0.0, 1.0], [1.0, 0.0], [0.0, 1.0]], [((1, 1), 1.0)]),
        # Equals are ordered by ids.
        ([[0.0, 0.25, 0.5, 0.25]], [((2,), 0.5), ((1,), 0.25), ((3,), 0.25)]),
    ],
)
def test_small_cases(probs, expected):
    found = search(log(probs))
    assert [h.ids for h in found] == [ids for ids, _ in expected]
    assert [math.exp(h.score) for h in found] == pytest.approx([p for _, p in expected])


def test_no_frames_are_the_empty_hypothesis():
    (only,) = search(np.empty((0, 3)))
    assert (only.ids, only.score, only.frames, only.confidences) == ((), 0.0, (), ())


@pytest.mark.parametrize("seed", range(30 * conftest.SCALE))
def test_an_exhaustive_beam_sums_every_path(seed):
    frames, labels = [(4, 3), (5, 2), (3, 4), (1, 3), (6, 3)][seed % 5]
    blank_id = seed % labels
    log_probs = ctc_oracles.random_log_probs(seed, frames, labels)
    expected = ctc_oracles.all_hypotheses(log_probs, blank_id)
    found = search(log_probs, blank_id=blank_id)
    assert {h.ids for h in found} == set(expected)
    assert [h.score for h in found] == sorted((h.score for h in found), reverse=True)
    for hypothesis in found:
        total, _, runs = expected[hypothesis.ids]
        assert hypothesis.score == pytest.approx(total, abs=1e-5)
        assert list(hypothesis.frames) == [first for _, first, _ in runs]
        assert hypothesis.confidences == pytest.approx(
            ctc_oracles.confidences(log_probs, runs), rel=1e-5
        )


@pytest.mark.parametrize("seed", range(20 * conftest.SCALE))
def test_impossible_labels_are_on_no_path(seed):
    generator = np.random.default_rng(seed)
    log_probs = ctc_oracles.random_log_probs(seed, 4, 3)
    possible = generator.random(log_probs.shape) < 0.6
    possible[np.arange(4), generator.integers(0, 3, 4)] = True
    log_probs[~possible] = -np.inf
    expected = ctc_oracles.all_hypotheses(log_probs, 0)
    found = search(log_probs)
    assert {h.ids for h in found} == set(expected)
    for hypothesis in found:
        assert hypothesis.score == pytest.approx(expected[hypothesis.ids][0], abs=1e-5)


@pytest.mark.parametrize("beam_size", [1, 2, 5])
@pytest.mark.parametrize("seed", range(10 * conftest.SCALE))
def test_a_narrow_beam_is_the_textbook_beam_over_all_labels(seed, beam_size):
    log_probs = ctc_oracles.random_log_probs(seed, 12, 20, sharp=1.5)
    expected = ctc_oracles.textbook_beam(log_probs, 3, beam_size)
    found = search(log_probs, blank_id=3, beam_size=beam_size)
    assert [h.ids for h in found] == [ids for ids, _ in expected]
    assert [math.exp(h.score) for h in found] == pytest.approx(
        [p for _, p in expected], rel=1e-4
    )


@pytest.mark.parametrize("beam_size", [1, 3, 4])
def test_equals_at_the_cut_are_the_lowest_ids(beam_size):
    uniform = np.full((3, 4), math.log(0.25))
    found = search(uniform, beam_size=beam_size)
    expected = ctc_oracles.textbook_beam(uniform, 0, beam_size)
    assert [h.ids for h in found] == [ids for ids, _ in expected]


def test_few_candidates_leave_the_unlikely_out():
    log_probs = log([[0.1, 0.5, 0.4], [0.6, 0.1, 0.3]])
    found = {h.ids for h in search(log_probs, candidates_per_frame=1)}
    assert found == {(), (1,), (2,), (1, 2)}
    assert (2, 1) in {h.ids for h in search(log_probs)}


@pytest.mark.parametrize(
    "laid_out",
    [
        np.asfortranarray,
        lambda scores: np.repeat(scores, 2, axis=0)[::2],
        lambda scores: np.ascontiguousarray(scores[:, ::-1])[:, ::-1],
    ],
    ids=["columns", "every other row", "backwards"],
)
def test_the_layout_of_the_scores_does_not_show(laid_out):
    log_probs = np.asarray(ctc_oracles.random_log_probs(7, 30, 10), np.float32)
    assert search(laid_out(log_probs), beam_size=5) == search(log_probs, beam_size=5)


def test_a_run_counts_from_its_first_frame_with_its_highest_posterior():
    log_probs = log([[0.1, 0.9], [0.3, 0.7], [0.01, 0.99], [0.8, 0.2]])
    best = search(log_probs, beam_size=10)[0]
    assert (best.ids, best.frames) == ((1,), (0,))
    assert best.confidences == pytest.approx((0.99,))
