"""A wheel as a file: the same contents are always the same bytes."""

import base64
from collections.abc import Mapping
import csv
import hashlib
import io
import pathlib
import zipfile

_EARLIEST = (1980, 1, 1, 0, 0, 0)  # A zip knows no earlier time; no clock is asked.
_UNIX = 3
_REGULAR_FILE = 0o100000


def write(path: pathlib.Path, files: Mapping[str, bytes], dist_info: str) -> None:
    """Writes a wheel.

    Args:
      path: where to; its name is the wheel's.
      files: the contents by name, without the RECORD.
      dist_info: the folder of metadata among them, which gets the RECORD.
    """
    # Metadata comes last, as the format recommends, and of it the RECORD.
    names = sorted(files, key=lambda name: (name.startswith(f"{dist_info}/"), name))
    record = f"{dist_info}/RECORD"
    lines = [(name, _digest(files[name]), len(files[name])) for name in names]
    table = io.StringIO(newline="")
    csv.writer(table, lineterminator="\n").writerows([*lines, (record, "", "")])
    with zipfile.ZipFile(path, "w") as wheel:
        for name in names:
            wheel.writestr(_entry(name), files[name])
        wheel.writestr(_entry(record), table.getvalue())


def _digest(content: bytes) -> str:
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest())
    return f"sha256={digest.decode().rstrip('=')}"


def _entry(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, _EARLIEST)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.create_system = _UNIX
    mode = 0o755 if name.endswith(".so") else 0o644
    entry.external_attr = (_REGULAR_FILE | mode) << 16
    return entry
