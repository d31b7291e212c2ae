"""Tests for ctc_prefix_beam.search, against all paths and the textbook beam."""

import math

import numpy as np
import pytest

from oasr._native import ctc_prefix_beam
from tests import conftest
from tests.csrc import ctc_oracle

HALF = float(np.float32(math.log(0.5)))


def rows(*probabilities):
    with np.errstate(divide="ignore"):
        return np.log(np.array(probabilities, dtype=np.float32))


def found(log_probs, **options):
    options.setdefault("n_best", options.get("beam_size", 10))
    return ctc_prefix_beam.search(log_probs, **options)


def close(value):
    return pytest.approx(value, rel=1e-9, abs=1e-9)


def tiny(seed):
    """Returns a matrix of which all paths can be tried, and a blank."""
    rng = np.random.default_rng(seed)
    frames, labels = int(rng.integers(1, 7)), int(rng.integers(1, 5))
    if labels == 4:
        frames = min(frames, 5)
    log_probs = ctc_oracle.random_log_probs(
        rng,
        frames,
        labels,
        sharpness=rng.choice([0.3, 3, 30]),
        impossible=rng.choice([0, 0.3]),
    )
    return log_probs, int(rng.integers(labels))


@pytest.mark.parametrize("seed", range(150 * conftest.SCALE))
def test_a_wide_beam_finds_every_sequence_with_all_its_paths(seed):
    log_probs, blank_id = tiny(seed)
    paths = ctc_oracle.paths_by_ids(log_probs, blank_id)
    expected = {ids: ctc_oracle.total(of_ids) for ids, of_ids in paths.items()}
    hypotheses = found(log_probs, blank_id=blank_id, beam_size=5000)
    assert {h.ids: h.score for h in hypotheses} == {
        ids: close(score) for ids, score in expected.items()
    }
    ranked = [expected[h.ids] for h in hypotheses]
    assert ranked == [close(score) for score in sorted(ranked, reverse=True)]


@pytest.mark.parametrize("seed", range(150 * conftest.SCALE))
def test_frames_and_confidences_are_those_of_the_best_path(seed):
    log_probs, blank_id = tiny(seed)
    paths = ctc_oracle.paths_by_ids(log_probs, blank_id)
    for hypothesis in found(log_probs, blank_id=blank_id, beam_size=5000):
        best = max(score for score, _ in paths[hypothesis.ids])
        allowed = [
            ctc_oracle.emissions(log_probs, path, blank_id)
            for score, path in paths[hypothesis.ids]
            if score >= best - 1e-9 * max(1, abs(best))
        ]
        assert any(
            hypothesis.frames == frames and hypothesis.confidences == close(confidences)
            for frames, confidences in allowed
        )


@pytest.mark.parametrize("seed", range(60 * conftest.SCALE))
def test_result_is_that_of_trying_every_label(seed):
    rng = np.random.default_rng(seed)
    labels = int(rng.integers(2, 51))
    log_probs = ctc_oracle.random_log_probs(
        rng,
        int(rng.integers(1, 13)),
        labels,
        sharpness=rng.choice([0.1, 1, 3, 30]),
        impossible=rng.choice([0, 0, 0.5, 0.95]),
    )
    options = {
        "blank_id": int(rng.integers(labels)),
        "beam_size": int(rng.integers(1, 21)),
    }
    expected = ctc_oracle.prefix_beam(log_probs, **options)
    hypotheses = found(log_probs, **options)
    assert [h.ids for h in hypotheses] == [ids for ids, _ in expected]
    assert [h.score for h in hypotheses] == [close(score) for _, score in expected]


@pytest.mark.parametrize("seed", range(40 * conftest.SCALE))
def test_equal_labels_are_ordered_by_id(seed):
    """Columns come several times, so that prefixes tie to the last bit."""
    rng = np.random.default_rng(seed)
    columns = ctc_oracle.random_log_probs(rng, 8, int(rng.integers(2, 5)))
    log_probs = columns[:, rng.integers(columns.shape[1], size=9)]
    log_probs = np.ascontiguousarray(log_probs)
    options = {
        "blank_id": int(rng.integers(9)),
        "beam_size": int(rng.integers(1, 21)),
    }
    expected = ctc_oracle.prefix_beam(log_probs, **options)
    assert [h.ids for h in found(log_probs, **options)] == [i for i, _ in expected]


@pytest.mark.parametrize("beam_size", [1, 3, 10])
def test_flat_rows_are_all_ties(beam_size):
    log_probs = np.full((7, 6), math.log(1 / 6), dtype=np.float32)
    expected = ctc_oracle.prefix_beam(log_probs, blank_id=0, beam_size=beam_size)
    hypotheses = found(log_probs, beam_size=beam_size)
    assert [h.score for h in hypotheses] == [close(score) for _, score in expected]
    ranked = [(-round(h.score, 9), h.ids) for h in hypotheses]
    assert ranked == sorted(ranked)


@pytest.mark.parametrize("seed", range(40 * conftest.SCALE))
def test_fewer_candidates_limit_new_prefixes_only(seed):
    rng = np.random.default_rng(seed)
    log_probs = ctc_oracle.random_log_probs(rng, 8, 12, impossible=0.2)
    count, margin = int(rng.integers(1, 5)), float(rng.choice([0, 0.5, 2]))
    blank_id = int(rng.integers(12))

    def among_the_best(row, label):
        order = sorted((-value, k) for k, value in enumerate(row) if k != blank_id)
        return label in [k for _, k in order[:count]]

    def within_the_margin(row, label):
        return row[label] >= row.max() - np.float32(margin)

    options = {"blank_id": blank_id, "beam_size": 6}
    for may_extend, limit in [
        (among_the_best, {"candidates_per_frame": count}),
        (within_the_margin, {"candidate_margin": margin}),
    ]:
        expected = ctc_oracle.prefix_beam(log_probs, may_extend=may_extend, **options)
        hypotheses = found(log_probs, **options, **limit)
        assert [(h.ids, h.score) for h in hypotheses] == [
            (ids, close(score)) for ids, score in expected
        ]


@pytest.mark.parametrize("sharpness", [1, 10, 300])
def test_scores_of_a_long_utterance_stay_exact(sharpness):
    """Its probability is far below what a double holds."""
    rng = np.random.default_rng(2)
    log_probs = ctc_oracle.random_log_probs(rng, 1500, 6, sharpness=sharpness)
    log_probs -= 2
    expected = ctc_oracle.prefix_beam(log_probs, blank_id=0, beam_size=5)
    hypotheses = found(log_probs, beam_size=5)
    assert [h.ids for h in hypotheses] == [ids for ids, _ in expected]
    assert [h.score for h in hypotheses] == [
        pytest.approx(score, rel=1e-11) for _, score in expected
    ]
    assert hypotheses[0].score < -3000


@pytest.mark.parametrize("mask", [-1e4, -1e9, -1e30, float(np.finfo("f4").min)])
def test_masked_labels_are_less_likely_than_all_others(mask):
    log_probs = rows([0.25, 0.75, 1], [0.5, 0.5, 1])
    log_probs[:, 2] = mask
    hypotheses = found(log_probs, beam_size=100)
    assert [h.ids for h in hypotheses[:2]] == [(1,), ()]
    assert all(2 in h.ids for h in hypotheses[2:])
    expected = ctc_oracle.prefix_beam(log_probs, blank_id=0, beam_size=100)
    assert {h.ids: h.score for h in hypotheses} == {
        ids: close(score) for ids, score in expected
    }


@pytest.mark.parametrize(
    ("log_probs", "expected"),
    [
        pytest.param(np.zeros((0, 0), np.float32), [((), 0.0)], id="no frames"),
        pytest.param(np.zeros((0, 5), np.float32), [((), 0.0)], id="T = 0"),
        pytest.param(rows([1], [1]), [((), 0.0)], id="V = 1 is only blank"),
        pytest.param(rows([0, 1]), [((1,), 0.0)], id="one possible path"),
        pytest.param(rows([0, 1], [1, 0], [0, 1]), [((1, 1), 0.0)], id="a blank parts"),
        pytest.param(rows([0, 1], [0, 1]), [((1,), 0.0)], id="repeats merge"),
        pytest.param(
            rows([0.5, 0.5]),
            [((), HALF), ((1,), HALF)],
            id="beam wider than V^T",
        ),
    ],
)
def test_documented_results(log_probs, expected):
    hypotheses = found(log_probs)
    assert [(h.ids, h.score) for h in hypotheses] == [
        (ids, close(score)) for ids, score in expected
    ]
    assert all(h.boosted == h.score for h in hypotheses)


def test_beam_of_one_can_miss_what_a_beam_of_two_finds():
    log_probs = rows([0.4, 0.35, 0.25], [0.4, 0.35, 0.25])
    assert [h.ids for h in found(log_probs, beam_size=1)] == [()]
    assert [h.ids for h in found(log_probs, beam_size=2)] == [(1,), ()]


def test_frames_start_a_run_and_confidence_is_its_highest():
    log_probs = rows([0.9, 0.1], [0.4, 0.6], [0.2, 0.8], [0.7, 0.3], [0.1, 0.9])
    best = found(log_probs)[0]
    assert (best.ids, best.frames) == ((1, 1), (1, 4))
    assert best.confidences == pytest.approx((0.8, 0.9), rel=1e-6)
