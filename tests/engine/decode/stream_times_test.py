"""Tests for stream_times: what is said chunk by chunk is what is said of the whole."""

import random

import numpy as np
import pytest

from oasr.engine.decode import alignment
from oasr.engine.decode import base
from oasr.engine.decode import stream_times
from oasr.engine.decode import streams
from tests import conftest

CLOCK = alignment.FrameClock(0.04)
MAX_FRAMES = 12.5


def partial(frames, confidences, final, **fields):
    ids = tuple(range(len(confidences)))
    best = base.Hypothesis(ids, -1.0, tuple(frames), tuple(confidences), **fields)
    return streams.Partial(best, final, final)


def whole(stands, clock, first_frame, frame_count):
    """Returns the fields of the hypothesis as it is, without a stream."""
    best = stands.best
    if best.ids and not best.frames:
        return alignment.unaligned_fields(best.ids, best.confidences)
    spans = alignment.emission_fields(
        best.frames,
        best.confidences,
        max_frames=MAX_FRAMES,
        frame_count=frame_count,
    )
    return alignment.alignment_fields(None, best.ids, spans.later(first_frame), clock)


@pytest.mark.parametrize("is_timed", [True, False])
@pytest.mark.parametrize("clock", [CLOCK, None])
@pytest.mark.parametrize("first_frame", [0, 70])
@pytest.mark.parametrize("seed", range(10 * conftest.SCALE))
def test_partials_say_what_the_whole_says(seed, first_frame, clock, is_timed):
    rng = random.Random(seed)
    times = stream_times.StreamTimes(clock, MAX_FRAMES, first_frame)
    frames, confidences, final = [], [], 0
    for _ in range(30):
        # What is not final may be another next time.
        del frames[final:], confidences[final:]
        for _ in range(rng.randrange(5)):
            last = frames[-1] if frames else 0
            frames.append(last + rng.choice([0, 1, 3, 40]))
            confidences.append(rng.random())
        final = rng.randint(final, len(confidences))
        count = frames[-1] + 1 if frames else 0
        stands = partial(frames if is_timed else [], confidences, final)
        found, expected = (
            times.fields(stands, count),
            whole(stands, clock, first_frame, count),
        )
        assert found["words"] is expected["words"] is None
        assert found["confidence"] == pytest.approx(expected["confidence"])
        assert found["timestamps"] == expected["timestamps"]


def test_what_was_given_out_is_never_changed():
    times = stream_times.StreamTimes(CLOCK, MAX_FRAMES)
    first = times.fields(partial([0], [0.5], 1), 9)["timestamps"]
    times.fields(partial([0, 2], [0.5, 0.5], 2), 9)
    assert first == [(0.0, 0.04)]


@pytest.mark.parametrize(
    "stands",
    [
        pytest.param(partial([0, 9], [0.5, 0.5], 2), id="behind the last frame"),
        pytest.param(partial([2, 1], [0.5, 0.5], 2), id="backwards"),
        pytest.param(partial([-1], [0.5], 1), id="before the first frame"),
        pytest.param(partial([0.0], [0.5], 1), id="no integer"),
        pytest.param(partial([np.int64(0)], [0.5], 1), id="a number of numpy"),
        pytest.param(partial([True], [0.5], 1), id="a boolean"),
        pytest.param(partial([0], [1], 1), id="a confidence that is no float"),
        pytest.param(partial([0], [1.5], 1), id="no probability"),
        pytest.param(partial([0], [float("nan")], 1), id="not a number"),
        pytest.param(partial([0, 1], [0.5], 1), id="frames of other tokens"),
        pytest.param(partial([], [0.5], 1, spans=((0, 1),)), id="spans"),
        pytest.param(partial([0], [0.5], 2), id="more that is final than there is"),
        pytest.param(
            streams.Partial(base.Hypothesis((3,), 0.0, (0,)), 1, 1),
            id="no confidences",
        ),
    ],
)
@pytest.mark.parametrize("final", [True, False])
def test_what_is_not_plain_is_left_to_others(stands, final):
    times = stream_times.StreamTimes(CLOCK, MAX_FRAMES)
    before = times.fields(partial([0], [0.5], 0), 9)
    if not final and stands.final_times <= len(stands.best.ids):
        stands = streams.Partial(stands.best, 0, 0)
    assert times.fields(stands, 9) is None
    assert times.fields(partial([0], [0.5], 1), 9) == before


def test_frames_that_come_late_are_left_to_others():
    times = stream_times.StreamTimes(CLOCK, MAX_FRAMES)
    assert times.fields(partial([], [0.5], 1), 9)["timestamps"] is None
    assert times.fields(partial([0, 1], [0.5, 0.5], 2), 9) is None
