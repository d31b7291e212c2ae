"""Scores as they enter: checked, and made float32 log-probabilities, once.

Shapes: T frames, V labels. The work goes over blocks of rows that stay in the
processor's cache, and the one array made is the result.
"""

from collections.abc import Iterator

import numpy as np
from numpy import typing as npt

Float32 = npt.NDArray[np.float32]

TOLERANCE = 1e-3  # How far from one a row may sum.
_BLOCK = 1 << 18  # Values looked at together: 1 MiB of float32.


def as_log_probs(scores: npt.ArrayLike, form: str) -> Float32:
    """Returns `scores` as contiguous float32 log-probabilities.

    Args:
      scores: `[T, V]` of any float type; T may be 0.
      form: "log_probs" or "probs", whose rows sum to one, or "logits", which are
        normalised here.

    Returns:
      `[T, V]`; may share memory with `scores`.

    Raises:
      ValueError: naming the row that is none of `form`, and the form that it is.
    """
    values = _as_matrix(scores)
    if form == "logits":
        return _log_softmax(values)
    if form == "probs":
        return _log(values)
    sums = np.empty(len(values), np.float32)
    with np.errstate(over="ignore"):  # An infinite sum is refused.
        for rows, room in _blocks(values):
            np.exp(values[rows], out=room).sum(axis=1, out=sums[rows])
    _check_sums(form, values, sums)
    return values


def _as_matrix(scores: npt.ArrayLike) -> Float32:
    try:
        found = np.asarray(scores)
    except ValueError as error:  # Rows of different lengths.
        raise ValueError(f"Scores must be a [T, V] array: {error}.") from error
    if found.ndim != 2:
        raise ValueError(
            f"Scores must have 2 dimensions, [T, V]; got shape {found.shape}."
        )
    if len(found) == 0:
        return np.empty(found.shape, np.float32)
    if not np.issubdtype(found.dtype, np.floating):
        raise ValueError(f"Scores must be of a float type, got {found.dtype}.")
    if found.shape[1] == 0:
        raise ValueError(f"Scores of shape {found.shape} have no labels.")
    with np.errstate(over="ignore"):  # What overflows is refused as infinite.
        return np.ascontiguousarray(found, np.float32)


def _blocks(values: Float32) -> Iterator[tuple[slice, Float32]]:
    """Yields slices of rows, and room for the values in them."""
    height = max(1, _BLOCK // max(1, values.shape[1]))
    room = np.empty((min(height, len(values)), values.shape[1]), np.float32)
    for first in range(0, len(values), height):
        rows = slice(first, min(first + height, len(values)))
        yield rows, room[: rows.stop - first]


def _log(probs: Float32) -> Float32:
    sums, lowest = np.empty((2, len(probs)), np.float32)
    result = np.empty_like(probs)
    with np.errstate(divide="ignore", invalid="ignore"):
        for rows, _ in _blocks(probs):
            probs[rows].sum(axis=1, out=sums[rows])
            probs[rows].min(axis=1, out=lowest[rows])
            np.log(probs[rows], out=result[rows])
    sums[lowest < 0] = np.nan  # Whatever a row with a negative value sums to.
    _check_sums("probs", probs, sums)
    return result


def _log_softmax(logits: Float32) -> Float32:
    highest = np.empty((len(logits), 1), np.float32)  # NaN where a row has one.
    result = np.empty_like(logits)
    with np.errstate(invalid="ignore"):
        for rows, room in _blocks(logits):
            logits[rows].max(axis=1, keepdims=True, out=highest[rows])
            np.subtract(logits[rows], highest[rows], out=result[rows])
            sums = np.exp(result[rows], out=room).sum(axis=1, keepdims=True)
            result[rows] -= np.log(sums)
    bad = np.flatnonzero(~np.isfinite(highest))
    if bad.size:
        _refuse_row("logits", int(bad[0]), logits[bad[0]])
    return result


def _check_sums(form: str, values: Float32, sums: Float32) -> None:
    # Written so that a NaN, which a NaN or an infinity in the row gives, is bad.
    bad = np.flatnonzero(~(np.abs(sums - 1) <= TOLERANCE))
    if bad.size:
        _refuse_row(form, int(bad[0]), values[bad[0]])


def _refuse_row(form: str, place: int, row: Float32) -> None:
    """Raises the ValueError that says what is wrong with one row."""
    broken = np.flatnonzero(np.isnan(row) | np.isposinf(row))
    if broken.size:
        raise ValueError(
            f"Scores must be finite or -inf: row {place}, column {broken[0]} is"
            f" {row[broken[0]]}."
        )
    if np.isneginf(row).all():
        raise ValueError(
            f"Row {place} of the scores is -inf in every column and sums to 0;"
            f" {form} leave at least one label possible."
        )
    wide = row.astype(np.float64)
    with np.errstate(over="ignore"):
        total = (np.exp(wide) if form == "log_probs" else wide).sum()
    raise ValueError(
        f"Row {place} of the scores sums to {total:.6g}, not to 1 within"
        f" {TOLERANCE:g}, as {form}: {_advice(wide, form)}."
    )


def _advice(row: npt.NDArray[np.float64], form: str) -> str:
    """Returns which form `row`, which is none of `form`, looks like."""
    with np.errstate(over="ignore"):
        is_log = abs(np.exp(row).sum() - 1) <= TOLERANCE
    is_prob = row.min() >= 0 and abs(row.sum() - 1) <= TOLERANCE
    if form == "probs" and is_log:
        return "these look like log-probabilities; set scores='log_probs'"
    if form == "log_probs" and is_prob:
        return "these look like probabilities; set scores='probs'"
    if form == "probs" and row.min() >= 0 and row.max() <= 1:
        return "no other form fits either; divide each row by its sum"
    return "these look like logits; set scores='logits'"
