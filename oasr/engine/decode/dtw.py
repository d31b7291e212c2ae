"""When tokens were said, by the attention of heads that follow the audio.

Shapes: H heads, N rows, T frames.
"""

from collections.abc import Sequence
import itertools

import numpy as np
from numpy import typing as npt

Float64 = npt.NDArray[np.float64]


def token_spans(
    attention: npt.ArrayLike, *, frame_count: int, median_width: int
) -> list[tuple[float, float]]:
    """Returns where each token begins and ends, in frames.

    As Whisper does it: the weights of each frame are standardised over the rows,
    smoothed over time by a median, and averaged over the heads; the cheapest path
    through them says when each row begins.

    Args:
      attention: `[H, N + 1, T]`, what the heads look at as each token is written, and
        in the last row as the end is.
      frame_count: how many of the T frames there really are.
      median_width: in frames, odd.

    Returns:
      For each of the N tokens (begin, end); a token ends where the next begins.

    Raises:
      ValueError: if the weights are of another shape, or not finite.
    """
    weights = np.asarray(attention, np.float64)
    if weights.ndim != 3 or weights.shape[0] == 0 or weights.shape[1] == 0:
        raise ValueError(
            f"Attention must be a [H, N + 1, T] array, got shape {weights.shape}."
        )
    weights = weights[:, :, :frame_count]
    if weights.shape[2] == 0 or not np.isfinite(weights).all():
        raise ValueError(
            "Attention must be finite weights of one frame at least, got shape"
            f" {weights.shape}."
        )
    spread = weights.std(axis=1, keepdims=True)
    spread[spread == 0] = 1  # A frame that all rows see alike says nothing.
    standard = (weights - weights.mean(axis=1, keepdims=True)) / spread
    smooth = running_median(standard, median_width).mean(axis=0)
    rows, frames = cheapest_path(-smooth)
    begins = [frames[rows.index(row)] for row in range(len(smooth))]
    return [(float(begin), float(end)) for begin, end in itertools.pairwise(begins)]


def running_median(values: Float64, width: int) -> Float64:
    """Returns the median of `width` neighbours of each value of the last axis.

    The ends are continued as in a mirror that stands on the last value; shorter axes
    stay as they are.
    """
    margin = width // 2
    if values.shape[-1] <= margin:
        return values
    around = [(0, 0)] * (values.ndim - 1) + [(margin, margin)]
    padded = np.pad(values, around, mode="reflect")
    windows = np.lib.stride_tricks.sliding_window_view(padded, width, axis=-1)
    medians: Float64 = np.median(windows, axis=-1)
    return medians


def cheapest_path(costs: Float64) -> tuple[list[int], list[int]]:
    """Returns the rows and the columns of the cheapest path through `[N, T]` costs.

    It leads from the first cell to the last, each step to the next row, the next
    column or both. Of equal ways a cell is reached by both, then from the row above.
    """
    rows, columns = costs.shape
    # Cells of one antidiagonal depend on the two before it only: totals[row] of each.
    came = np.zeros((rows, columns), np.int8)  # 0 by both, 1 from above, 2 from left.
    before = np.full(rows + 1, np.inf)
    last = np.full(rows + 1, np.inf)
    before[0] = 0  # From outside, one step before the first cell.
    for diagonal in range(rows + columns - 1):
        own = np.arange(max(0, diagonal - columns + 1), min(rows, diagonal + 1))
        # totals[row + 1] is that of `row`; totals[0] lies outside.
        ways = np.stack([before[own], last[own], last[own + 1]])
        best = ways.argmin(axis=0)
        came[own, diagonal - own] = best
        total = np.full(rows + 1, np.inf)
        total[own + 1] = ways[best, np.arange(len(own))] + costs[own, diagonal - own]
        before, last = last, total
    return _walk_back(came)


def _walk_back(came: npt.NDArray[np.int8]) -> tuple[list[int], list[int]]:
    row, column = came.shape[0] - 1, came.shape[1] - 1
    rows, columns = [row], [column]
    while row or column:
        step = int(came[row, column])
        row -= step != 2
        column -= step != 1
        rows.append(row)
        columns.append(column)
    return rows[::-1], columns[::-1]


def spread_spans(
    spans: Sequence[tuple[float, float]], is_text: Sequence[bool]
) -> tuple[tuple[float, float], ...]:
    """Returns a span for each token: one without text lies where the last ended.

    Args:
      spans: of the tokens with text.
      is_text: for each token whether it has some.
    """
    own = iter(spans)
    at = spans[0][0] if spans else 0.0
    found = []
    for has_text in is_text:
        span = next(own) if has_text else (at, at)
        at = span[1]
        found.append(span)
    return tuple(found)
