"""Tests for timing: frames of an utterance, seconds of the audio."""

import pytest

from oasr.engine import config as engine_config
from oasr.engine.decode import base
from oasr.engine.decode import detokenize
from oasr.engine.decode import streams
from oasr.engine.executor import timing
from oasr.models import token_segments

BEST = base.Hypothesis((5, 7), -1.0, (0, 40), (0.5, 1.0))


def timing_of(seconds_per_frame=0.5, **fields):
    config = engine_config.EngineConfig(seconds_per_frame=seconds_per_frame, **fields)
    return timing.Timing(detokenize.Detokenizer(), config)


def test_a_token_owns_the_frames_since_the_one_before_and_its_own():
    found = timing_of().fields(BEST, 41, words=True)
    assert found["timestamps"] == [(0.0, 0.5), (20.0, 20.5)]
    assert [(word.word, word.start) for word in found["words"]] == [("5", 0), ("7", 20)]
    assert found["confidence"] == 0.75


def test_times_count_from_the_start_of_the_audio():
    found = timing_of().fields(BEST, 41, first_frame=10, words=True)
    assert found["timestamps"] == [(5.0, 5.5), (25.0, 25.5)]
    assert [word.start for word in found["words"]] == [5, 25]
    spans = base.Hypothesis((5,), 0.0, spans=((0.5, 1.0),))
    assert timing_of().fields(spans, 2, first_frame=4)["timestamps"] == [(2.25, 2.5)]


def test_the_first_frame_counts_in_streams_words_and_segments():
    clock = timing_of()
    times = clock.new_stream_times(first_frame=10)
    found = times.fields(streams.Partial(BEST, 2, 2), 41)
    assert found["timestamps"] == [(5.0, 5.5), (25.0, 25.5)]
    assert [word.start for word in clock.words(BEST, 41, first_frame=10)] == [5, 25]
    segment = token_segments.TokenSegment(first=0, stop=2, start=1, end=40)
    cut = base.Hypothesis((5, 7), -1.0, segments=(segment,))
    [found] = clock.segments(cut, first_frame=10)
    assert (found.start, found.end, found.window_start) == (5.5, 25.0, 5.0)


def test_without_a_clock_there_are_no_times():
    clock = timing_of(None)
    assert clock.fields(BEST, 41)["timestamps"] is None
    assert clock.seconds(7) is None
    with pytest.raises(ValueError, match="Word timings need the seconds of a frame"):
        clock.fields(BEST, 41, words=True)


def test_tokens_whose_frames_are_not_known_have_a_confidence_only():
    unknown = base.Hypothesis((5, 7), -1.0, confidences=(0.5, 1.0))
    found = timing_of().fields(unknown, None)
    assert found == {"timestamps": None, "words": None, "confidence": 0.75}
    with pytest.raises(ValueError, match=r"need the frame of each of 2 tokens, got no"):
        timing_of().words(unknown, None)
    assert timing_of().words(base.Hypothesis((), 0.0), 0) == []
