"""Scores as they enter: checked, and made float32 log-probabilities, once.

Shapes: T frames, V labels. The work goes over blocks of rows that stay in the
processor's cache, and the one array made is the result.
"""

from collections.abc import Iterator

import numpy as np
from numpy import typing as npt

Float32 = npt.NDArray[np.float32]

TOLERANCE = 1e-3  # How far from one a row may sum.
_BLOCK = 1 << 15  # Values looked at together: 128 KiB of float32.


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
    for first, block, buffer in _blocks(values):
        with np.errstate(over="ignore"):
            sums = np.exp(block, out=buffer).sum(axis=1)
        _check_sums(form, first, block, sums)
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


def _blocks(values: Float32) -> Iterator[tuple[int, Float32, Float32]]:
    """Yields a block's first row, its rows, and room for as many values."""
    rows = max(1, _BLOCK // max(1, values.shape[1]))
    room = np.empty((min(rows, len(values)), values.shape[1]), np.float32)
    for first in range(0, len(values), rows):
        block = values[first : first + rows]
        yield first, block, room[: len(block)]


def _log(probs: Float32) -> Float32:
    result = np.empty_like(probs)
    for first, block, _ in _blocks(probs):
        negative = block.min(axis=1) < 0
        _check_sums("probs", first, block, np.where(negative, np.nan, block.sum(axis=1)))
        with np.errstate(divide="ignore"):
            np.log(block, out=result[first : first + len(block)])
    return result


def _log_softmax(logits: Float32) -> Float32:
    result = np.empty_like(logits)
    for first, block, buffer in _blocks(logits):
        highest = block.max(axis=1, keepdims=True)  # NaN where a row has one.
        bad = np.flatnonzero(~np.isfinite(highest[:, 0]))
        if bad.size:
            _refuse_row("logits", first + int(bad[0]), block[bad[0]])
        shifted = np.subtract(block, highest, out=result[first : first + len(block)])
        sums = np.exp(shifted, out=buffer).sum(axis=1, keepdims=True)
        shifted -= np.log(sums)
    return result


def _check_sums(
    form: str, first: int, block: Float32, sums: npt.NDArray[np.floating]
) -> None:
    # Written so that a NaN, which a NaN or an infinity in the row gives, is bad.
    bad = np.flatnonzero(~(np.abs(sums - 1) <= TOLERANCE))
    if bad.size:
        _refuse_row(form, first + int(bad[0]), block[bad[0]])


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
