"""Runs something in a fork in which one file operation goes wrong."""

from collections.abc import Callable
import errno
import os
import pathlib
import signal
import sys
import traceback
from typing import Any

# What Python says it is about to do with files.
_OPERATIONS = ("open", "os.link", "os.mkdir", "os.remove", "os.rename", "os.truncate")
_OPERATIONS += ("os.listdir", "os.scandir", "os.rmdir")

# Exit codes of the fork.
DONE, RAISED, DEFECT = 0, 1, 2


def _full_disk() -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def _read_error() -> None:
    raise OSError(errno.EIO, os.strerror(errno.EIO))


def _interrupt() -> None:
    raise KeyboardInterrupt


def _kill() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


FAULTS: dict[str, Callable[[], None]] = {
    "a full disk": _full_disk,
    "a read error": _read_error,
    "an interrupt": _interrupt,
    "a kill": _kill,
}
EXPECTED = (OSError, ValueError, KeyboardInterrupt)


def run(work: Callable[[], object], fault: str, place: int) -> tuple[int, bool]:
    """Runs `work` in a fork; its file operation number `place`, from 0, goes wrong.

    Args:
      work: what is tried; it ran before, so that it imports nothing.
      fault: one of `FAULTS`.
      place: which operation.

    Returns:
      The exit code, negative for a signal: `DONE`, `RAISED` if it raised what a caller
      expects, `DEFECT` if anything else; and whether there was such an operation.
    """
    came, tell = os.pipe()
    child = os.fork()
    if child == 0:
        os._exit(_work_with_fault(work, FAULTS[fault], place, tell))
    os.close(tell)
    with open(came, "rb") as file:
        reached = file.read(1) == b"!"
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status), reached


def _work_with_fault(
    work: Callable[[], object], fault: Callable[[], None], place: int, tell: int
) -> int:
    seen = -1

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        nonlocal seen
        if event not in _OPERATIONS:
            return
        seen += 1
        if seen == place:
            os.write(tell, b"!")
            fault()

    sys.addaudithook(hook)
    try:
        work()
    except EXPECTED:
        return RAISED
    except BaseException:
        traceback.print_exc()
        return DEFECT
    return DONE


def contents(folder: pathlib.Path) -> dict[str, bytes]:
    """Returns the files below a folder by their paths, parts of files left out."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not is_part(path)
    }


def is_part(path: pathlib.Path) -> bool:
    """Returns whether a file is one that was not written whole."""
    return path.name.startswith(".") and path.name.endswith(".part")
