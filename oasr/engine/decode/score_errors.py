"""What is wrong with a row of scores, in the values that were given."""

from typing import Any, TypeAlias

import numpy as np
from numpy import typing as npt

_Row: TypeAlias = npt.NDArray[np.floating[Any]]


def fault(form: str, place: int, row: _Row, allowed: float) -> str:
    """Returns the sentence about one row, and which form it looks like.

    Args:
      form: what it should be and is not: "log_probs", "probs" or "logits".
      place: which row of the scores it is.
      row: `[V]` as it was given, of any float type.
      allowed: how far from one a sum may be.
    """
    # As infinite as it becomes in float32.
    with np.errstate(over="ignore"):
        narrow = row.astype(np.float32)
    broken = np.flatnonzero(np.isnan(row) | np.isposinf(row))
    if broken.size:
        return f"Scores must be finite or -inf: {_value(place, row, broken[0])}."
    over = np.flatnonzero(np.isposinf(narrow))
    if over.size:
        return f"{_value(place, row, over[0], 'Row')}, more than a float32 can hold."
    if np.isneginf(row).all():
        return (
            f"Row {place} of the scores is -inf in every column and sums to 0;"
            f" {form} leave at least one label possible."
        )
    if form == "logits":  # All are below what a float32 can hold.
        return f"{_value(place, row, 0, 'Row')}, less than a float32 can hold."
    wide = row.astype(np.float64)
    negative = np.flatnonzero(row < 0)
    if form == "probs" and negative.size:
        found = _value(place, row, negative[0], "Row")
        return (
            f"{found}, and no probability is negative: {_advice(wide, form, allowed)}."
        )
    with np.errstate(over="ignore"):
        total = (np.exp(wide) if form == "log_probs" else wide).sum()
    return (
        f"Row {place} of the scores sums to {total:.6g}, not to 1 within"
        f" {allowed:.3g}, as {form}: {_advice(wide, form, allowed)}."
    )


def _value(place: int, row: _Row, column: int, start: str = "row") -> str:
    return f"{start} {place}, column {column} is {row[column]}"


def _advice(row: npt.NDArray[np.float64], form: str, allowed: float) -> str:
    """Returns which form `row`, which is none of `form`, looks like."""
    with np.errstate(over="ignore"):
        is_log = abs(np.exp(row).sum() - 1) <= allowed
    is_one = abs(row.sum() - 1) <= allowed
    if form == "probs" and is_log:
        return "these look like log-probabilities; set scores='log_probs'"
    if form == "log_probs" and is_one and row.min() >= 0:
        return "these look like probabilities; set scores='probs'"
    if form == "probs" and row.min() >= 0 and row.max() <= 1:
        return "no other form fits either; divide each row by its sum"
    if form == "probs" and is_one and row.min() >= -allowed:
        return "no other form fits either; what is below 0 by rounding must be 0"
    return "these look like logits; set scores='logits'"
