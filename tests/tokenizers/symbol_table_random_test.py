"""Random id sequences of symbol tables, against Python's reading of their bytes."""

import random

import pytest

from tests import conftest
from tests.tokenizers import random_ids
from tests.tokenizers import symbol_tables

# 200,000 sequences of this kind in the long run.
_COUNT = 2000 * conftest.SCALE // 4

_BYTES = bytes.fromhex("E3 80 80 C2 A0 F0 9F 98 80 C0 FF E0 ED BD 41 E1 9A")


def spelled(table):
    """The piece of each id, in a table whose columns a blank parts."""
    rows = [line.rpartition(" ") for line in table.split("\n") if line]
    return {int(number): piece for piece, _, number in rows}


def plain_bytes(piece):
    return piece.replace("\u2581", " ").encode()


def hex_bytes(piece):
    if piece.startswith("<0x"):
        return bytes([int(piece[3:5], 16)])
    return plain_bytes(piece)


def bbpe_bytes(piece):
    """The byte of each letter, a blank for the mark; text of other letters as is."""
    letters = {letter: byte for byte, letter in enumerate(symbol_tables.LETTERS)}
    letters["\u2581"] = 0x20
    if all(letter in letters for letter in piece):
        return bytes(letters[letter] for letter in piece)
    return plain_bytes(piece)


TABLES = {
    "none": (symbol_tables.TABLE, plain_bytes, [3, 4, 5, 6, 8]),
    "hex": (
        symbol_tables.HEX_TABLE,
        hex_bytes,
        [*(byte + 3 for byte in _BYTES), 0x20 + 3, 259, 260, 261],
    ),
    "bbpe": (
        symbol_tables.BBPE_TABLE,
        bbpe_bytes,
        [*(byte + 3 for byte in _BYTES), 300, 301, 302],
    ),
    "few large ids": (
        "a 3\n\u2581b 900000\n\u2581 4\n\u3000 7\n",
        plain_bytes,
        [3, 4, 7, 900000],
    ),
}


@pytest.mark.parametrize("name", TABLES)
def test_random_ids_obey_the_laws(name, tmp_path):
    table, bytes_of, favourites = TABLES[name]
    byte_pieces = name if name in ("hex", "bbpe") else "none"
    tokenizer = symbol_tables.build(tmp_path, table, byte_pieces=byte_pieces)
    pieces = {i: bytes_of(piece) for i, piece in spelled(table).items()}

    def render(ids):
        content = b"".join(pieces.get(i, b"") for i in ids)
        return content.decode("utf-8", "replace").strip()

    rng = random.Random(name)
    random_ids.check_laws(rng, tokenizer, favourites, _COUNT, render)
