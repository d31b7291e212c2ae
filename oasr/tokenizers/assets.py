"""Reads the files a tokenizer is built from; all trouble is an `AssetError`."""

import codecs
import os
import stat

from oasr.tokenizers import errors


def read_bytes(path: str | os.PathLike[str]) -> bytes:
    """Returns the content of a regular file."""
    if not isinstance(path, str | os.PathLike):
        raise TypeError(f"Expected a path, got {path!r} of type {type(path).__name__}.")
    if os.path.isdir(path):
        raise errors.AssetError(f"{path}: expected a file, found a directory.")
    try:
        # A pipe or a device would block, or never end.
        if not stat.S_ISREG(os.stat(path).st_mode):
            raise errors.AssetError(f"{path}: expected a regular file.")
        with open(path, "rb") as file:
            return file.read()
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
        line = content.count(b"\n", 0, error.start) + 1
        raise errors.AssetError(
            f"{path}:{line}: expected UTF-8, found the byte"
            f" 0x{content[error.start]:02X} ({error.reason})."
        ) from error
