"""The bytes that a symbol table's piece stands for."""

from collections.abc import Callable
import re

_SPACE = "\u2581"  # SentencePiece's mark for the start of a word.
_HEX = re.compile("<0x([0-9A-Fa-f]{2})>")


def _bbpe_bytes() -> dict[str, int]:
    """Returns the byte of each letter of icefall's byte-level BPE.

    A printable ASCII byte is its own letter; the other bytes are, in order, the
    letters from U+0100 on, without the six that are compatibility characters and
    that NFKC would turn into others (`icefall/byte_utils.py`).
    """
    skipped = {0x132, 0x133, 0x13F, 0x140, 0x149, 0x17F}
    letters = (chr(c) for c in range(0x100, 0x200) if c not in skipped)
    ascii_bytes = range(0x20, 0x7F)
    return {
        chr(byte) if byte in ascii_bytes else next(letters): byte for byte in range(256)
    }


_BBPE = _bbpe_bytes()


def _plain(piece: str) -> bytes:
    return piece.replace(_SPACE, " ").encode()


def _hex(piece: str) -> bytes:
    byte = _HEX.fullmatch(piece)
    return bytes.fromhex(byte[1]) if byte else _plain(piece)


def _bbpe(piece: str) -> bytes:
    letters = piece.replace(_SPACE, " ")
    if all(letter in _BBPE for letter in letters):
        return bytes(_BBPE[letter] for letter in letters)
    return _plain(piece)  # A name such as "<中>" is written in no byte letters.


# How a piece is read, by the option `byte_pieces`.
READERS: dict[str, Callable[[str], bytes]] = {
    "none": _plain,
    "hex": _hex,
    "bbpe": _bbpe,
}
