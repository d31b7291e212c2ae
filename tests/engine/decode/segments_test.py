"""Tests for segments: what is rendered is part of the text, and in order."""

import re

import pytest

from oasr.engine.decode import alignment
from oasr.engine.decode import detokenize
from oasr.engine.decode import segments
from oasr.models import token_segments

CLOCK = alignment.FrameClock(0.02)
TABLE = "<blank> 0\n<unk> 1\n<eos> 2\n▁one 3\n▁two 4\n▁𠀀 5\n▁ 6\n"


@pytest.fixture
def pieces(tmp_path):
    table = tmp_path / "units.txt"
    table.write_text(TABLE, encoding="utf-8")
    return detokenize.Detokenizer(unit_table=str(table))


def segment(first, stop, start, end, **more):
    return token_segments.TokenSegment(
        first=first, stop=stop, start=start, end=end, **more
    )


def test_segments_have_the_text_of_their_tokens(pieces):
    ids = [3, 4, 5, 99, 3]
    cut = [segment(0, 2, 0, 50), segment(2, 4, 50, 62.5), segment(4, 5, 100, 100)]
    found = segments.render(pieces, ids, cut, CLOCK)
    assert [one.text for one in found] == ["one two", "𠀀", "one"]
    assert [one.tokens for one in found] == [[3, 4], [5, 99], [3]]
    assert [(one.start, one.end) for one in found] == [(0, 1), (1, 1.25), (2, 2)]


def test_segments_without_text_are_left_out(pieces):
    cut = [segment(0, 0, 0, 1), segment(0, 1, 1, 2), segment(1, 2, 2, 3)]
    found = segments.render(pieces, [6, 3], cut, CLOCK)
    assert [one.text for one in found] == ["one"]
    assert segments.render(pieces, [], [segment(0, 0, 0, 1)], CLOCK) == []


def test_what_the_model_says_of_a_segment_is_kept(pieces):
    known = {"avg_logprob": -0.5, "no_speech_prob": 0.125, "temperature": 0.4}
    cut = [segment(0, 1, 0, 1, window_start=1500, **known)]
    (found,) = segments.render(pieces, [3], cut, CLOCK)
    assert {name: getattr(found, name) for name in known} == known
    assert found.window_start == 30


@pytest.mark.parametrize(
    ("cut", "message"),
    [
        ([segment(0, 3, 0, 1)], "got tokens 0 to 3 behind 0"),
        ([segment(1, 0, 0, 1)], "got tokens 1 to 0 behind 0"),
        ([segment(0, 2, 0, 1), segment(1, 2, 1, 2)], "got tokens 1 to 2 behind 2"),
        ([segment(0, 1, 2, 1)], "got 2 to 1 behind 0"),
        ([segment(0, 1, 2, 3), segment(1, 2, 1, 4)], "got 1 to 4 behind 2"),
        ([segment(0, 1, -1, 1)], "got -1 to 1 behind 0"),
        ([segment(0, 1, float("nan"), 1)], "got nan to 1 behind 0"),
    ],
)
def test_segments_that_cannot_be_are_refused(pieces, cut, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        segments.render(pieces, [3, 4], cut, CLOCK)
