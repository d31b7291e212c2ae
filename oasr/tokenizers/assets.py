"""Reads the files a tokenizer is built from; all trouble is an `AssetError`."""

import os

from oasr.tokenizers import errors


def read_bytes(path: str | os.PathLike[str]) -> bytes:
    """Returns the content of a regular file."""
    if os.path.isdir(path):
        raise errors.AssetError(f"{path}: expected a file, found a directory.")
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError as error:
        raise errors.AssetError(f"{path}: no such file.") from error
    except (OSError, ValueError) as error:  # ValueError: NUL in the path.
        raise errors.AssetError(f"{path}: cannot be read: {error}.") from error


def read_text(path: str | os.PathLike[str]) -> str:
    """Returns the content of a UTF-8 file, line ends as they are, no BOM."""
    content = read_bytes(path)
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        # The BOM's length is not in error.start, as the codec took it off before.
        body = content.removeprefix(b"\xef\xbb\xbf")
        line = body.count(b"\n", 0, error.start) + 1
        raise errors.AssetError(
            f"{path}:{line}: expected UTF-8, found the byte"
            f" 0x{body[error.start]:02X} ({error.reason})."
        ) from error
