"""Tests for ctc: greedy search from its definition, and the choice of search."""

import logging
import math

import numpy as np
import pytest

from oasr.engine import config as engine_config
from oasr.engine import request
from oasr.engine.decode import ctc
from oasr.engine.decode import ctc_streams
from oasr.engine.decode import registry
from tests import conftest
from tests.engine.decode import ctc_oracles
from tests.engine.decode import plain_prefix_beam


def one_hot(path, labels=4):
    """Returns scores in which `path` is nearly certain."""
    probs = np.full((len(path), labels), 0.1 / (labels - 1))
    probs[np.arange(len(path)), path] = 0.9
    return np.log(probs).astype(np.float32)


@pytest.mark.parametrize(
    ("path", "ids", "frames"),
    [
        ([0, 0], [], []),
        ([1], [1], [0]),
        ([1, 1, 2, 2], [1, 2], [0, 2]),
        ([0, 1, 0, 1, 1], [1, 1], [1, 3]),
        ([3, 0, 0, 2, 1], [3, 2, 1], [0, 3, 4]),
    ],
)
def test_repeats_merge_and_blanks_drop(path, ids, frames):
    found = ctc_streams.greedy(one_hot(path), blank_id=0)
    assert (list(found.ids), list(found.frames)) == (ids, frames)
    assert found.confidences == pytest.approx([0.9] * len(ids))
    assert found.score == pytest.approx(len(path) * math.log(0.9))


@pytest.mark.parametrize("seed", range(50 * conftest.SCALE))
def test_greedy_is_the_best_path_merged(seed):
    labels = 2 + seed % 5
    blank_id = seed % labels
    log_probs = ctc_oracles.random_log_probs(seed, 40, labels)
    path = [max(range(labels), key=row.__getitem__) for row in log_probs.tolist()]
    runs = ctc_oracles.merged(path, blank_id)
    found = ctc_streams.greedy(log_probs, blank_id=blank_id)
    assert list(found.ids) == [label for label, _, _ in runs]
    assert list(found.frames) == [first for _, first, _ in runs]
    assert found.confidences == pytest.approx(
        ctc_oracles.confidences(log_probs, runs), rel=1e-5
    )
    assert found.score == pytest.approx(
        sum(float(log_probs[t, label]) for t, label in enumerate(path)), rel=1e-5
    )


def test_ids_and_frames_are_plain_numbers():
    found = ctc_streams.greedy(one_hot([1, 0, 2]), blank_id=0)
    assert {type(x) for x in (*found.ids, *found.frames)} == {int}
    assert {type(x) for x in (found.score, *found.confidences)} == {float}


def test_a_confidence_is_at_most_one():
    slack = np.log(np.array([[0.0001, 1.0008]], dtype=np.float32))
    for n_best in (1, 2):
        ((best, *_),) = ctc.Ctc().decode(
            [slack], [request.DecodingOptions(n_best=n_best)]
        )
        assert best.confidences == (1.0,)


# The best path is blank twice, yet "1" is likelier over all paths.
DISAGREEING = np.log(np.array([[0.6, 0.4], [0.6, 0.4]], dtype=np.float32))


@pytest.mark.parametrize(
    ("options", "n_best", "ids"),
    [
        ({}, 1, [()]),
        ({}, 2, [(1,), ()]),
        ({"search": "greedy"}, 2, [()]),
        ({"search": "prefix_beam"}, 1, [(1,)]),
        ({"search": "prefix_beam", "beam_size": 1}, 2, [(1,), ()]),
        ({}, 9, [(1,), ()]),
    ],
)
def test_the_search_follows_options_and_n_best(options, n_best, ids):
    strategy = ctc.Ctc(options=ctc.CtcOptions(**options))
    (found,) = strategy.decode([DISAGREEING], [request.DecodingOptions(n_best=n_best)])
    assert [hypothesis.ids for hypothesis in found] == ids


def test_each_utterance_of_a_batch_has_its_own_options():
    asked = [request.DecodingOptions(n_best=n) for n in (1, 2, 1)]
    scores = [one_hot([1]), DISAGREEING, np.empty((0, 2), np.float32)]
    found = ctc.Ctc().decode(scores, asked)
    assert [[h.ids for h in n_best] for n_best in found] == [[(1,)], [(1,), ()], [()]]


def test_scores_are_read_in_the_form_of_the_deployment():
    probs = np.array([[0.25, 0.75]])
    expected = pytest.approx(np.log(probs), rel=1e-6)
    assert ctc.Ctc(scores="probs").prepare(probs) == expected
    assert ctc.Ctc(scores="logits").prepare(np.log(probs) + 7) == expected
    assert ctc.Ctc().prepare(np.log(probs)) == expected


def test_a_blank_outside_the_head_is_refused():
    with pytest.raises(
        ValueError,
        match=r"^blank_id 4 is outside the 4 labels of the scores; .* 0 to 3\.$",
    ):
        ctc.Ctc(blank_id=4).prepare(one_hot([1]))


def test_no_frames_have_no_head_to_be_outside_of():
    assert ctc.Ctc(blank_id=4).prepare(np.empty((0, 0))).shape == (0, 0)


@pytest.mark.parametrize(
    ("vocab_size", "blank_id", "said"),
    [(3, 0, 1), (4, 0, 0), (3, 3, 0), (2, 3, 1), (5, 0, 0), (None, 0, 0)],
)
def test_a_head_wider_than_the_vocabulary_is_said_once(
    vocab_size, blank_id, said, caplog
):
    strategy = ctc.Ctc(blank_id=blank_id, vocab_size=vocab_size)
    with caplog.at_level(logging.WARNING, logger="oasr.engine"):
        strategy.prepare(one_hot([1]))
        strategy.prepare(one_hot([1]))
    assert len(caplog.records) == said
    assert all("render to nothing" in record.message for record in caplog.records)


def test_n_best_is_honoured_where_the_search_can():
    assert ctc.Ctc().honours("offline") == {"n_best", "word_timestamps"}
    greedy = ctc.Ctc(options=ctc.CtcOptions(search="greedy"))
    assert greedy.honours("offline") == {"word_timestamps"}
    assert greedy.honours("streaming") == {"word_timestamps"}
    assert greedy.honours("sideways") == frozenset()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"beam": 3},
            r"Decode option of family 'ctc' 'beam' is unknown; valid are"
            r" \['beam_size', 'candidate_margin', 'candidates_per_frame', 'hotwords',"
            r" 'search'\]\.",
        ),
        (
            {"search": "best"},
            r"decode_options\['search'\] must be one of \['greedy', 'prefix_beam'\],"
            r" got 'best'\.",
        ),
        (
            {"beam_size": 0},
            r"decode_options\['beam_size'\] must be an integer of at least 1, got 0\.",
        ),
        (
            {"candidate_margin": 0},
            r"decode_options\['candidate_margin'\] must be .* above 0, got 0\.",
        ),
        (
            {"candidates_per_frame": True},
            r"decode_options\['candidates_per_frame'\] must be an .* got True\.",
        ),
    ],
)
def test_bad_options_are_named(options, message):
    config = engine_config.EngineConfig(decode_options=options)
    with pytest.raises(ValueError, match=f"^{message}$"):
        registry.build_decode_strategy(config)


@pytest.mark.parametrize("seed", range(10 * conftest.SCALE))
def test_the_beam_is_the_plain_search(seed):
    log_probs = ctc_oracles.random_log_probs(seed, 30, 12, sharp=1.5)
    plain = plain_prefix_beam.search(log_probs, blank_id=3, beam_size=5)
    strategy = ctc.Ctc(blank_id=3, options=ctc.CtcOptions(beam_size=5))
    (found,) = strategy.decode([log_probs], [request.DecodingOptions(n_best=5)])
    assert [h.ids for h in found] == [h.ids for h in plain]
    assert [h.frames for h in found] == [h.frames for h in plain]
    for one, other in zip(found, plain, strict=True):
        assert one.score == pytest.approx(other.score, abs=1e-5)
        assert one.confidences == pytest.approx(other.confidences, rel=1e-5)


def test_no_frames_are_the_empty_hypothesis():
    for n_best in (1, 3):
        asked = [request.DecodingOptions(n_best=n_best)]
        (found,) = ctc.Ctc().decode([np.empty((0, 4), np.float32)], asked)
        assert [(h.ids, h.score, h.frames) for h in found] == [((), 0.0, ())]


def test_a_margin_leaves_the_unlikely_out():
    probs = np.array([[0.1, 0.5, 0.4], [0.6, 0.1, 0.3]], np.float32)
    asked = [request.DecodingOptions(n_best=9)]
    found = {}
    for margin in (None, 0.25):  # 0.4 is 0.22 nats below 0.5, 0.3 is 0.69 below 0.6.
        strategy = ctc.Ctc(options=ctc.CtcOptions(candidate_margin=margin))
        (n_best,) = strategy.decode([np.log(probs)], asked)
        found[margin] = {hypothesis.ids for hypothesis in n_best}
    assert (1, 2) in found[None]
    assert found[0.25] == {(), (1,), (2,)}
