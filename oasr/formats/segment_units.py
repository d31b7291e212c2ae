"""Words of a transcript that has segments only, each timed within its segment."""

from collections.abc import Iterator

import numpy as np
from rich import cells

from oasr._native import word_grouping
from oasr.engine import request as requests
from oasr.formats import places
from oasr.formats import units as unit_lists


def from_segments(output: requests.RequestOutput) -> list[unit_lists.Unit]:
    """Returns the words of the segments of an output in the order of its text.

    A segment has but one start and one end, so a word gets a part of the time between
    them, as long as the part of the text that it is.

    Raises:
      ValueError: if the segments are not those of its text.
    """
    segments = output.segments or []
    found: list[unit_lists.Unit] = []
    spans = places.of([segment.text for segment in segments], output, what="segment")
    before = 0
    for k, (segment, (begin, end)) in enumerate(zip(segments, spans, strict=True)):
        until = segment.end
        if k + 1 < len(segments):  # Nothing is shown twice where two overlap.
            until = min(until, segments[k + 1].start)
        found += _units(segment, until=until, blank=begin > before)
        before = end
    return found


def _units(
    segment: requests.Segment, *, until: float, blank: bool
) -> Iterator[unit_lists.Unit]:
    words, place = _words(segment.text), 0
    if not words:
        return
    edges = np.cumsum([0, *(max(1, cells.cell_len(word)) for word in words)])
    times = segment.start + (max(until, segment.start) - segment.start) * (
        edges / edges[-1]
    )
    for k, word in enumerate(words):
        begin = segment.text.find(word, place)
        yield unit_lists.Unit(
            word,
            begin > place if k else blank,
            float(times[k]),
            float(times[k + 1]),
            ends_segment=k + 1 == len(words),
        )
        place = begin + len(word)


def _words(text: str) -> list[str]:
    """Returns the words of a text as word timings cut them."""
    lends, times = np.zeros(1, np.bool_), np.zeros(1)
    return [
        word for word, *_ in word_grouping.group_pieces([text], lends, times, times)
    ]
