"""Segments of an output, for the formats that list them."""

from oasr.engine import request as requests
from oasr.formats import cues
from oasr.formats import units as unit_lists


def of(output: requests.RequestOutput) -> list[requests.Segment]:
    """Returns the segments of an output, or one for the words of each cue.

    Raises:
      ValueError: if the output has text and neither words nor segments.
    """
    if output.segments is not None:
        return output.segments
    return [
        requests.Segment(
            text=unit_lists.text(group),
            start=group[0].start,
            end=max(group[0].start, group[-1].end),
            tokens=[],
        )
        for group in cues.phrases(unit_lists.from_words(output))
    ]
