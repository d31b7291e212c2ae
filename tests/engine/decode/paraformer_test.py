"""Tests for paraformer: one shot, one hypothesis, spans from its fires."""

import numpy as np
import pytest

from oasr.engine import config as engine_config
from oasr.engine import request
from oasr.engine.decode import paraformer
from oasr.engine.decode import registry
from oasr.models import paraformer as paraformer_model
from tests import conftest
from tests.engine import models


def one_shot(scores, fires, frame_count=100):
    return paraformer_model.OneShot(scores=scores, fires=fires, frame_count=frame_count)


def likely(ids, labels=6):
    """Returns probabilities `[U, V]` in which `ids` are likely."""
    found = np.full((len(ids), labels), 0.2 / (labels - 1))
    found[np.arange(len(ids)), ids] = 0.8
    return found


def decode(shot, **fields):
    strategy = paraformer.Paraformer(**{"scores": "probs", **fields})
    prepared = strategy.prepare(shot)
    [[found]] = strategy.decode([prepared], [request.DecodingOptions(n_best=3)])
    return found


def test_a_token_owns_from_the_fire_before_to_its_own():
    found = decode(one_shot(likely([3, 4, 5]), [2.5, 4.0, 6.25]))
    assert found.ids == (3, 4, 5)
    assert found.spans == ((0.0, 2.5), (2.5, 4.0), (4.0, 6.25))
    assert found.frames == ()
    assert found.confidences == pytest.approx((0.8, 0.8, 0.8))
    assert found.score == pytest.approx(3 * np.log(0.8))


def test_dropped_ids_keep_their_frames_to_themselves():
    shot = one_shot(likely([1, 3, 2, 4, 2]), [1.0, 3.0, 5.0, 7.5, 9.0])
    found = decode(shot, drop_ids=[0, 1, 2])
    assert found.ids == (3, 4)
    assert found.spans == ((1.0, 3.0), (5.0, 7.5))
    assert len(found.confidences) == 2
    assert found.score == pytest.approx(5 * np.log(0.8))


@pytest.mark.parametrize("seed", range(30 * conftest.SCALE))
def test_the_best_label_of_each_row_is_taken(seed):
    rng = np.random.default_rng(seed)
    log_probs = models.log_softmax(rng.normal(size=(rng.integers(1, 9), 6)))
    fires = np.sort(rng.uniform(0, 100, size=len(log_probs)))
    found = decode(one_shot(log_probs, fires), scores="log_probs")
    best = [max(range(6), key=row.__getitem__) for row in log_probs.tolist()]
    assert found.ids == tuple(best)
    assert [end for _, end in found.spans] == fires.tolist()
    expected = [float(row[k]) for row, k in zip(log_probs, best, strict=True)]
    assert found.score == pytest.approx(sum(expected))
    assert found.confidences == pytest.approx(np.exp(expected))


@pytest.mark.parametrize("frame_count", [None, 7])
def test_tokens_whose_fires_are_not_known_have_no_times(frame_count):
    shot = one_shot(likely([3, 4, 1]), None, frame_count)
    found = decode(shot, drop_ids=[1])
    assert (found.ids, found.spans, found.frames) == ((3, 4), (), ())
    assert found.confidences == pytest.approx((0.8, 0.8))
    strategy = paraformer.Paraformer(scores="probs")
    prepared = strategy.prepare(shot)
    assert strategy.frame_count(prepared) == frame_count
    timed = request.DecodingOptions(word_timestamps=True)
    with pytest.raises(ValueError, match=r"need the fires .*OneShot\.fires, got none"):
        strategy.decode([prepared], [timed])


def test_no_tokens_are_the_empty_hypothesis():
    found = decode(one_shot(np.empty((0, 6)), [], 0))
    assert (found.ids, found.score, found.spans) == ((), 0.0, ())


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            [3],
            r"give an oasr\.models\.paraformer\.OneShot per utterance, got \[3\]",
        ),
        (one_shot(likely([3]) * 2, [1.0]), r"Row 0 of the scores sums to 2"),
        (one_shot(likely([3]) * np.nan, [1.0]), "must be finite or -inf"),
        (one_shot(likely([3])[0], [1.0]), "must have 2 dimensions"),
        (one_shot(likely([3, 4]), [1.0]), r"2 tokens need as many fires, .*\(1,\)"),
        (one_shot(likely([3, 4]), [[1.0, 2.0]]), r"as many fires, .* shape \(1, 2\)"),
        (one_shot(likely([3, 4]), [2.0, 1.0]), r"never decrease, got \[2\.0, 1\.0\]"),
        (one_shot(likely([3, 4]), [-1.0, 1.0]), "Fires must be frames from 0 to 100"),
        (one_shot(likely([3, 4]), [1.0, np.nan]), "Fires must be frames from 0 to"),
        (one_shot(likely([3, 4]), [1.0, 101.0]), "Fires must be frames from 0 to 100"),
        (one_shot(likely([3, 4]), ["a", "b"]), "Fires must be numbers"),
        (one_shot(likely([3]), [1.0], -1), r"OneShot\.frame_count must be an integer"),
        (
            one_shot(likely([3]), [1.0], None),
            r"OneShot\.frame_count must be an integer",
        ),
    ],
)
def test_impossible_output_is_refused(given, message):
    with pytest.raises(ValueError, match=message):
        paraformer.Paraformer(scores="probs").prepare(given)


def build(tokenizer=None, **options):
    config = engine_config.EngineConfig(
        family="paraformer", scores="probs", decode_options=options
    )
    return registry.build_decode_strategy(config, tokenizer=tokenizer)


class Tokenizer:
    """What the family asks of a tokenizer."""

    vocab_size = 6
    special_ids = frozenset({1, 2})


@pytest.mark.parametrize(
    ("tokenizer", "options", "ids"),
    [
        (None, {}, (1, 2, 3)),
        (None, {"drop_ids": [3]}, (0, 1, 2)),
        (Tokenizer(), {}, (0, 3)),
        (Tokenizer(), {"drop_ids": []}, (0, 1, 2, 3)),
    ],
)
def test_by_default_special_ids_are_dropped(tokenizer, options, ids):
    strategy = build(tokenizer, **options)
    shot = one_shot(likely([0, 1, 2, 3]), [1.0, 2.0, 3.0, 4.0])
    [[found]] = strategy.decode([strategy.prepare(shot)], [request.DecodingOptions()])
    assert found.ids == ids


@pytest.mark.parametrize("drop_ids", [3, [1.5], ["a"]])
def test_ids_to_drop_are_ids(drop_ids):
    with pytest.raises(ValueError, match=r"^decode_options\['drop_ids'\]: "):
        build(drop_ids=drop_ids)


def test_a_head_wider_than_the_vocabulary_is_said_once(caplog):
    strategy = build(Tokenizer())
    for _ in range(2):
        strategy.prepare(one_shot(likely([3], labels=8), [1.0]))
    [record] = caplog.records
    assert "8 labels and the tokenizer 6 ids" in record.getMessage()


def test_it_times_words_and_runs_offline():
    strategy = build()
    assert strategy.modes == {"offline"}
    assert strategy.honours("offline") == {"word_timestamps"}
    assert strategy.honours("streaming") == frozenset()
