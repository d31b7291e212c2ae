"""Tests for ctc_prefix_beam.greedy, against its definition."""

import itertools
import math

import numpy as np
import pytest

from oasr._native import ctc_prefix_beam
from tests import conftest
from tests.csrc import ctc_oracle


def definition(log_probs, blank_id):
    """Returns (ids, frames, confidences, score): merge repeats, then drop blanks."""
    path = [min(range(len(row)), key=lambda v: (-row[v], v)) for row in log_probs]
    score = math.fsum(row[v] for row, v in zip(log_probs, path, strict=True))
    ids, frames, confidences = [], [], []
    for label, run in itertools.groupby(enumerate(path), key=lambda item: item[1]):
        run_frames = [frame for frame, _ in run]
        if label != blank_id:
            ids.append(label)
            frames.append(run_frames[0])
            highest = max(log_probs[frame, label] for frame in run_frames)
            confidences.append(min(1.0, math.exp(highest)))
    return tuple(ids), tuple(frames), tuple(confidences), score


@pytest.mark.parametrize("seed", range(100 * conftest.SCALE))
def test_greedy_is_its_definition(seed):
    rng = np.random.default_rng(seed)
    labels = int(rng.choice([1, 2, 7, 31, 32, 33, 63, 64, 100, 511, 512, 513, 1100]))
    log_probs = ctc_oracle.random_log_probs(
        rng,
        int(rng.integers(0, 30)),
        labels,
        sharpness=rng.choice([0.1, 1, 30]),
        impossible=rng.choice([0, 0.9]),
    )
    if seed % 2:  # Whole numbers, so that many labels of a row are equal.
        log_probs = np.floor(log_probs)
    blank_id = int(rng.integers(labels))
    hypothesis = ctc_prefix_beam.greedy(log_probs, blank_id=blank_id)
    ids, frames, confidences, score = definition(log_probs, blank_id)
    assert hypothesis.ids == ids
    assert hypothesis.frames == frames
    assert hypothesis.confidences == pytest.approx(confidences, rel=1e-9)
    assert hypothesis.score == pytest.approx(score, rel=1e-9, abs=1e-9)
    assert hypothesis.boosted == hypothesis.score


@pytest.mark.parametrize("labels", [5, 32, 40, 130, 700])
def test_every_label_can_be_the_best(labels):
    for label in range(labels):
        log_probs = np.full((1, labels), -9.0, dtype=np.float32)
        log_probs[0, label:] = -1.0
        blank_id = 0 if label else labels - 1
        hypothesis = ctc_prefix_beam.greedy(log_probs, blank_id=blank_id)
        assert hypothesis.ids == (label,)


@pytest.mark.parametrize("seed", range(20))
def test_greedy_is_the_best_path_of_the_beam(seed):
    """Where each frame has one likely label, the best sequence follows them."""
    rng = np.random.default_rng(seed)
    log_probs = ctc_oracle.random_log_probs(rng, 50, 20, sharpness=100)
    greedy = ctc_prefix_beam.greedy(log_probs)
    best = ctc_prefix_beam.search(log_probs, beam_size=1)[0]
    assert (best.ids, best.frames) == (greedy.ids, greedy.frames)
    assert best.confidences == greedy.confidences


def test_no_frames_are_the_empty_hypothesis():
    hypothesis = ctc_prefix_beam.greedy(np.zeros((0, 0), np.float32))
    assert (hypothesis.ids, hypothesis.score) == ((), 0.0)


def test_huge_values_whose_sum_overflows_are_no_error():
    log_probs = np.full((1, 40), 3e38, dtype=np.float32)
    log_probs[0, 35] = 3.1e38
    assert ctc_prefix_beam.greedy(log_probs).ids == (35,)
