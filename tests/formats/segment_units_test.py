"""Tests for segment_units: words that share the time of their segment."""

import itertools

import numpy as np
import pytest

from oasr import engine
from oasr.engine import request as requests
from oasr.formats import segment_units
from oasr.formats import timed
from oasr.formats import units
from tests import conftest
from tests.formats import transcripts


def test_a_word_lasts_as_long_as_it_is_wide():
    output = transcripts.segmented((" ab abcd", 1.0, 4.0), (" 你好", 5.0, 7.0))
    assert segment_units.from_segments(output) == [
        units.Unit("ab", False, 1.0, 2.0),
        units.Unit("abcd", True, 2.0, 4.0, ends_segment=True),
        units.Unit("你", True, 5.0, 6.0),
        units.Unit("好", False, 6.0, 7.0, ends_segment=True),
    ]


def test_no_time_is_shared_where_segments_overlap():
    output = transcripts.segmented((" ab", 0.0, 3.0), (" cd", 2.0, 4.0))
    times = [(one.start, one.end) for one in segment_units.from_segments(output)]
    assert times == [(0.0, 2.0), (2.0, 4.0)]


def test_segments_without_a_blank_between_them_are_shown_without():
    found = segment_units.from_segments(
        transcripts.segmented(("你好。", 0, 1), ("世界", 1, 2))
    )
    assert units.text(found) == "你好。世界"


def test_a_segment_without_words_shows_nothing():
    output = transcripts.segmented((" ab", 0.0, 1.0), ("", 1.0, 2.0), (" c", 2.0, 3.0))
    with np.errstate(all="raise"):
        found = segment_units.from_segments(output)
    assert [one.text for one in found] == ["ab", "c"]


@pytest.mark.parametrize("seed", range(200 * conftest.SCALE))
def test_words_are_those_of_the_text_and_in_the_time_of_their_segments(seed):
    output = transcripts.random_segments(seed)
    found = segment_units.from_segments(output)
    assert units.text(found) == " ".join(output.text.split())
    edges = [edge for one in found for edge in (one.start, one.end)]
    assert edges == sorted(edges)
    assert sum(one.ends_segment for one in found) == len(output.segments)
    closed = [k for k, one in enumerate(found, start=1) if one.ends_segment]
    for segment, (first, stop) in zip(
        output.segments, itertools.pairwise([0, *closed]), strict=True
    ):
        assert found[first].start == segment.start
        assert found[stop - 1].end <= segment.end + 1e-9


@pytest.mark.parametrize("text", ["world", "hello there world", "hello world more"])
def test_segments_of_another_text_are_refused(text):
    output = transcripts.segmented(("hello", 0, 1), (" world", 1, 2), text=text)
    with pytest.raises(ValueError, match=r"the segment '(hello|world)'|no segment for"):
        segment_units.from_segments(output)


def test_words_are_taken_before_segments():
    words = [requests.WordTiming("hello", 0.25, 0.5)]
    both = transcripts.segmented(("hello", 0, 1), words=words)
    assert timed.units(both) == [units.Unit("hello", False, 0.25, 0.5)]
    with pytest.raises(ValueError, match="has no words"):
        timed.units(engine.RequestOutput("a", text="hello"))
