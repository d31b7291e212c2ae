"""Scores in `.npy` and `.npz` files, which are not trusted.

No more memory is taken than the content that is there can fill, and nothing is
unpickled.
"""

import collections
from collections.abc import Callable, Iterator
import contextlib
import math
import os
from typing import IO, Any
import zipfile

import numpy as np
from numpy import typing as npt

from oasr import showing
from oasr import tokenizers
from oasr.models import recorded_files as files

# The scores of one utterance, in bytes: half an hour of 5,000 labels at 25 frames a
# second in float32, or six minutes of 25,000 labels at that rate.
MAX_BYTES = 1 << 30
# Compressed scores that fill more memory than this must have content for it. Floats of
# a model shrink by less than two; those rounded to zero, as float16 does to most
# probabilities, by more. Zeros alone shrink by 1,000.
MAX_BYTES_OF_LITTLE = 1 << 26
MAX_RATIO = 100

_NPY = "one array as numpy.save writes it"
_NPZ = "arrays as numpy.savez writes them"
_MEMBER = "an array as numpy.savez writes it"


def read_npy(path: files.Path) -> npt.NDArray[Any]:
    """Returns the scores in a `.npy` file.

    Raises:
      AssetError: if the file is absent, malformed or too large, or holds no scores.
    """
    files.check_file(path)
    return _read(path, _NPY, lambda: open(path, "rb"), os.path.getsize(path))


def array_names(path: files.Path) -> list[str]:
    """Returns the names of the arrays in a `.npz` file, in its order.

    Raises:
      AssetError: if the file is absent or malformed, or a name is there twice.
    """
    with contextlib.closing(_archive(path)) as archive:
        members = [n for n in archive.namelist() if n.endswith(".npy")]
    twice = [n for n, count in collections.Counter(members).items() if count > 1]
    if twice:
        raise tokenizers.AssetError(
            f"{path}: expected arrays of different names, found"
            f" {showing.shown(twice[0].removesuffix('.npy'))} more than once."
        )
    return [member.removesuffix(".npy") for member in members]


def read_npz(path: files.Path, array: str | None = None) -> npt.NDArray[Any]:
    """Returns the scores in one array of a `.npz` file.

    Args:
      path: the file.
      array: one of `array_names`; may be None where there is one only.

    Raises:
      AssetError: if the file or the array is absent, malformed or too large, or holds
        no scores.
    """
    names = array_names(path)
    if array is None and len(names) == 1:
        array = names[0]
    if array not in names:
        asked = (
            "no array name"
            if array is None
            else f"the array name {showing.shown(array)}"
        )
        raise tokenizers.AssetError(
            f"{path}: expected {path}:NAME with a NAME of"
            f" {showing.shown(names, 1000)}, got {asked}."
        )
    place = f"{path}:{array}"
    with contextlib.closing(_archive(path)) as archive:
        member = archive.getinfo(f"{array}.npy")
        _check_content(place, member.file_size, member.compress_size, path)
        return _read(place, _MEMBER, lambda: archive.open(member), member.file_size)


def _archive(path: files.Path) -> zipfile.ZipFile:
    files.check_file(path)
    # What is raised for a damaged file is not said anywhere, and is of many classes.
    try:
        return zipfile.ZipFile(path)
    except Exception as error:
        raise files.malformed(path, _NPZ, error) from error


def _check_content(place: str, size: int, compressed: int, path: files.Path) -> None:
    """Raises AssetError for a member that is to fill memory from next to nothing."""
    content = min(compressed, os.path.getsize(path))
    if size > max(MAX_BYTES_OF_LITTLE, MAX_RATIO * content):
        raise tokenizers.AssetError(
            f"{place}: expected at most {MAX_RATIO} bytes for each of {content}"
            f" compressed ones, found {size}; numpy.savez writes arrays that are"
            " not compressed."
        )


def _read(
    place: files.Path, wanted: str, opened: Callable[[], IO[bytes]], size: int
) -> npt.NDArray[Any]:
    """Returns the array of a file.

    Args:
      place: the file, and the array in it.
      wanted: what it should be.
      opened: opens it at its start.
      size: of the file, in bytes.
    """
    with _errors_of(place, wanted), opened() as file:
        shape, dtype = _header(file)
        begin = file.tell()
    _check_header(place, shape, dtype)
    needed = math.prod(shape) * dtype.itemsize
    if needed > MAX_BYTES:
        raise tokenizers.AssetError(
            f"{place}: expected at most {MAX_BYTES} bytes of scores, found the shape"
            f" {showing.shown(shape)} of {dtype}, which has {showing.shown(needed)}."
        )
    if begin + needed != size:
        raise tokenizers.AssetError(
            f"{place}: expected {needed} bytes for the shape {shape} of {dtype},"
            f" found {size - begin}."
        )
    with _errors_of(place, wanted), opened() as file:
        found: npt.NDArray[Any] = np.lib.format.read_array(file, allow_pickle=False)
        file.read(1)  # At the end, zipfile compares the checksum.
    return found


def _header(file: IO[bytes]) -> tuple[tuple[int, ...], np.dtype[Any]]:
    version = np.lib.format.read_magic(file)
    if version == (1, 0):
        shape, _, dtype = np.lib.format.read_array_header_1_0(file)
    else:
        # 3.0 is 2.0 with names of fields in UTF-8, and scores have no fields.
        shape, _, dtype = np.lib.format.read_array_header_2_0(file)
    return shape, dtype


def _check_header(
    place: files.Path, shape: tuple[int, ...], dtype: np.dtype[Any]
) -> None:
    if len(shape) != 2 or min(shape) < 0 or not np.issubdtype(dtype, np.floating):
        raise tokenizers.AssetError(
            f"{place}: expected a [T, V] array of floats, found shape"
            f" {showing.shown(shape)} of {showing.shortened(str(dtype), 60)}."
        )


@contextlib.contextmanager
def _errors_of(place: files.Path, wanted: str) -> Iterator[None]:
    """Makes an AssetError of what numpy and zipfile raise for damaged files."""
    # They raise errors of a dozen classes, tokenize.TokenError among them, and say of
    # none that it is the last.
    try:
        yield
    except Exception as error:
        raise files.malformed(place, wanted, error) from error
