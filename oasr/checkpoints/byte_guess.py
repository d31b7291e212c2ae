"""Whether the pieces of a table are written in bytes, and in which letters."""

import codecs
from collections.abc import Collection, Mapping
import re

from oasr.tokenizers import byte_pieces

_HEX = re.compile("<0x([0-9A-Fa-f]{2})>")
_WHOLE_LETTER = re.compile(rb"[\xc2-\xf4][\x80-\xbf]")
_CONTINUATIONS = bytes(range(0x80, 0xC0))


def guess(pieces: Mapping[int, str], special_ids: Collection[int]) -> str:
    """Returns the `byte_pieces` of a table: "none", "hex" or "bbpe".

    Args:
      pieces: the piece of each id.
      special_ids: ids whose pieces are names.
    """
    text = [piece for i, piece in pieces.items() if i not in special_ids]
    if has_hex_run(pieces):
        return "hex"
    return "bbpe" if spells_utf8(text) else "none"


def hex_pieces(pieces: Mapping[int, str]) -> dict[int, int]:
    """Returns the byte that the name of a piece like "<0xE4>" says, by id."""
    found = ((i, _HEX.fullmatch(piece)) for i, piece in pieces.items())
    return {i: int(match[1], 16) for i, match in found if match}


def has_hex_run(pieces: Mapping[int, str]) -> bool:
    """Returns whether "<0x00>" to "<0xFF>" stand on 256 consecutive ids, in order."""
    of_byte = {byte: i for i, byte in hex_pieces(pieces).items()}
    first = of_byte.get(0)
    return first is not None and of_byte == {b: first + b for b in range(256)}


def spells_utf8(pieces: Collection[str]) -> bool:
    """Returns whether icefall's letters for bytes spell UTF-8 in all of the pieces.

    Latin letters of some languages are among those letters, but in words of theirs
    they would spell control characters and broken UTF-8. One piece at least has to
    spell more than the beginning of a character.
    """
    spelled = [_spelled(piece) for piece in pieces]
    return all(part is not None for part in spelled) and any(
        part is not None and _WHOLE_LETTER.search(part) for part in spelled
    )


def stray_piece(pieces: Mapping[int, str]) -> int | None:
    """Returns an id whose piece is not written in icefall's letters for bytes."""
    return next((i for i, piece in pieces.items() if _spelled(piece) is None), None)


def _spelled(piece: str) -> bytes | None:
    """Returns the bytes that a piece spells, or None if it spells no part of UTF-8."""
    plain = byte_pieces.READERS["none"](piece)
    spelled = byte_pieces.READERS["bbpe"](piece)
    if spelled == plain and not plain.isascii():
        return None  # Letters that stand for no byte are left as they are.
    if any(byte < 0x20 or byte == 0x7F for byte in spelled):
        return None
    rest = spelled.lstrip(_CONTINUATIONS)
    if len(spelled) - len(rest) > 3:
        return None
    try:
        codecs.getincrementaldecoder("utf-8")().decode(rest)  # The end may be open.
    except UnicodeDecodeError:
        return None
    return spelled
