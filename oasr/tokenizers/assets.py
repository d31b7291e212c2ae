"""Reads the files a tokenizer is built from; all trouble is an `AssetError`."""

import codecs
import os
import stat

from oasr.tokenizers import errors

# Twice the largest published vocabulary file. Where less is known to do, less is read.
MAX_BYTES = 64 * 2**20


def read_bytes(path: str | os.PathLike[str]) -> bytes:
    """Returns the content of a regular file of at most `MAX_BYTES`."""
    if not isinstance(path, str | os.PathLike):
        raise TypeError(f"Expected a path, got {path!r} of type {type(path).__name__}.")
    if os.path.isdir(path):
        raise errors.AssetError(f"{path}: expected a file, found a directory.")
    try:
        # A pipe or a device would block, or never end.
        status = os.stat(path)
        if not stat.S_ISREG(status.st_mode):
            raise errors.AssetError(f"{path}: expected a regular file.")
        with open(path, "rb") as file:
            # What grows meanwhile, or has no size as in /proc, may be as long.
            content = file.read(MAX_BYTES + 1) if status.st_size <= MAX_BYTES else None
        if content is None or len(content) > MAX_BYTES:
            raise errors.AssetError(
                f"{path}: the file has {max(status.st_size, MAX_BYTES + 1)} bytes; no"
                f" file of a tokenizer has over {MAX_BYTES}."
            )
        return content
    except errors.AssetError:
        raise
    except FileNotFoundError as error:
        raise errors.AssetError(f"{path}: no such file.") from error
    except (OSError, ValueError) as error:  # ValueError: NUL in the path.
        raise errors.AssetError(f"{path}: cannot be read: {error}.") from error


def read_text(path: str | os.PathLike[str], *, keep_bom: bool = False) -> str:
    """Returns the content of a UTF-8 file, line ends as they are.

    Args:
      path: the file.
      keep_bom: whether a byte order mark at the start is text.

    Raises:
      AssetError: naming the line of the first byte that is not UTF-8.
    """
    content = read_bytes(path)
    if not keep_bom:
        content = content.removeprefix(codecs.BOM_UTF8)
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise not_utf8(content, error.start, path) from error


def not_utf8(
    content: bytes, start: int, path: str | os.PathLike[str]
) -> errors.AssetError:
    """Returns the error for a file that is no UTF-8 from the byte `start` on."""
    line = content.count(b"\n", 0, start) + 1
    reason = "unexpected end of data"
    try:
        content[start : start + 4].decode("utf-8")
    except UnicodeDecodeError as error:
        reason = error.reason
    return errors.AssetError(
        f"{path}:{line}: expected UTF-8, found the byte 0x{content[start]:02X}"
        f" ({reason})."
    )
