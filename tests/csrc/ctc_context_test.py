"""Tests for ContextGraph: phrases a search is asked to prefer."""

import numpy as np
import pytest

from oasr._native import ctc_prefix_beam
from tests import conftest
from tests.csrc import ctc_oracle


def completed(phrases, ids):
    """Returns what phrases in `ids` earn for good: each occurrence, wherever."""
    return sum(
        boost * len(phrase)
        for phrase, boost in phrases.items()
        for k in range(len(ids))
        if ids[k : k + len(phrase)] == phrase
    )


def partial(phrases, ids):
    """Returns what the end of `ids` earns as a beginning of a phrase."""
    return max(
        boost * heard
        for phrase, boost in phrases.items()
        for heard in range(len(phrase))
        if ids[len(ids) - heard :] == phrase[:heard]
    )


def earned(phrases, ids):
    return completed(phrases, ids) + partial(phrases, ids)


def random_phrases(rng, labels):
    """Returns phrases over the labels but the last, which is blank."""
    return {
        tuple(rng.integers(labels - 1, size=rng.integers(1, 4)).tolist()): float(
            rng.choice([0.25, 1.5, 4])
        )
        for _ in range(rng.integers(1, 6))
    }


def search(log_probs, phrases, **options):
    graph = ctc_prefix_beam.ContextGraph(list(phrases.items()))
    options.setdefault("n_best", options["beam_size"])
    blank_id = log_probs.shape[1] - 1
    return ctc_prefix_beam.search(
        log_probs, context=graph, blank_id=blank_id, **options
    )


def close(value):
    return pytest.approx(value, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("seed", range(60 * conftest.SCALE))
def test_search_is_the_textbook_beam_ranked_by_what_is_earned(seed):
    rng = np.random.default_rng(seed)
    labels = int(rng.choice([3, 5, 20]))
    log_probs = ctc_oracle.random_log_probs(rng, 9, labels, sharpness=2)
    phrases = random_phrases(rng, min(labels, 6))
    beam_size = int(rng.integers(1, 15))
    expected = ctc_oracle.prefix_beam(
        log_probs,
        blank_id=labels - 1,
        beam_size=beam_size,
        earned=lambda ids: earned(phrases, ids),
    )
    boosted = {ids: score + completed(phrases, ids) for ids, score in expected}
    hypotheses = search(log_probs, phrases, beam_size=beam_size)
    assert {h.ids: h.score for h in hypotheses} == {
        ids: close(score) for ids, score in expected
    }
    assert {h.ids: h.boosted for h in hypotheses} == {
        ids: close(score) for ids, score in boosted.items()
    }
    ranked = [boosted[h.ids] for h in hypotheses]
    assert ranked == [close(score) for score in sorted(ranked, reverse=True)]


@pytest.mark.parametrize("seed", range(30 * conftest.SCALE))
def test_fewer_candidates_hold_for_phrases_too(seed):
    rng = np.random.default_rng(seed)
    log_probs = ctc_oracle.random_log_probs(rng, 8, 10)
    phrases = random_phrases(rng, 10)
    expected = ctc_oracle.prefix_beam(
        log_probs,
        blank_id=9,
        beam_size=5,
        earned=lambda ids: earned(phrases, ids),
        may_extend=lambda row, label: np.sum(row[:9] > row[label]) < 3,
    )
    hypotheses = search(log_probs, phrases, beam_size=5, candidates_per_frame=3)
    assert {h.ids for h in hypotheses} == {ids for ids, _ in expected}


def test_a_phrase_wins_over_what_sounds_alike():
    log_probs = np.log(
        np.array([[0.01, 0.5, 0.4, 0.09], [0.9, 0.04, 0.03, 0.03]], np.float32)
    )
    graph = ctc_prefix_beam.ContextGraph([([2], 1.0)])
    plain = ctc_prefix_beam.search(log_probs)[0]
    preferred = ctc_prefix_beam.search(log_probs, context=graph)[0]
    assert (plain.ids, preferred.ids) == ((1,), (2,))
    assert preferred.boosted == close(preferred.score + 1)
    assert preferred.confidences == pytest.approx((0.4,))


def test_a_phrase_that_stops_half_way_earns_nothing():
    log_probs = np.log(np.array([[0.02, 0.5, 0.48]], np.float32))
    graph = ctc_prefix_beam.ContextGraph([([2, 1], 1.0)])
    best = ctc_prefix_beam.search(log_probs, context=graph)[0]
    assert (best.ids, best.boosted) == ((1,), best.score)


def test_no_phrases_change_nothing():
    log_probs = ctc_oracle.random_log_probs(np.random.default_rng(0), 20, 8)
    plain = ctc_prefix_beam.search(log_probs, n_best=10)
    empty = ctc_prefix_beam.search(
        log_probs, n_best=10, context=ctc_prefix_beam.ContextGraph([])
    )
    assert [(h.ids, h.score) for h in plain] == [(h.ids, h.score) for h in empty]


@pytest.mark.parametrize(
    ("phrases", "message"),
    [
        ([([], 1.0)], r"phrases\[0\] is empty; expected at least one id"),
        ([([1], 1.0), ([-1], 1.0)], r"phrases\[1\] holds the id -1; expected 0 to"),
        ([([1], 0.0)], r"phrases\[0\] has the boost 0.0.*; expected a finite number"),
        ([([1], float("nan"))], r"phrases\[0\] has the boost nan"),
        ([([1], float("inf"))], r"phrases\[0\] has the boost inf"),
    ],
)
def test_bad_phrases_are_named(phrases, message):
    with pytest.raises(ValueError, match=message):
        ctc_prefix_beam.ContextGraph(phrases)


def test_blank_in_a_phrase_is_refused():
    graph = ctc_prefix_beam.ContextGraph([([3, 0], 1.0)])
    with pytest.raises(ValueError, match="A phrase holds blank_id 0; expected ids"):
        ctc_prefix_beam.CtcPrefixBeam(context=graph)


def test_an_id_that_is_no_label_is_refused():
    graph = ctc_prefix_beam.ContextGraph([([7], 1.0)])
    beam = ctc_prefix_beam.CtcPrefixBeam(context=graph)
    with pytest.raises(ValueError, match="A phrase holds the id 7; expected 0 to 3"):
        beam.feed(np.zeros((1, 4), np.float32))
