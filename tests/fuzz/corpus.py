"""The inputs that a fuzz target begins with: its seeds, and files of the tree.

A file of `corpus/<target>/` is an input as it is. What a fuzzer found is kept there,
under a name that says what it was.
"""

import pathlib

from tests.fuzz import target

_FOLDER = pathlib.Path(__file__).parent / "corpus"


def kept(name: str) -> dict[str, bytes]:
    """Returns the files of a target by name."""
    paths = sorted((_FOLDER / name).glob("*"))
    return {path.name: path.read_bytes() for path in paths}


def inputs(name: str, tried: target.Target) -> list[bytes]:
    """Returns all the inputs that the target of a name begins with, at least one."""
    return [*kept(name).values(), *tried.seeds(), b""]
