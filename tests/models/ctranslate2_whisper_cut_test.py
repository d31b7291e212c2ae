"""Tests for ctranslate2_whisper_cut, against faster-whisper's split by timestamps."""

import itertools
import random
import types

from faster_whisper import transcribe
import pytest

from oasr.models import ctranslate2_whisper_cut as cutting
from tests import conftest

ZERO = 100  # Text below, timestamps from there on.


def at(seconds):
    return ZERO + round(seconds * 50)


def cut(*ids, size=3000):
    found = cutting.cut(ids, ZERO, size)
    return [(p.ids, p.start, p.end) for p in found.parts], found.size


def test_a_pair_ends_a_part_and_the_rest_is_heard_again():
    ids = (at(0), 1, 2, at(2), at(2), 3, at(4), at(4), 5)
    assert cut(*ids) == (
        [((at(0), 1, 2, at(2)), 0, 100), ((at(2), 3, at(4)), 100, 200)],
        400,
    )


def test_one_timestamp_alone_ends_the_window():
    ids = (at(0), 1, at(2), at(3), 2, at(4))
    assert cut(*ids, size=1000) == (
        [((at(0), 1, at(2)), 0, 100), ((at(3), 2, at(4)), 150, 200)],
        1000,
    )


@pytest.mark.parametrize(
    ("ids", "span"),
    [
        ((at(0), 1, at(3)), (0, 150)),
        ((at(1), 1, at(3)), (50, 150)),
        ((at(1), 1), (50, 500)),
        ((1, 2), (0, 500)),
        ((1, at(3)), (0, 150)),
        ((at(0), 1, at(0)), (0, 500)),
        ((), (0, 500)),
        ((at(7),), (350, 500)),
    ],
)
def test_without_a_pair_the_window_is_one_part(ids, span):
    assert cut(*ids, size=1000) == ([(ids, *span)], 1000)


@pytest.mark.parametrize("size", [1, 100, 3000])
def test_a_window_is_never_heard_again_from_its_start(size):
    assert cut(at(0), at(0), 1, size=size)[1] == size
    assert cut(1, at(0), at(0), 5, size=size)[1] == size
    # Nor is there anything behind its end.
    assert cut(at(0), 1, at(29), at(29), 5, size=100)[1] == 100


def reference(ids, size):
    """Returns the parts and the size by faster-whisper."""
    self = types.SimpleNamespace(time_precision=0.02, input_stride=2)
    tokenizer = types.SimpleNamespace(timestamp_begin=ZERO)
    segments, seek, _ = transcribe.WhisperModel._split_segments_by_timestamps(
        self, tokenizer, list(ids), 0.0, size, size / 100, 0
    )
    parts = [
        (tuple(s["tokens"]), round(s["start"] * 50, 6), round(s["end"] * 50, 6))
        for s in segments
    ]
    return parts, seek


def test_parts_are_those_of_faster_whisper():
    generator = random.Random(1)
    for _ in range(2000 * conftest.SCALE):
        ids, time = [], 0.0
        for _ in range(generator.randrange(1, 12)):
            time = round(time + generator.choice([0, 0.02, 1]), 2)
            ids += [at(time)] * generator.choice([0, 1, 1, 2])
            ids += [generator.randrange(ZERO)] * generator.choice([0, 1, 2])
        if not ids:
            continue
        parts, size = cut(*ids)
        expected, seek = reference(ids, 3000)
        assert [part[0] for part in parts] == [part[0] for part in expected]
        assert size == (seek if seek else 3000)
        pairs = any(a >= ZERO <= b for a, b in itertools.pairwise(ids))
        if pairs and ids[0] >= ZERO:  # Else it takes the window for the part.
            assert [part[1:] for part in parts] == [part[1:] for part in expected]
