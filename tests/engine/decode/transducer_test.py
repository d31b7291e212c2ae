"""Tests for transducer: its searches against their definitions."""

import random

import numpy as np
import pytest

from oasr.engine import request
from oasr.engine.decode import transducer
from tests import conftest
from tests.engine import models
from tests.engine.decode import transducer_oracles as oracles

KINDS = [models.Stateless, models.Recurrent]
ALL = 10**6  # A beam that nothing falls out of.


def decode(model, frames, *, n_best=1, **options):
    """Returns the hypotheses of one utterance."""
    strategy = transducer.Transducer(
        model, options=transducer.TransducerOptions(**options)
    )
    asked = request.DecodingOptions(n_best=n_best)
    [found] = strategy.decode([strategy.prepare(frames)], [asked])
    return found


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("most", [1, 2, 5])
@pytest.mark.parametrize("seed", range(20 * conftest.SCALE))
def test_greedy_search_takes_the_best_label_until_it_is_blank(kind, most, seed):
    model, frames = kind(seed, labels=5), models.audio(seed, 12)
    [found] = decode(model, frames, search="greedy", max_symbols_per_frame=most)
    ids, score, emitted, confidences = oracles.greedy(model, frames, most)
    assert found.ids == tuple(ids)
    assert found.frames == tuple(emitted)
    assert found.score == pytest.approx(score, abs=1e-4)
    assert found.confidences == pytest.approx(confidences, abs=1e-5)


def test_greedy_search_meets_its_cap():
    model = models.Stateless(1, labels=5, blank_bias=-100.0)  # Blank is never best.
    [found] = decode(
        model, models.audio(1, 4), search="greedy", max_symbols_per_frame=3
    )
    assert found.frames == (0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(10 * conftest.SCALE))
def test_a_wide_beam_sums_over_all_ways(kind, seed):
    frames, labels = models.audio(seed, 1 + seed % 5), 2 + seed % 3
    model = kind(seed, labels=labels)
    expected = oracles.all_hypotheses(model, frames, labels)
    # There are at most four labels to the power of five frames.
    found = decode(model, frames, n_best=1024, beam_size=ALL, search="modified_beam")
    assert {h.ids for h in found} == set(expected)
    for hypothesis in found:
        score, emitted, confidences = expected[hypothesis.ids]
        assert hypothesis.score == pytest.approx(score, abs=1e-4)
        assert hypothesis.frames == tuple(emitted)
        assert hypothesis.confidences == pytest.approx(confidences, abs=1e-5)
    scores = [h.score for h in found]
    assert scores == sorted(scores, reverse=True)
    assert sum(np.exp(scores)) == pytest.approx(1, abs=1e-4)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("beam_size", [1, 2, 4, 7])
@pytest.mark.parametrize("seed", range(10 * conftest.SCALE))
def test_a_narrow_beam_keeps_what_the_definition_keeps(kind, beam_size, seed):
    model, frames = kind(seed, labels=5, blank_bias=1.0), models.audio(seed, 12)
    *_, live = oracles.modified_beam(model, frames, beam_size)
    expected = sorted(live.items(), key=lambda item: -item[1])
    found = decode(
        model, frames, n_best=beam_size, search="modified_beam", beam_size=beam_size
    )
    assert [h.ids for h in found] == [ids for ids, _ in expected]
    scores = [score for _, score in expected]
    assert [h.score for h in found] == pytest.approx(scores, abs=1e-4)
    for hypothesis in found:  # At most one token per frame.
        assert len(set(hypothesis.frames)) == len(hypothesis.ids)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(20 * conftest.SCALE))
def test_a_beam_of_one_is_greedy_with_one_symbol_per_frame(kind, seed):
    model, frames = kind(seed, labels=5), models.audio(seed, 15)
    greedy = decode(model, frames, search="greedy", max_symbols_per_frame=1)
    assert decode(model, frames, search="modified_beam", beam_size=1) == greedy


def test_the_beam_merges_what_it_kept_case_117():
    model, frames = models.Stateless(5, labels=3), models.audio(5, 6)
    found = decode(model, frames, n_best=8)
    assert len(found) > 1
    assert len({h.ids for h in found}) == len(found)
    assert [h.score for h in found] == sorted((h.score for h in found), reverse=True)


@pytest.mark.parametrize("n_best", [1, 3])
def test_by_default_the_beam_is_for_n_best(n_best):
    model, frames = models.Stateless(3, labels=5), models.audio(3, 10)
    search = "greedy" if n_best == 1 else "modified_beam"
    expected = decode(model, frames, n_best=n_best, search=search)
    assert decode(model, frames, n_best=n_best) == expected


def test_greedy_search_asks_the_joiner_once_per_step():
    model, frames = models.Stateless(2, labels=5, blank_bias=1.0), models.audio(2, 20)
    [found] = decode(model, frames, search="greedy", max_symbols_per_frame=3)
    emitted = [found.frames.count(frame) for frame in range(len(frames))]
    assert {0, 3} <= set(emitted)
    # A frame ends with a blank, unless the cap ends it.
    assert model.joined == sum(count + (count < 3) for count in emitted)


@pytest.mark.parametrize("search", ["greedy", "modified_beam"])
def test_no_frames_are_the_empty_hypothesis(search):
    model = models.Recurrent()
    found = decode(model, np.empty((0, 4), np.float32), search=search)
    assert [(h.ids, h.score, h.frames) for h in found] == [((), 0.0, ())]
    assert model.joined == 0


@pytest.mark.parametrize("form", ["log_probs", "probs", "logits"])
@pytest.mark.parametrize("search", ["greedy", "modified_beam"])
def test_the_form_of_the_joiners_scores_does_not_show(form, search):
    class Other(models.Stateless):
        def join(self, frames, predictions):
            log_probs = super().join(frames, predictions)
            if form == "probs":
                return np.exp(log_probs)
            return log_probs + 7 if form == "logits" else log_probs

    frames = models.audio(4, 10)
    options = transducer.TransducerOptions(search=search)
    strategy = transducer.Transducer(Other(4), scores=form, options=options)
    [[found]] = strategy.decode([frames], [request.DecodingOptions()])
    [expected] = decode(models.Stateless(4), frames, search=search)
    assert found.ids == expected.ids
    assert found.score == pytest.approx(expected.score, abs=1e-3)


def test_confidences_are_probabilities_when_rows_sum_to_a_little_more():
    class Rounded(models.Stateless):
        def join(self, frames, predictions):
            row = np.log(np.array([1e-6, 1.0005, 1e-6, 1e-6], np.float32))
            return np.tile(row, (len(frames), 1))

    for search in ("greedy", "modified_beam"):
        [found] = decode(
            Rounded(), models.audio(0, 3), search=search, max_symbols_per_frame=1
        )
        assert found.ids == (1, 1, 1)
        assert found.confidences == (1.0, 1.0, 1.0)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"search": "beam"},
            r"'search'\] must be one of \['greedy', 'modified_beam'\]",
        ),
        ({"beam_size": 0}, r"'beam_size'\] must be an integer of at least 1, got 0"),
        ({"max_symbols_per_frame": 1.5}, r"'max_symbols_per_frame'\] must be an int"),
    ],
)
def test_settings_of_the_wrong_kind_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        transducer.TransducerOptions(**options)


@pytest.mark.parametrize("size", [0, None, 2.5])
def test_a_stateless_predictor_has_a_context(size):
    model = models.Stateless()
    model.context_size = size
    with pytest.raises(
        ValueError, match=r"^Stateless\.context_size must be an integer"
    ):
        transducer.Transducer(model)


def test_honoured_options_are_said():
    model = models.Stateless()
    for search in (None, "greedy", "modified_beam"):
        strategy = transducer.Transducer(
            model, options=transducer.TransducerOptions(search=search)
        )
        for mode in ("offline", "streaming"):
            n_best = {"n_best"} if search != "greedy" else set()
            assert strategy.honours(mode) == {"word_timestamps"} | n_best
        assert strategy.honours("other") == frozenset()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("search", ["greedy", "modified_beam"])
def test_equal_input_gives_equal_output(kind, search):
    rng = random.Random(0)
    frames = models.audio(rng.randrange(100), 20)
    runs = [decode(kind(7, labels=6), frames, n_best=4, search=search) for _ in "ab"]
    assert runs[0] == runs[1]
