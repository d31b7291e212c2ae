"""Writes a file whole or not at all."""

import os
import secrets


def write(path: str | os.PathLike[str], content: bytes) -> None:
    """Writes `content` to `path`; what was there stays until all of it is written.

    Raises:
      OSError: naming `path`, if it cannot be written, e.g. as the disk is full;
        nothing is left.
    """
    path = os.fspath(path)
    folder, name = os.path.split(path)
    part = os.path.join(folder, f".{name[:100]}.{secrets.token_hex(8)}.part")
    try:
        with open(part, "xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
    except BaseException as error:  # An interrupt leaves nothing, either.
        if os.path.lexists(part):
            os.unlink(part)
        if isinstance(error, OSError) and error.errno is not None:
            # Nobody has heard of the part.
            raise type(error)(error.errno, error.strerror, path) from error
        raise
