"""The words of an output with times, from whatever it has of them."""

from oasr.engine import request as requests
from oasr.formats import segment_units
from oasr.formats import units as unit_lists


def units(output: requests.RequestOutput) -> list[unit_lists.Unit]:
    """Returns the words of an output, timed by its segments if it has no words.

    Raises:
      ValueError: if it has text and neither, or they are not those of its text.
    """
    if output.words is None and output.segments is not None:
        return segment_units.from_segments(output)
    return unit_lists.from_words(output)
