"""Puts the bytes of an input into a file, one at a time."""

import atexit
import functools
import os
import pathlib
import shutil
import tempfile

# Where files are memory, which takes a hundredth of the time.
_MEMORY = "/dev/shm"


@functools.cache
def folder() -> pathlib.Path:
    """Returns an empty folder that goes when the process ends."""
    place = _MEMORY if os.access(_MEMORY, os.W_OK) else os.environ.get("TEST_TMPDIR")
    path = tempfile.mkdtemp(prefix="fuzz", dir=place)
    atexit.register(shutil.rmtree, path, ignore_errors=True)
    return pathlib.Path(path)


def put(name: str, data: bytes) -> str:
    """Writes `data` to a file of that name; returns its path."""
    path = folder() / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return os.fspath(path)
