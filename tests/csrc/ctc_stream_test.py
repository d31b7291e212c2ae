"""Tests for CtcPrefixBeam: chunks, what is stable, and memory."""

import concurrent.futures
import itertools
import os

import numpy as np
import pytest

from oasr._native import ctc_prefix_beam
from tests import conftest
from tests.csrc import ctc_oracle

BEAM = 6


def facts(hypotheses):
    return [(h.ids, h.score, h.boosted, h.frames, h.confidences) for h in hypotheses]


def utterance(seed, frames=40, labels=9):
    """Returns scores of peaks that come and go."""
    rng = np.random.default_rng(seed)
    return ctc_oracle.random_log_probs(
        rng, frames, labels, sharpness=rng.choice([1, 6])
    )


@pytest.mark.parametrize("seed", range(60 * conftest.SCALE))
def test_chunks_give_what_the_whole_gives(seed):
    log_probs = utterance(seed)
    rng = np.random.default_rng(seed)
    cuts = sorted(rng.integers(0, len(log_probs) + 1, size=rng.integers(0, 12)))
    context = None
    if seed % 2:
        context = ctc_prefix_beam.ContextGraph([([1, 2], 1.0), ([2, 2, 3], 0.5)])
    beam = ctc_prefix_beam.CtcPrefixBeam(beam_size=BEAM, context=context)
    for start, end in zip([0, *cuts], [*cuts, len(log_probs)], strict=True):
        beam.feed(log_probs[start:end])
        whole = ctc_prefix_beam.search(
            log_probs[:end], n_best=BEAM, beam_size=BEAM, context=context
        )
        assert facts(beam.n_best(BEAM)) == facts(whole)
        assert facts([beam.best()]) == facts(whole[:1])
        assert beam.frames == end


@pytest.mark.parametrize("seed", range(30 * conftest.SCALE))
def test_stable_ids_are_all_that_is_shared_and_never_change(seed):
    log_probs = utterance(seed, frames=80)
    beam = ctc_prefix_beam.CtcPrefixBeam(beam_size=BEAM)
    settled = ()
    for row in log_probs:
        beam.feed(row[np.newaxis])
        live = [h.ids for h in beam.n_best(BEAM)]
        shared = os.path.commonprefix(live)
        assert beam.stable_length == len(shared)
        assert shared[: len(settled)] == settled
        settled = shared


def test_a_fresh_beam_holds_the_empty_hypothesis():
    beam = ctc_prefix_beam.CtcPrefixBeam()
    beam.feed(np.zeros((0, 4), np.float32))
    assert facts(beam.n_best(10)) == [((), 0.0, 0.0, (), ())]
    assert (beam.frames, beam.stable_length) == (0, 0)


def distinct_prefixes(sequences):
    """Returns how many prefixes, the empty one included, some sequences have."""
    ordered = sorted(sequences)
    shared = [len(os.path.commonprefix(pair)) for pair in itertools.pairwise(ordered)]
    return 1 + sum(map(len, ordered)) - sum(shared)


@pytest.mark.parametrize("sharpness", [4, 30])
def test_memory_is_bounded_by_the_live_hypotheses(sharpness):
    """20,000 frames leave no more behind than the prefixes and paths that live."""
    rng = np.random.default_rng(5)
    beam = ctc_prefix_beam.CtcPrefixBeam(beam_size=10)
    for _ in range(200):
        beam.feed(ctc_oracle.random_log_probs(rng, 100, 8, sharpness=sharpness))
        live = [h.ids for h in beam.n_best(10)]
        prefixes = distinct_prefixes(live)
        # A prefix has two paths; all of them share the emissions of what is settled
        # up to where its times are not.
        settled = beam.stable_length
        emissions = settled + 2 * sum(len(ids) - settled + 20 for ids in live)
        assert prefixes < beam.node_count <= prefixes + emissions
    assert beam.frames == 20_000
    assert beam.stable_length > 5_000


def test_silence_holds_nothing():
    beam = ctc_prefix_beam.CtcPrefixBeam(beam_size=1)
    silence = np.log(np.full((20_000, 4), [0.97, 0.01, 0.01, 0.01], np.float32))
    beam.feed(silence)
    assert (beam.node_count, beam.best().ids) == (1, ())


def test_searches_run_at_once_in_threads():
    scores = [utterance(seed, frames=200, labels=60) for seed in range(16)]
    expected = [facts(ctc_prefix_beam.search(s, n_best=10)) for s in scores]
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        found = pool.map(lambda s: facts(ctc_prefix_beam.search(s, n_best=10)), scores)
        assert list(found) == expected
