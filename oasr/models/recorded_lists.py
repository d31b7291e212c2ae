"""Scores in `.json` files: a list of T lists of V numbers."""

import json
import os
from typing import Any

import numpy as np
from numpy import typing as npt

from oasr import showing
from oasr import tokenizers
from oasr.models import recorded_files as files

# Python's objects take up to twenty times the memory of the text they are read from;
# with this much text they stay near the limit of arrays.
MAX_BYTES = 1 << 26


def read_json(path: files.Path) -> npt.NDArray[np.float64]:
    """Returns the scores in a `.json` file.

    Raises:
      AssetError: if the file is absent, malformed or too large, or holds no scores.
    """
    rows = _load(path)
    if not isinstance(rows, list):
        raise tokenizers.AssetError(
            f"{path}: expected a list of rows, found {type(rows).__name__}."
        )
    for place, row in enumerate(rows):
        _check_row(f"{path}: row {place}", row, rows[0])
    if not rows:
        return np.empty((0, 0))
    try:
        return np.array(rows, dtype=np.float64)
    except OverflowError as error:
        wanted = "numbers that a float can hold"
        raise files.malformed(path, wanted, error) from error


def _load(path: files.Path) -> Any:
    files.check_file(path)
    size = os.path.getsize(path)
    if size > MAX_BYTES:
        raise tokenizers.AssetError(
            f"{path}: expected at most {MAX_BYTES} bytes of JSON, found {size}; larger"
            " scores fit into a .npy file."
        )
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except (OSError, RecursionError, ValueError) as error:
        raise files.malformed(path, "JSON in UTF-8", error) from error


def _check_row(place: str, row: Any, first: Any) -> None:
    if not isinstance(row, list):
        raise tokenizers.AssetError(
            f"{place}: expected a list of numbers, found {type(row).__name__}."
        )
    # By type, as numpy would read booleans and numerals in strings as numbers.
    if not {*map(type, row)} <= {int, float}:
        column = next(k for k, v in enumerate(row) if type(v) not in (int, float))
        raise tokenizers.AssetError(
            f"{place}, column {column}: expected a number, found"
            f" {showing.shown(row[column])}."
        )
    if len(row) != len(first):
        raise tokenizers.AssetError(
            f"{place}: expected {len(first)} values as in row 0, found {len(row)}."
        )
