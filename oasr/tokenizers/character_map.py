"""The character map in the normalizer of a converted SentencePiece model.

The map is base64 of: the size of a trie in bytes as a 32-bit number, the trie in units
of 32 bits (darts-clone's), and texts that end in NUL each, the replacements. All
numbers are little-endian. The library sets aside the memory that the first number
asks for, and follows units wherever they point, so both are checked here first.
"""

import base64
import binascii
import struct
from typing import Any

import numpy as np
from numpy import typing as npt

from oasr.tokenizers import errors

# Sixteen times the largest map that SentencePiece makes of its own rules
# (nmt_nfkc_cf, 247 kB).
MAX_BYTES = 2**22

# The fields of a unit.
_IS_VALUE = 1 << 31
_HAS_VALUE = 1 << 8


def check_all(normalizer: Any, where: str) -> None:
    """Checks every character map anywhere in a normalizer.

    Args:
      normalizer: as JSON has it; nothing is taken for granted about its form.
      where: the file and the place that errors name.

    Raises:
      AssetError: if a map points outside itself.
    """
    if isinstance(normalizer, dict):
        for key, value in normalizer.items():
            place = f"{where}.{key[:60]}"
            if key == "precompiled_charsmap" and isinstance(value, str):
                check(value, place)
            else:
                check_all(value, place)
    elif isinstance(normalizer, list):
        for place_in_list, value in enumerate(normalizer):
            check_all(value, f"{where}[{place_in_list}]")


def check(coded: str, where: str) -> None:
    """Checks one map.

    Args:
      coded: the map in base64.
      where: as for `check_all`.

    Raises:
      AssetError: as for `check_all`.
    """
    content = _decoded(coded, where)
    size = int.from_bytes(content[:4], "little")
    if len(content) < 4 or size % 4 or not 4 <= size <= len(content) - 4:
        raise errors.AssetError(
            f"{where}: the character map says that its trie has {size} bytes; expected"
            f" a multiple of 4, at least 4, and at most the"
            f" {max(len(content) - 4, 0)} bytes that follow."
        )
    units = np.frombuffer(content, "<u4", size // 4, offset=4).astype(np.int64)
    unit = _first_astray(units, texts=len(content) - 4 - size)
    if unit is not None:
        raise errors.AssetError(
            f"{where}: the unit {unit} of the character map points outside of it; it"
            f" has {len(units)} units."
        )


def longest_replacement(coded: str) -> int:
    """Returns the most characters that a checked map makes of one."""
    content = base64.b64decode(coded)
    (size,) = struct.unpack_from("<I", content)
    texts = content[4 + size :].split(b"\0")
    return max(len(text.decode(errors="replace")) for text in texts)


def _decoded(coded: str, where: str) -> bytes:
    if len(coded) > MAX_BYTES * 4 // 3 + 4:
        raise errors.AssetError(
            f"{where}: the character map has {len(coded)} letters; no map has over"
            f" {MAX_BYTES} bytes."
        )
    try:
        return base64.b64decode(coded, validate=True)
    except (binascii.Error, ValueError) as error:
        raise errors.AssetError(
            f"{where}: expected a character map in base64: {error}."
        ) from error


def _first_astray(units: npt.NDArray[np.int64], *, texts: int) -> int | None:
    """Returns the first unit that leads outside, if one does.

    Any byte may follow, so a unit leads to all 256 of a block: with the offset, to
    `(unit ^ offset) ^ byte`. A value is the place of its text.
    """
    places = np.arange(len(units))
    inner = (units & _IS_VALUE) == 0
    # The offset is in the upper 22 bits, in steps of 256 if bit 9 is set.
    targets = places ^ ((units >> 10) << ((units & (1 << 9)) >> 6))
    astray = inner & ((targets | 0xFF) >= len(units))
    with_value = np.flatnonzero(inner & ~astray & ((units & _HAS_VALUE) != 0))
    values = units[targets[with_value]] & (_IS_VALUE - 1)
    astray[with_value[values >= texts]] = True
    found = np.flatnonzero(astray)
    return int(found[0]) if len(found) else None
