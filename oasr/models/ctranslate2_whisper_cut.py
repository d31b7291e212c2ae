"""Cuts what was written of one window at its timestamps, and says where to go on.

The rules are those of openai-whisper's `transcribe.py`. Shapes: N ids of a window.
"""

from collections.abc import Sequence
import dataclasses

# 10 ms of the spectrogram to a frame of 20 ms, which is what a timestamp counts.
MEL_FRAMES = 2


@dataclasses.dataclass(frozen=True)
class Part:
    """What was said between two timestamps.

    Attributes:
      ids: with the timestamps around them.
      start: in frames of 20 ms from the start of the window.
      end: in frames, as `start`.
    """

    ids: tuple[int, ...]
    start: float
    end: float


@dataclasses.dataclass(frozen=True)
class Cut:
    """What one window gave.

    Attributes:
      parts: in order; what was left unfinished at its end is in none of them.
      size: how much of the window they are, in frames of the spectrogram.
    """

    parts: tuple[Part, ...]
    size: int


def cut(ids: Sequence[int], first_timestamp_id: int, size: int) -> Cut:
    """Returns the parts of a window, and how much of it they are.

    Two timestamps in a row end one part and begin the next. What follows the last such
    pair is unfinished: the next window begins at that time, and hears it whole. One
    timestamp alone at the end says that nobody speaks after it, so all of the window
    is done; so it is if there is no pair.

    Args:
      ids: `[N]`, as they were written, without the end of text.
      first_timestamp_id: that of 0 s.
      size: of the window, in frames of the spectrogram.
    """
    marks = [token_id >= first_timestamp_id for token_id in ids]
    stops = [k for k in range(1, len(ids)) if marks[k] and marks[k - 1]]
    if not stops:
        return Cut((_whole(ids, first_timestamp_id, size),), size)
    ends_alone = marks[-1] and not marks[-2]
    if ends_alone:
        stops.append(len(ids))
    parts = tuple(
        Part(
            tuple(ids[start:stop]),
            max(0, ids[start] - first_timestamp_id),
            ids[stop - 1] - first_timestamp_id,
        )
        for start, stop in zip([0, *stops], stops, strict=False)
    )
    if ends_alone:
        return Cut(parts, size)
    done = (ids[stops[-1] - 1] - first_timestamp_id) * MEL_FRAMES
    # A pair at 0 s would have the window heard again for ever.
    return Cut(parts, done if 0 < done < size else size)


def _whole(ids: Sequence[int], first_timestamp_id: int, size: int) -> Part:
    times = [token_id for token_id in ids if token_id >= first_timestamp_id]
    start, end = 0.0, size / MEL_FRAMES
    if times and times[0] == ids[0]:
        start = times.pop(0) - first_timestamp_id
    if times and times[-1] != first_timestamp_id:
        end = times[-1] - first_timestamp_id
    return Part(tuple(ids), start, max(start, end))
