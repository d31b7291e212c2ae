"""Where results go: to stdout as they come, or whole into a file."""

import argparse
from collections.abc import Iterator
import contextlib
import os
import select
import stat
import sys

from oasr.checkpoints import whole_file

_STDOUT = 1


class Results:
    """Takes the results of a command.

    Attributes:
      keep: whether the file is to be written in the end; of no effect on stdout.
    """

    def __init__(self, descriptor: int | None, name: str) -> None:
        self._descriptor = descriptor
        self._name = name
        self._parts: list[bytes] = []
        self.keep = True

    def write(self, text: str) -> None:
        """Takes a part of the results, as UTF-8.

        Half of a surrogate pair, which no UTF-8 can hold, is written as its escape,
        which in JSON it is, too.

        Raises:
          OSError: naming where it should go.
        """
        self._take(text.encode("utf-8", "backslashreplace"))

    def write_path(self, path: str) -> None:
        """Takes a path on a line, in the bytes that the system knows it by.

        Raises:
          OSError: as `write`.
        """
        self._take(os.fsencode(path) + b"\n")

    def content(self) -> bytes:
        """Returns all that waits to be written."""
        return b"".join(self._parts)

    def _take(self, content: bytes) -> None:
        if self._descriptor is None:
            self._parts.append(content)
            return
        with naming(self._name):
            _write_all(self._descriptor, content)


def add_argument(parser: argparse.ArgumentParser) -> None:
    """Declares `--output`."""
    parser.add_argument(
        "--output",
        metavar="FILE",
        help="write the results whole to FILE, or leave it as it was; default: stdout",
    )


@contextlib.contextmanager
def opened(path: str | None) -> Iterator[Results]:
    """Yields where results go.

    Args:
      path: of a file, which appears when the block ends without an error and not
        before; a pipe or a device is written as results come; None or "-" for stdout.

    Raises:
      OSError: if it cannot be written; for a file as early as can be known.
    """
    if path in (None, "-"):
        if sys.stdout is None:
            raise OSError("stdout is closed; name a file for the results.")
        yield Results(_STDOUT, "stdout")
    elif _is_device(path):
        with naming(path), open(path, "wb", buffering=0) as device:
            yield Results(device.fileno(), path)
    else:
        target = os.path.realpath(path)  # The file behind a link, not the link.
        _check_place(path, target)
        results = Results(None, path)
        yield results
        if results.keep:
            with naming(path):
                whole_file.write(target, results.content())


@contextlib.contextmanager
def naming(name: str) -> Iterator[None]:
    """Makes an OSError without a file's name name this one."""
    try:
        yield
    except OSError as error:
        if error.filename == name or error.errno is None:
            raise
        raise OSError(error.errno, error.strerror, name) from error


def is_terminal(path: str | None) -> bool:
    """Returns whether results that go there are seen on a terminal."""
    return path in (None, "-") and sys.stdout is not None and os.isatty(_STDOUT)


def _is_device(path: str) -> bool:
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def _check_place(path: str, target: str) -> None:
    """Raises for a place where no file can be, before the work is done."""
    if os.path.isdir(target):
        raise IsADirectoryError(21, "Is a directory; expected a file", path)
    folder = os.path.dirname(target)
    if not os.path.isdir(folder):
        raise FileNotFoundError(2, f"There is no directory {folder}", path)
    if not os.access(folder, os.W_OK):
        raise PermissionError(13, f"The directory {folder} cannot be written", path)


def _write_all(descriptor: int, content: bytes) -> None:
    rest = memoryview(content)
    while rest:
        try:
            rest = rest[os.write(descriptor, rest) :]
        except BlockingIOError:  # A pipe whose other end made it so.
            select.select([], [descriptor], [])
