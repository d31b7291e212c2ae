"""Cuts a transcript at its timestamp tokens."""

from collections.abc import Sequence
import dataclasses

from oasr.engine.decode import timestamp_rules


@dataclasses.dataclass(frozen=True)
class Segment:
    """A part of a transcript between two timestamps.

    Attributes:
      start: in seconds; None if no timestamp went before.
      end: in seconds; None if none followed.
      ids: of the text.
    """

    start: float | None
    end: float | None
    ids: tuple[int, ...]


def cut(ids: Sequence[int], first_timestamp_id: int) -> list[Segment]:
    """Returns the segments with text, in order.

    Args:
      ids: of one hypothesis.
      first_timestamp_id: that of 0 s; the next ones follow at 0.02 s each.
    """
    found: list[Segment] = []
    start: float | None = None
    text: list[int] = []
    for token_id in ids:
        if token_id < first_timestamp_id:
            text.append(token_id)
            continue
        count = token_id - first_timestamp_id
        time = round(count * timestamp_rules.SECONDS_PER_TIMESTAMP, 2)
        if text:
            found.append(Segment(start, time, tuple(text)))
        start, text = time, []
    if text:
        found.append(Segment(start, None, tuple(text)))
    return found
