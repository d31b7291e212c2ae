"""Scores as they enter: checked, and made float32 log-probabilities, once.

Shapes: T frames, V labels. The work goes over blocks of rows that stay in the
processor's cache, and the one array made is the result.
"""

from collections.abc import Iterator
import math
from typing import Any

import numpy as np
from numpy import typing as npt

from oasr.engine.decode import score_errors

Float32 = npt.NDArray[np.float32]
# For each row whether it is what it should be.
_Fits = npt.NDArray[np.bool_]

TOLERANCE = 1e-3  # How far from one a row may sum, in types that round to less.
_BLOCK = 1 << 18  # Values looked at together: 1 MiB of float32.


def as_log_probs(scores: npt.ArrayLike, form: str) -> Float32:
    """Returns `scores` as contiguous float32 log-probabilities.

    Args:
      scores: `[T, V]` of any float type; T may be 0.
      form: "log_probs" or "probs", whose rows sum to one within `tolerance`, or
        "logits", which are normalised here.

    Returns:
      `[T, V]`; may share memory with `scores`.

    Raises:
      ValueError: naming the row that is none of `form`, and the form that it is.
    """
    given = _as_matrix(scores)
    if len(given) == 0:
        return np.empty(given.shape, np.float32)
    with np.errstate(over="ignore"):  # What overflows is refused below.
        values = np.ascontiguousarray(given, np.float32)
    allowed = tolerance(given.dtype, form, given.shape[1])
    if form == "logits":
        result, fits = _log_softmax(values)
    elif form == "probs":
        result, fits = _log(values, allowed)
    else:
        result, fits = values, _log_rows_fit(values, allowed)
    if not fits.all():
        bad = int(fits.argmin())
        raise ValueError(score_errors.fault(form, bad, given[bad], allowed))
    return result


def tolerance(dtype: np.dtype[Any], form: str, labels: int) -> float:
    """Returns how far from one the sum of a row may be.

    That is 1e-3, or what rounding to the type of the scores can add up to if that is
    more, as in float16. Rounding moves a value x by eps / 2 * |x| at most, and a
    subnormal one by half the smallest of them. So the sum of V probabilities p moves by
    eps / 2 * sum(p) = eps / 2 and V halves of the smallest. A log-probability that
    moves by d moves p by d * p, and the sum by eps / 2 * sum(p * |log(p)|), which is
    eps / 2 times the entropy of the row, of which log(V) is the highest.

    Args:
      dtype: of the scores as they were given.
      form: "log_probs" or "probs".
      labels: V.
    """
    kind = np.finfo(dtype)
    if form == "log_probs":
        rounding = float(kind.eps) / 2 * math.log(labels)
    else:
        rounding = (float(kind.eps) + labels * float(kind.smallest_subnormal)) / 2
    return max(TOLERANCE, rounding)


def _as_matrix(scores: npt.ArrayLike) -> npt.NDArray[np.floating[Any]]:
    try:
        found = np.asarray(scores)
    except ValueError as error:  # Rows of different lengths.
        raise ValueError(f"Scores must be a [T, V] array: {error}.") from error
    if found.ndim != 2:
        raise ValueError(
            f"Scores must have 2 dimensions, [T, V]; got shape {found.shape}."
        )
    if len(found) and not np.issubdtype(found.dtype, np.floating):
        raise ValueError(f"Scores must be of a float type, got {found.dtype}.")
    if len(found) and found.shape[1] == 0:
        raise ValueError(f"Scores of shape {found.shape} have no labels.")
    return found


def _blocks(values: Float32) -> Iterator[tuple[slice, Float32]]:
    """Yields slices of rows, and room for the values in them."""
    height = max(1, _BLOCK // max(1, values.shape[1]))
    room = np.empty((min(height, len(values)), values.shape[1]), np.float32)
    for first in range(0, len(values), height):
        rows = slice(first, min(first + height, len(values)))
        yield rows, room[: rows.stop - first]


def _log_rows_fit(values: Float32, allowed: float) -> _Fits:
    sums = np.empty(len(values), np.float32)
    with np.errstate(over="ignore"):  # An infinite sum does not fit.
        for rows, room in _blocks(values):
            np.exp(values[rows], out=room).sum(axis=1, out=sums[rows])
    return _near_one(sums, allowed)


def _log(probs: Float32, allowed: float) -> tuple[Float32, _Fits]:
    sums, lowest = np.empty((2, len(probs)), np.float32)
    result = np.empty_like(probs)
    with np.errstate(divide="ignore", invalid="ignore"):
        for rows, _ in _blocks(probs):
            probs[rows].sum(axis=1, out=sums[rows])
            probs[rows].min(axis=1, out=lowest[rows])
            np.log(probs[rows], out=result[rows])
    return result, _near_one(sums, allowed) & (lowest >= 0)


def _near_one(sums: Float32, allowed: float) -> _Fits:
    # False for a NaN, which a NaN or an infinity in the row gives.
    near: _Fits = np.abs(sums - np.float64(1)) <= allowed
    return near


def _log_softmax(logits: Float32) -> tuple[Float32, _Fits]:
    highest = np.empty((len(logits), 1), np.float32)  # NaN where a row has one.
    result = np.empty_like(logits)
    # What is further below the highest than a float can say is impossible.
    with np.errstate(invalid="ignore", over="ignore"):
        for rows, room in _blocks(logits):
            logits[rows].max(axis=1, keepdims=True, out=highest[rows])
            np.subtract(logits[rows], highest[rows], out=result[rows])
            sums = np.exp(result[rows], out=room).sum(axis=1, keepdims=True)
            result[rows] -= np.log(sums)
    return result, np.isfinite(highest[:, 0])
