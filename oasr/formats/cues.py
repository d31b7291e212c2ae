"""Cues of subtitles from the words of a transcript, or from its segments.

Times of words are in seconds, those of cues in whole milliseconds.
"""

from collections.abc import Iterator, Sequence
import dataclasses
import itertools

from oasr.engine import request as requests
from oasr.formats import clock
from oasr.formats import lines
from oasr.formats import timed
from oasr.formats import units as unit_lists

# Guidelines of broadcasters and streaming services: five sixths of a second at
# least, seven seconds at most, and two frames of 24 a second between two cues, without
# which a viewer does not see that the text has changed.
MIN_MILLISECONDS = 833
MIN_GAP_MILLISECONDS = 84
MAX_SECONDS = 7.0
# What is said after so long a pause is a cue of its own.
MAX_PAUSE_SECONDS = 1.0

_Units = Sequence[unit_lists.Unit]


@dataclasses.dataclass(frozen=True)
class Cue:
    """What is shown at one time.

    Attributes:
      start: in milliseconds from the start of the audio.
      end: in milliseconds, after `start`.
      lines: one or two, none empty.
    """

    start: int
    end: int
    lines: tuple[str, ...]


def from_output(output: requests.RequestOutput) -> list[Cue]:
    """Returns the cues of an output in order; none overlaps the next.

    Raises:
      ValueError: if the output has text and neither words nor segments.
    """
    groups = list(phrases(timed.units(output)))
    cues: list[Cue] = []
    free = 0  # When the last cue is over.
    for group, following in itertools.zip_longest(groups, groups[1:]):
        start = max(clock.milliseconds(group[0].start), free)
        free = _end(start, group, following)
        cues.append(Cue(start, free, tuple(lines.split(group))))
    return cues


def phrases(units: _Units) -> Iterator[_Units]:
    """Yields the words of each cue."""
    begin = 0
    while begin < len(units):
        after = _after_cue(units, begin)
        yield units[begin:after]
        begin = after


def _end(start: int, group: _Units, following: _Units | None) -> int:
    """Returns when a cue is over: not too soon, and a gap before the next begins."""
    end = max(clock.milliseconds(group[-1].end), start + MIN_MILLISECONDS)
    end = min(end, start + round(MAX_SECONDS * 1000))
    if following is not None:
        room = clock.milliseconds(following[0].start) - start
        # Words may come so fast that a cue and a gap must share what time there is.
        end = min(end, start + room - min(MIN_GAP_MILLISECONDS, room // 2))
    return max(end, start + 1)


def _after_cue(units: _Units, begin: int) -> int:
    """Returns the place behind the cue that begins at `begin`."""
    for k in range(begin + 1, len(units)):
        last, after = units[k - 1], units[k]
        if after.start - last.end >= MAX_PAUSE_SECONDS:
            return k
        room = (after.start - units[begin].start) * 1000
        if last.ends_sentence and room >= MIN_MILLISECONDS + MIN_GAP_MILLISECONDS:
            return k
        too_long = after.end - units[begin].start > MAX_SECONDS
        if too_long or not lines.fits(units[begin : k + 1]):
            return begin + _best_end(units[begin:k])
    return len(units)


def _best_end(units: _Units) -> int:
    """Returns how many of `units`, which are full, are best shown together.

    That is up to the last end of a phrase in their second half, as far as marks tell or
    else the model does, or all of them.
    """
    phrases = [k for k, unit in enumerate(units, start=1) if unit.ends_phrase]
    segments = [k for k, unit in enumerate(units, start=1) if unit.ends_segment]
    half = unit_lists.width(units) / 2
    for ends in (phrases, segments):
        late = [k for k in ends if unit_lists.width(units[:k]) >= half]
        if late:
            return late[-1]
    return len(units)
