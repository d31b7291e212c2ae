"""Tests that sessions leave no memory behind, not even garbage to be collected."""

import gc
import logging
import tracemalloc

import numpy as np
import pytest

from oasr import engine
from oasr.engine.decode import streams
from oasr.engine.decode import token_search
from oasr.engine.executor import running
from oasr.engine.executor import session
from tests.engine import models

SESSIONS = 1000
AT_ONCE = 40
# What Python may keep for the next objects, in bytes a session; one that stayed would
# have more than a thousand.
ALLOWED = 64 * SESSIONS
KEPT = (
    engine.Request,
    engine.RequestOutput,
    running.Running,
    session.Session,
    streams.DecodeStream,
    token_search.TokenSearch,
)
BROKEN = "no audio"
TOKENS = {"start_ids": [8], "end_ids": [0], "steps_per_tick": 1}
AUDIO = models.log_softmax(models.audio(1, 2, size=4))


class Countdown:
    """Counts from the audio down to 0; a state is where it stands."""

    def encode(self, inputs):
        if BROKEN in inputs:
            raise RuntimeError("no memory")
        return [range(given) for given in inputs]

    def prefill(self, encoded, prompts):
        states = [len(audio) for audio in encoded]
        return self._scores(states), states

    def step(self, states, ids):
        states = [state - 1 for state in states]
        return self._scores(states), states

    def select(self, states, rows):
        return [states[row] for row in rows]

    def _scores(self, states):
        scores = np.full((len(states), 9), 0.0125)
        scores[np.arange(len(states)), states] = 0.9
        return scores


def groups(count):
    names = [f"s{number}" for number in range(count)]
    return [names[first : first + AT_ONCE] for first in range(0, count, AT_ONCE)]


def stream(asr, options, count):
    """Runs sessions side by side; every 8th is aborted, every 8th fails."""
    for names in groups(count):
        for name in names:
            asr.add_request(engine.Request(name, None, options))
            asr.feed_chunk(name, AUDIO[:1])
        outputs = asr.step()
        for place, name in enumerate(names):
            if place % 8 == 0:
                assert asr.abort_request(name)
                continue
            asr.feed_chunk(name, BROKEN if place % 8 == 4 else AUDIO[1:])
            asr.finalize(name)
        outputs += asr.step()
        assert not asr.has_unfinished_requests()
        assert sum(output.finished for output in outputs) == len(names) * 7 // 8
        assert sum(output.error is not None for output in outputs) == len(names) // 8


def write(asr, options, count):
    """Runs requests token by token; every 8th is aborted, every 8th fails."""
    for names in groups(count):
        outputs = []
        for place, name in enumerate(names):
            given = BROKEN if place % 8 == 4 else 4 + place % 4
            asr.add_request(engine.Request(name, given, options))
            if place % 8 == 0:
                outputs += asr.step()
                assert asr.abort_request(name)
        while asr.has_unfinished_requests():
            outputs += asr.step()
        assert sum(output.finished for output in outputs) == len(names) * 7 // 8
        assert sum(output.error is not None for output in outputs) == len(names) // 8


def left_behind(run):
    """Returns the bytes and the objects that stay, and the garbage of a run."""
    run(2 * AT_ONCE)  # What is made once is made.
    tracemalloc.start()
    run(SESSIONS // 2)
    known = objects()
    gc.collect()
    gc.disable()
    try:
        before = tracemalloc.get_traced_memory()[0]
        run(SESSIONS)
        kept = objects() - known
        garbage = gc.collect()  # This empties Python's own free lists, too.
        return tracemalloc.get_traced_memory()[0] - before, kept, garbage
    finally:
        gc.enable()
        tracemalloc.stop()


def objects():
    return sum(isinstance(one, KEPT) for one in gc.get_objects())


@pytest.mark.parametrize(
    ("fields", "model", "run"),
    [
        ({"mode": "streaming"}, None, stream),
        (
            {"mode": "streaming", "endpointing": {"utterance_seconds": 0.04}},
            None,
            stream,
        ),
        ({"family": "transducer", "mode": "streaming"}, models.Stateless(), stream),
        (
            {"family": "aed", "decode_options": TOKENS},
            Countdown(),
            write,
        ),
    ],
    ids=["ctc", "endpoints", "transducer", "aed"],
)
@pytest.mark.parametrize("n_best", [1, 2])
def test_sessions_leave_nothing_behind(fields, model, run, n_best, caplog):
    caplog.set_level(logging.ERROR, logger="oasr.engine")  # Records would be kept.
    scores = "probs" if run is write else "log_probs"
    config = engine.EngineConfig(scores=scores, seconds_per_frame=0.04, **fields)
    with engine.ASREngine(config, model) as asr:
        bytes_left, objects_left, garbage = left_behind(
            lambda count: run(asr, {"n_best": n_best}, count)
        )
    assert objects_left == garbage == 0
    assert bytes_left < ALLOWED
