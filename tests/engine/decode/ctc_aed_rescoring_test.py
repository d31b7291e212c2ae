"""Tests for ctc_aed_rescoring: WeNet's formula, by hand over the hypotheses of CTC."""

import math

import numpy as np
import pytest

from oasr.engine import config as engine_config
from oasr.engine import request
from oasr.engine.decode import base
from oasr.engine.decode import ctc
from oasr.engine.decode import ctc_aed_rescoring as rescoring
from oasr.models import rescoring as rescoring_model
from tests import conftest
from tests.engine import models
from tests.engine.decode import ctc_oracles


def decode(model, log_probs, n_best=1, **options):
    strategy = rescoring.CtcAedRescoring(
        model, options=rescoring.RescoringOptions(**options)
    )
    [encoded] = strategy.run_model(model, [log_probs])
    asked = request.DecodingOptions(n_best=n_best)
    [found] = strategy.decode([strategy.prepare(encoded)], [asked])
    return found


def attention(model, log_probs, ids, *, reverse):
    """Returns the sum of what one decoder says of the ids and of the end symbol."""
    memory = np.exp(log_probs).sum(axis=0)
    order = list(ids)[::-1] if reverse else list(ids)
    total, before = 0.0, model.end_id
    for token_id in [*order, model.end_id]:
        logits = (memory @ model._weights[int(reverse), before]).tolist()
        total += logits[token_id] - math.log(sum(map(math.exp, logits)))
        before = token_id
    return total


@pytest.mark.parametrize("ctc_weight", [0.0, 0.3, 2.0])
@pytest.mark.parametrize("reverse_weight", [0.0, 0.25, 1.0])
@pytest.mark.parametrize("seed", range(10 * conftest.SCALE))
def test_the_score_is_the_formula(seed, reverse_weight, ctc_weight):
    model = models.Rescoring(seed)
    log_probs = ctc_oracles.random_log_probs(seed, 5, 4, sharp=1.0)
    by_ctc = ctc_oracles.all_hypotheses(log_probs, 0)
    # A beam of all hypotheses finds each with all of its paths.
    found = decode(
        model,
        log_probs,
        n_best=1000,
        ctc_weight=ctc_weight,
        reverse_weight=reverse_weight,
    )
    assert {h.ids for h in found} == set(by_ctc)
    for hypothesis in found:
        forward = attention(model, log_probs, hypothesis.ids, reverse=False)
        backward = attention(model, log_probs, hypothesis.ids, reverse=True)
        expected = (
            ctc_weight * by_ctc[hypothesis.ids][0]
            + (1 - reverse_weight) * forward
            + reverse_weight * backward
        )
        assert hypothesis.score == pytest.approx(expected, abs=1e-3)
    scores = [h.score for h in found]
    assert scores == sorted(scores, reverse=True)


@pytest.mark.parametrize("seed", range(10 * conftest.SCALE))
def test_frames_and_confidences_are_those_of_ctc(seed):
    log_probs = ctc_oracles.random_log_probs(seed, 12, 4)
    strategy = ctc.Ctc(options=ctc.CtcOptions(search="prefix_beam", beam_size=6))
    asked = request.DecodingOptions(n_best=6)
    [proposed] = strategy.decode([log_probs], [asked])
    found = decode(models.Rescoring(seed), log_probs, n_best=6, beam_size=6)
    key = {h.ids: (h.frames, h.confidences) for h in proposed}
    assert {h.ids: (h.frames, h.confidences) for h in found} == key


def test_attention_can_prefer_what_ctc_does_not():
    log_probs = ctc_oracles.random_log_probs(2, 8, 4, sharp=0.5)
    [by_ctc] = decode(models.Rescoring(2), log_probs, ctc_weight=1e6)
    [by_both] = decode(models.Rescoring(2), log_probs)
    asked = request.DecodingOptions()
    strategy = ctc.Ctc(options=ctc.CtcOptions(search="prefix_beam"))
    assert by_ctc.ids == strategy.decode([log_probs], [asked])[0][0].ids
    assert by_both.ids != by_ctc.ids


def test_all_of_the_beam_is_rescored_whatever_is_asked_for():
    log_probs = ctc_oracles.random_log_probs(3, 12, 4)
    for n_best, beam_size, rescored in [(1, 5, 5), (3, 5, 5), (7, 5, 7)]:
        model = models.Rescoring(3)
        found = decode(model, log_probs, n_best=n_best, beam_size=beam_size)
        assert len(found) == n_best
        assert model.asked == [("left_to_right", rescored)]
    every = decode(models.Rescoring(3), log_probs, n_best=5, beam_size=5)
    assert decode(models.Rescoring(3), log_probs, beam_size=5) == every[:1]


@pytest.mark.parametrize(
    ("reverse_weight", "asked"),
    [
        (0.0, ["left_to_right"]),
        (0.5, ["left_to_right", "right_to_left"]),
        (1.0, ["right_to_left"]),
    ],
)
def test_a_decoder_without_weight_is_not_asked(reverse_weight, asked):
    model = models.Rescoring(3)
    log_probs = ctc_oracles.random_log_probs(3, 8, 4)
    decode(model, log_probs, reverse_weight=reverse_weight)
    assert [name for name, _ in model.asked] == asked


def test_one_decoder_is_enough_unless_the_other_has_weight():
    log_probs = ctc_oracles.random_log_probs(3, 8, 4)
    both = decode(models.Rescoring(3), log_probs, n_best=4)
    assert decode(models.LeftToRight(3), log_probs, n_best=4) == both
    with pytest.raises(TypeError, match=r"right_to_left\(memory, hypotheses\), an"):
        decode(models.LeftToRight(3), log_probs, reverse_weight=0.1)


def test_no_frames_are_the_empty_hypothesis_and_nothing_is_asked():
    model = models.Rescoring()
    assert [h.ids for h in decode(model, np.empty((0, 4), np.float32))] == [()]
    assert model.asked == []


def test_what_attention_holds_impossible_comes_last():
    class Sure(models.Rescoring):
        def left_to_right(self, memory, hypotheses):
            return [np.full(len(h) + 1, -np.inf if h else 0.0) for h in hypotheses]

    log_probs = ctc_oracles.random_log_probs(3, 4, 4)
    found = decode(Sure(), log_probs, n_best=4, beam_size=1000)
    assert found[0].ids == ()
    assert [h.score for h in found[1:]] == [-math.inf] * 3


def answer(change):
    """Returns a model whose decoder gives what `change` makes of the right answer."""

    class Changed(models.Rescoring):
        def left_to_right(self, memory, hypotheses):
            return change(super().left_to_right(memory, hypotheses))

    return Changed()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda rows: rows[1:], r"left_to_right must score each of 10 .*, gave 9"),
        (
            lambda rows: [row[1:] for row in rows],
            r"left_to_right, hypothesis 0: expected \d log-probabilities, one per id",
        ),
        (
            lambda rows: [*rows[:3], rows[3] * np.nan, *rows[4:]],
            r"left_to_right, hypothesis 3: a log-probability is at most 0, got nan",
        ),
        (lambda rows: [np.exp(row) for row in rows], "is at most 0, got 0."),
        (lambda rows: [row[None] for row in rows], "of shape"),
        (lambda rows: [row.astype(str) for row in rows], "expected .* got <U"),
    ],
)
def test_impossible_answers_are_refused(change, message):
    log_probs = ctc_oracles.random_log_probs(3, 8, 4)
    with pytest.raises(ValueError, match=message):
        decode(answer(change), log_probs)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            [3],
            r"give an oasr\.models\.rescoring\.Encoded per utterance, got \[3\]",
        ),
        (
            rescoring_model.Encoded(scores=np.ones((2, 4)), memory=None),
            "Row 0 of the scores sums to 10.8731",
        ),
        (
            rescoring_model.Encoded(scores=np.zeros((2, 1)), memory=None),
            "blank_id 1 is outside the 1 labels",
        ),
    ],
)
def test_impossible_encoder_output_is_refused(given, message):
    strategy = rescoring.CtcAedRescoring(models.Rescoring(), blank_id=1)
    with pytest.raises(ValueError, match=message):
        strategy.prepare(given)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"beam_size": 0}, r"'beam_size'\] must be an integer of at least 1"),
        ({"ctc_weight": -0.5}, r"'ctc_weight'\] must be a finite number at least 0"),
        ({"reverse_weight": 1.5}, r"'reverse_weight'\] must be .* at most 1, got 1.5"),
        ({"reverse_weight": float("nan")}, r"'reverse_weight'\] must be a finite"),
    ],
)
def test_settings_of_the_wrong_kind_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        rescoring.RescoringOptions(**options)


def test_chunks_give_what_the_whole_gives():
    for seed in range(10 * conftest.SCALE):
        model = models.Rescoring(seed)
        log_probs = ctc_oracles.random_log_probs(seed, 30, 4)
        strategy = rescoring.CtcAedRescoring(model)
        asked = request.DecodingOptions(n_best=4)
        stream, stable = strategy.new_stream(asked), ()
        rng = np.random.default_rng(seed)
        for chunk in np.split(log_probs, np.sort(rng.integers(0, 31, size=5))):
            [encoded] = strategy.run_model(model, [chunk])
            stream.feed(strategy.prepare(encoded))
            partial = stream.partial()
            assert partial.best.ids[: len(stable)] == stable
            stable = partial.best.ids[: partial.final_ids]
        whole = decode(model, log_probs, n_best=4)
        for again in (stream.finish(), stream.finish()):
            assert [h.ids for h in again] == [h.ids for h in whole]
            assert [h.score for h in again] == pytest.approx([h.score for h in whole])
            assert [h.frames for h in again] == [h.frames for h in whole]
        assert all(h.ids[: len(stable)] == stable for h in whole)


def test_partials_are_those_of_the_beam_and_attention_is_asked_at_the_end():
    model = models.Rescoring(1)
    log_probs = ctc_oracles.random_log_probs(1, 12, 4)
    strategy = rescoring.CtcAedRescoring(model)
    stream = strategy.new_stream(request.DecodingOptions())
    beam = ctc.Ctc(options=ctc.CtcOptions(search="prefix_beam")).new_stream(
        request.DecodingOptions()
    )
    for row in np.split(log_probs, 12):
        stream.feed(strategy.prepare(model.encode([row])[0]))
        beam.feed(row)
        assert stream.partial() == beam.partial()
    assert model.asked == []
    stream.finish()
    assert [direction for direction, _ in model.asked] == ["left_to_right"]


def test_a_stream_of_which_nothing_was_heard_asks_no_decoder():
    model = models.Rescoring(1)
    strategy = rescoring.CtcAedRescoring(model)
    stream = strategy.new_stream(request.DecodingOptions())
    [encoded] = model.encode([np.empty((0, 4), np.float32)])
    stream.feed(strategy.prepare(encoded))
    [found] = stream.finish()
    assert (found.ids, found.score, model.asked) == ((), 0.0, [])


def test_a_model_that_cannot_join_chunks_is_refused_in_streaming_mode():
    config = engine_config.EngineConfig(family="ctc_aed_rescoring", mode="streaming")
    with pytest.raises(TypeError, match=r"and join\(memories\), an oasr\.models"):
        rescoring.CtcAedRescoring.from_setup(
            base.StrategySetup(config, models.LeftToRight(1))
        )
    rescoring.CtcAedRescoring.from_setup(base.StrategySetup(config, models.Rescoring()))
