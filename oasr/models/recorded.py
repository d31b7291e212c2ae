"""Scores that a model gave earlier, read from files in place of the model.

A `.npy` file holds the `[T, V]` scores of one utterance (T frames, V labels), a
`.json` file the same as one list of T lists of V numbers, and a `.npz` file one
utterance per array, named `FILE:array`. No file is unpickled.
"""

from collections.abc import Callable, Iterator, Sequence
import os
import pathlib
import re
from typing import Any

from numpy import typing as npt

from oasr import showing
from oasr import tokenizers
from oasr.models import recorded_arrays
from oasr.models import recorded_files as files
from oasr.models import recorded_lists

_Reader = Callable[[files.Path], npt.NDArray[Any]]

_READERS: dict[str, _Reader] = {
    ".json": recorded_lists.read_json,
    ".npy": recorded_arrays.read_npy,
    ".npz": recorded_arrays.read_npz,
}


class RecordedScores:
    """A model whose inputs are names of recordings, or the scores themselves."""

    def scores(self, inputs: Sequence[Any]) -> list[npt.ArrayLike]:
        """Returns each of `inputs`, read if it is a name of `list_recordings`."""
        return [
            read_recording(given) if isinstance(given, str | os.PathLike) else given
            for given in inputs
        ]


def list_recordings(path: files.Path) -> list[str]:
    """Returns the names of the utterances in a file, in the file's order.

    Raises:
      AssetError: if the file is absent, none of `.npy`, `.npz` and `.json`, or an
        archive that is malformed.
    """
    if not os.path.lexists(path):
        files.check_file(path)
    if _reader(path) is not recorded_arrays.read_npz:
        files.check_file(path)
        return [os.fspath(path)]
    return [f"{os.fspath(path)}:{name}" for name in recorded_arrays.array_names(path)]


def read_recording(name: files.Path) -> npt.NDArray[Any]:
    """Returns the scores of one utterance, as the file has them.

    Args:
      name: one of `list_recordings`; of a `.npz` file with one array, its path
        will do.

    Raises:
      AssetError: if the file or the array is absent, malformed or too large, or two
        recordings have that name.
    """
    name = os.fspath(name)
    places = list(_places(name))
    if len(places) > 1:
        raise tokenizers.AssetError(
            f"{name}: expected the name of one recording, found the files"
            f" {[path for path, _ in places]}, which may all be meant."
        )
    if places and places[0][1] is not None:
        return recorded_arrays.read_npz(*places[0])
    if not places and ".npz:" in name:
        files.check_file(f"{name.partition('.npz:')[0]}.npz")
    return _reader(name)(name)


def _places(name: str) -> Iterator[tuple[str, str | None]]:
    """Yields the file, and the array if there is one, that `name` may mean."""
    if os.path.isfile(name):
        yield name, None
    # Paths and names of arrays may hold colons, so that any may part them.
    for colon in re.finditer(r"(?<=\.npz):", name):
        path = name[: colon.start()]
        if os.path.isfile(path):
            yield path, name[colon.end() :]


def _reader(path: files.Path) -> _Reader:
    suffix = pathlib.Path(path).suffix
    if suffix not in _READERS:
        raise tokenizers.AssetError(
            f"{path}: expected a file of scores in {sorted(_READERS)}, found the"
            f" suffix {showing.shown(suffix)}."
        )
    return _READERS[suffix]
