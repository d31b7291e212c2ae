"""Scores that a model gave earlier, read from files in place of the model.

A `.npy` file holds the `[T, V]` scores of one utterance (T frames, V labels), a
`.json` file the same as one list of T lists of V numbers, and a `.npz` file one
utterance per array, named `FILE:array`. No file is unpickled.
"""

from collections.abc import Callable, Sequence
import json
import os
import pathlib
from typing import Any
import zipfile
import zlib

import numpy as np
from numpy import typing as npt

from oasr import tokenizers

Path = str | os.PathLike[str]

# What numpy raises for files that are cut, altered, or ask for pickles.
_READ_ERRORS = (
    EOFError,
    KeyError,
    MemoryError,
    OSError,
    RuntimeError,
    ValueError,
    zipfile.BadZipFile,
    zlib.error,
)


class RecordedScores:
    """A model whose inputs are names of recordings, or the scores themselves."""

    def scores(self, inputs: Sequence[Any]) -> list[npt.ArrayLike]:
        """Returns each of `inputs`, read if it is a name of `list_recordings`."""
        return [
            read_recording(given) if isinstance(given, str | os.PathLike) else given
            for given in inputs
        ]


def list_recordings(path: Path) -> list[str]:
    """Returns the names of the utterances in a file, in the file's order.

    Raises:
      AssetError: if the file is absent or none of `.npy`, `.npz` and `.json`.
    """
    if _reader(path) is not _read_npz:
        _check_file(path)
        return [os.fspath(path)]
    return [f"{os.fspath(path)}:{name}" for name in _array_names(path)]


def read_recording(name: Path) -> npt.NDArray[Any]:
    """Returns the scores of one utterance, as the file has them.

    Args:
      name: one of `list_recordings`; of a `.npz` file with one array, its path
        will do.

    Raises:
      AssetError: if the file or the array is absent or malformed.
    """
    name = os.fspath(name)
    path, colon, array = name.rpartition(":")
    if colon and path.endswith(".npz") and not os.path.exists(name):
        return _read_npz(path, array)
    return _reader(name)(name)


def _reader(path: Path) -> Callable[[Path], npt.NDArray[Any]]:
    suffix = pathlib.Path(path).suffix
    readers: dict[str, Callable[[Path], npt.NDArray[Any]]] = {
        ".json": _read_json,
        ".npy": _read_npy,
        ".npz": _read_npz,
    }
    if suffix not in readers:
        raise tokenizers.AssetError(
            f"{path}: expected a file of scores in {sorted(readers)}, found the"
            f" suffix {suffix!r}."
        )
    return readers[suffix]


def _check_file(path: Path) -> None:
    if os.path.isdir(path):
        raise tokenizers.AssetError(f"{path}: expected a file, found a directory.")
    if not os.path.exists(path):
        raise tokenizers.AssetError(f"{path}: no such file.")


def _read_npy(path: Path) -> npt.NDArray[Any]:
    _check_file(path)
    try:
        with open(path, "rb") as file:
            found = np.lib.format.read_array(file, allow_pickle=False)
    except _READ_ERRORS as error:
        raise _malformed(path, "one array as numpy.save writes it", error) from error
    return _matrix(path, found)


def _read_npz(path: Path, array: str | None = None) -> npt.NDArray[Any]:
    names = _array_names(path)
    if array is None and len(names) == 1:
        array = names[0]
    if array not in names:
        asked = "no array name" if array is None else f"the array name {array!r}"
        raise tokenizers.AssetError(
            f"{path}: expected {path}:NAME with a NAME of {names}, got {asked}."
        )
    try:
        with np.load(path, allow_pickle=False) as file:
            found = file[array]
    except _READ_ERRORS as error:
        wanted = "an array as numpy.savez writes it"
        raise _malformed(f"{path}:{array}", wanted, error) from error
    return _matrix(f"{path}:{array}", found)


def _array_names(path: Path) -> list[str]:
    _check_file(path)
    try:
        with zipfile.ZipFile(path) as file:
            members = file.namelist()
    except _READ_ERRORS as error:
        raise _malformed(path, "arrays as numpy.savez writes them", error) from error
    return [name.removesuffix(".npy") for name in members if name.endswith(".npy")]


def _malformed(path: Path, wanted: str, error: Exception) -> tokenizers.AssetError:
    found = str(error) or type(error).__name__
    return tokenizers.AssetError(f"{path}: expected {wanted}, found: {found}")


def _matrix(place: Path, array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    if array.ndim != 2 or not np.issubdtype(array.dtype, np.floating):
        raise tokenizers.AssetError(
            f"{place}: expected a [T, V] array of floats, found shape {array.shape}"
            f" of {array.dtype}."
        )
    return array


def _read_json(path: Path) -> npt.NDArray[Any]:
    _check_file(path)
    try:
        with open(path, encoding="utf-8") as file:
            rows = json.load(file)
    except (OSError, RecursionError, ValueError) as error:
        raise _malformed(path, "JSON in UTF-8", error) from error
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
        raise _malformed(path, "numbers that a float can hold", error) from error


def _check_row(place: str, row: Any, first: Any) -> None:
    if not isinstance(row, list):
        raise tokenizers.AssetError(
            f"{place}: expected a list of numbers, found {type(row).__name__}."
        )
    # By type, as numpy would read booleans and numerals in strings as numbers.
    if not {*map(type, row)} <= {int, float}:
        column = next(k for k, v in enumerate(row) if type(v) not in (int, float))
        raise tokenizers.AssetError(
            f"{place}, column {column}: expected a number, found {row[column]!r}."
        )
    if len(row) != len(first):
        raise tokenizers.AssetError(
            f"{place}: expected {len(first)} values as in row 0, found {len(row)}."
        )
