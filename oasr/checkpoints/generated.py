"""Files that a converter makes, for a tokenizer to read until they are saved."""

import atexit
import functools
import hashlib
import os
import shutil
import tempfile

from oasr.checkpoints import whole_file

# The folder that a parent gave, by process.
_given: dict[int, str] = {}


def write(name: str, content: bytes) -> str:
    """Returns the path of a file of that name and content.

    The same content has the same path. The file is gone when the process ends;
    `ConvertedCheckpoint.save` copies it beside `oasr.json`.
    """
    folder = os.path.join(_folder(), hashlib.sha256(content).hexdigest()[:16])
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, name)
    if not os.path.exists(path):
        whole_file.write(path, content)
    return path


def new_folder() -> str:
    """Returns an empty folder for a child to make its files in; it goes with ours."""
    return tempfile.mkdtemp(dir=_root(os.getpid()))


def make_in(folder: str) -> None:
    """Lets this process make its files in a folder that its parent removes."""
    _given[os.getpid()] = folder


def _folder() -> str:
    return _given.get(os.getpid()) or _root(os.getpid())


@functools.cache
def _root(process: int) -> str:
    """Returns the folder of this process; a fork makes its own."""
    folder = tempfile.mkdtemp(prefix="oasr-")
    atexit.register(_remove, folder, process)
    return folder


def _remove(folder: str, process: int) -> None:
    if os.getpid() == process:
        shutil.rmtree(folder, ignore_errors=True)
