"""Tests for transducer streams: chunks of any size give what the whole gives."""

import gc
import itertools
import random

import numpy as np
import pytest

from oasr.engine import request
from oasr.engine.decode import transducer
from oasr.engine.decode import transducer_prefixes
from tests import conftest
from tests.engine import models
from tests.engine.decode import transducer_oracles as oracles

KINDS = [models.Stateless, models.Recurrent]


def chunks_of(rng, frames):
    """Cuts frames at random places; some chunks have none."""
    cuts = sorted(rng.randrange(len(frames) + 1) for _ in range(rng.randrange(8)))
    edges = [0, *cuts, len(frames)]
    return [frames[a:b] for a, b in itertools.pairwise(edges)]


def strategy_of(model, **options):
    return transducer.Transducer(model, options=transducer.TransducerOptions(**options))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("search", ["greedy", "modified_beam"])
@pytest.mark.parametrize("seed", range(15 * conftest.SCALE))
def test_chunks_give_what_the_whole_gives(seed, search, kind):
    model, frames = kind(seed, labels=5, blank_bias=1.0), models.audio(seed, 25)
    asked = request.DecodingOptions(n_best=4 if search == "modified_beam" else 1)
    strategy = strategy_of(model, search=search)
    [whole] = strategy.decode([frames], [asked])
    stream, stable = strategy.new_stream(asked), ()
    for chunk in chunks_of(random.Random(seed), frames):
        stream.feed(chunk)
        partial = stream.partial()
        assert partial.best.ids[: len(stable)] == stable
        stable = partial.best.ids[: partial.final_ids]
        assert len(stable) == partial.final_ids
        if search == "greedy":
            assert stable == partial.best.ids
    assert stream.finish() == stream.finish() == whole
    assert all(row.ids[: len(stable)] == stable for row in whole)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(15 * conftest.SCALE))
def test_final_is_what_all_that_is_live_begins_with(seed, kind):
    model, frames = kind(seed, labels=5, blank_bias=1.0), models.audio(seed, 15)
    strategy = strategy_of(model, search="modified_beam", beam_size=3)
    stream = strategy.new_stream(request.DecodingOptions())
    lives = oracles.modified_beam(model, frames, 3)
    for frame, live in zip([None, *frames], lives, strict=True):
        stream.feed([] if frame is None else frame[None])
        partial = stream.partial()
        assert partial.best.ids == max(live, key=live.get)
        assert partial.final_ids == oracles.shared_length(live)


def test_some_of_a_long_stream_is_final_before_its_end():
    model = models.Stateless(1, labels=5, blank_bias=1.0)
    stream = strategy_of(model).new_stream(request.DecodingOptions(n_best=4))
    stream.feed(models.audio(1, 200))
    partial = stream.partial()
    assert 0 < partial.final_ids <= len(partial.best.ids)
    assert len(partial.best.ids) - partial.final_ids < 30


def prefixes():
    """Returns the prefixes that are alive."""
    gc.collect()
    return [o for o in gc.get_objects() if type(o) is transducer_prefixes.Prefix]


def test_what_fell_out_of_the_beam_leaves_no_memory():
    model = models.Recurrent(1, labels=5, blank_bias=1.0)
    others = len(prefixes())
    stream = strategy_of(model).new_stream(request.DecodingOptions(n_best=4))
    for chunk in np.array_split(models.audio(1, 1000), 50):
        stream.feed(chunk)
    final = stream.partial().final_ids
    found = prefixes()
    # The shared ids once, the rest once per hypothesis at most, and no ids at all.
    rest = sum(len(row.ids) - final for row in stream.finish())
    assert len(found) - others <= final + rest + 1
    assert sum(one.prediction is not None for one in found) <= 4
    del stream, found
    assert len(prefixes()) == others


def test_a_frame_that_fails_is_named_from_the_start_of_the_stream():
    class Failing(models.Stateless):
        def join(self, frames, predictions):
            return super().join(frames, predictions) * np.where(
                frames[:1, :1] > 9, 2, 1
            )

    frames = models.audio(0, 6)
    frames[4, 0] = 10
    stream = strategy_of(Failing()).new_stream(request.DecodingOptions())
    stream.feed(frames[:3])
    with pytest.raises(
        ValueError, match=r"^Frame 4: The joiner's output: Row 0 of the"
    ):
        stream.feed(frames[3:])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("search", ["greedy", "modified_beam"])
def test_a_stream_of_which_nothing_was_heard_is_empty(search, kind):
    stream = strategy_of(kind(), search=search).new_stream(request.DecodingOptions())
    stream.feed(np.empty((0, 4), np.float32))
    partial = stream.partial()
    assert (partial.best.ids, partial.best.score, partial.final_ids) == ((), 0.0, 0)
    assert [h.ids for h in stream.finish()] == [()]
