"""Lines of a file or of stdin."""

import argparse
from collections.abc import Iterator
import contextlib
import sys
from typing import BinaryIO

from tools.cli import messages

BOM = b"\xef\xbb\xbf"
_CHUNK_BYTES = 1 << 16


def add_argument(parser: argparse.ArgumentParser, what: str) -> None:
    """Declares the file that is read."""
    parser.add_argument(
        "file",
        metavar="FILE",
        nargs="?",
        default="-",
        help=f"{what}; default: -, which is stdin",
    )


def name_of(path: str) -> str:
    """Returns how messages call an input."""
    return "stdin" if path == "-" else path


def lines(path: str) -> Iterator[tuple[str, bytes]]:
    """Yields each line, as soon as it is there, behind its place for messages.

    Line ends and a byte order mark are taken off.
    """
    with _opened(path) as file:
        for number, line in enumerate(file, start=1):
            if number == 1:
                line = line.removeprefix(BOM)
            line = line.removesuffix(b"\n").removesuffix(b"\r")
            yield f"{name_of(path)}:{number}", line


def chunks(path: str) -> Iterator[bytes]:
    """Yields what is there as it comes, cut anywhere."""
    with _opened(path) as file:
        while chunk := file.read1(_CHUNK_BYTES):  # type: ignore[attr-defined]
            yield chunk


def text_of(line: bytes) -> str:
    """Returns a line as text.

    Raises:
      ValueError: if it is no UTF-8, naming the byte.
    """
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(
            f"expected UTF-8, found the byte 0x{line[error.start]:02x} as byte"
            f" {error.start + 1} of the line."
        ) from error


@contextlib.contextmanager
def _opened(path: str) -> Iterator[BinaryIO]:
    if path != "-":
        with open(path, "rb") as file:
            yield file
        return
    if sys.stdin is None:
        raise OSError("stdin is closed; name a file to read.")
    if sys.stdin.isatty():
        messages.say("reading lines from the terminal; Ctrl-D ends them")
    yield sys.stdin.buffer
