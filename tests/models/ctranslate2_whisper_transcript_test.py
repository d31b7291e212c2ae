"""Tests for ctranslate2_whisper_transcript, against all choices there are."""

import itertools
import math
import random

import pytest

from oasr.models import ctranslate2_whisper_alignment as alignment
from oasr.models import ctranslate2_whisper_transcript as transcript
from tests import conftest


def aligned(*ids, probability=0.5, spans=None):
    return alignment.Aligned(
        ids,
        tuple(spans or [(10.0 * k, 10.0 * k + 5) for k in range(len(ids))]),
        (probability,) * len(ids),
    )


def window(start, *alternatives, segments=(), seconds=30, **fields):
    return transcript.Window(
        start=start,
        stop=start + seconds * 100,
        alternatives=alternatives,
        segments=segments,
        **fields,
    )


def join(*windows, n_best=1, frame_count=1e6, language="en"):
    return transcript.join(
        windows, n_best=n_best, frame_count=frame_count, language=language
    )


def test_no_window_is_an_empty_transcript():
    [found] = join(n_best=3)
    assert (found.ids, found.score, found.spans, found.segments) == ([], 0, [], [])


def test_times_are_of_the_audio():
    segment = transcript.Segment(tokens=2, start=0, end=25)
    [found] = join(
        window(0, aligned(1, 2), segments=[segment]),
        window(
            1250,
            aligned(3, 4),
            segments=[segment],
            avg_logprob=-0.5,
            no_speech_prob=0.25,
            temperature=0.2,
        ),
    )
    assert found.ids == [1, 2, 3, 4]
    assert found.spans == [(0, 5), (10, 15), (625, 630), (635, 640)]
    assert [(s.first, s.stop, s.start, s.end) for s in found.segments] == [
        (0, 2, 0, 25),
        (2, 4, 625, 650),
    ]
    last = found.segments[1]
    assert (last.avg_logprob, last.no_speech_prob) == (-0.5, 0.25)
    assert (last.temperature, last.window_start) == (0.2, 625)
    assert found.language == "en"


def test_times_never_run_backwards_nor_out_of_the_audio():
    segment = transcript.Segment(tokens=1, start=0, end=1500)
    [found] = join(
        window(0, aligned(1, spans=[(100.0, 900.0)]), segments=[segment]),
        window(1000, aligned(2, spans=[(0.0, 10.0)]), segments=[segment]),
        window(1600, aligned(3, spans=[(150.0, 500.0)]), segments=[segment]),
        frame_count=950.5,
    )
    assert found.spans == [(100, 900), (900, 900), (950, 950.5)]
    assert [(s.start, s.end) for s in found.segments] == [
        (0, 950.5),
        (500, 950.5),
        (800, 950.5),
    ]


def all_choices(windows):
    """Returns (score, ids) of each choice there is."""
    for choice in itertools.product(*(w.alternatives for w in windows)):
        ids = tuple(i for one in choice for i in one.ids)
        score = sum(math.log(p) for one in choice for p in one.confidences)
        yield score, ids


@pytest.mark.parametrize("seed", range(20 * conftest.SCALE))
def test_the_best_choices_are_found(seed):
    generator = random.Random(seed)
    word = itertools.count()
    windows = [
        window(
            3000 * place,
            *(
                aligned(next(word), probability=generator.uniform(0.1, 0.9))
                for _ in range(generator.randint(1, 4))
            ),
        )
        for place in range(generator.randint(1, 5))
    ]
    n_best = generator.randint(1, 6)
    found = join(*windows, n_best=n_best)
    best = sorted(all_choices(windows), reverse=True)[:n_best]
    for one, (score, ids) in zip(found, best, strict=True):
        assert tuple(one.ids) == ids
        assert one.score == pytest.approx(score)


def test_two_choices_of_the_same_ids_are_one_hypothesis():
    windows = [
        window(0, aligned(1), aligned(1, 2)),
        window(3000, aligned(2, 3), aligned(3)),
    ]
    found = join(*windows, n_best=4)
    assert [tuple(one.ids) for one in found] == [(1, 3), (1, 2, 3), (1, 2, 2, 3)]
    assert [one.score for one in found] == pytest.approx(
        [math.log(0.5) * n for n in (2, 3, 4)]
    )


def test_other_hypotheses_are_cut_where_their_words_were_said():
    segments = [
        transcript.Segment(tokens=2, start=0, end=25),
        transcript.Segment(tokens=1, start=25, end=40),
    ]
    spans = [(0.0, 5.0), (10.0, 12.0), (20.0, 30.0), (25.0, 30.0), (31.0, 39.0)]
    other = aligned(4, 5, 6, 7, 8, probability=0.9, spans=spans)
    found = join(window(1000, aligned(1, 2, 3), other, segments=segments), n_best=2)
    assert [tuple(one.ids) for one in found] == [(4, 5, 6, 7, 8), (1, 2, 3)]
    assert [[(s.first, s.stop) for s in one.segments] for one in found] == [
        [(0, 3), (3, 5)],
        [(0, 2), (2, 3)],
    ]
    assert {(s.start, s.end) for s in found[0].segments} == {(500, 525), (525, 540)}
