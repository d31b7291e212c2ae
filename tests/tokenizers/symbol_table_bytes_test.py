"""Tests for symbol_table: pieces that are bytes."""

import itertools
import random

import pytest

from tests import conftest
from tests.tokenizers import laws
from tests.tokenizers import symbol_tables


class ByteTableLaws(symbol_tables.SymbolTableLaws):
    # Lead bytes of every length, continuation bytes, whitespace that is several
    # bytes long, and the byte values that begin nothing.
    some_bytes = bytes.fromhex("E3 80 80 C2 A0 F0 9F 98 80 C0 FF E0 ED BD 20 41 E1 9A")

    def test_half_of_a_surrogate_is_not_waited_for(self, tokenizer):
        state = tokenizer.new_decode_state()
        ids = [0xED + 3, 0xA0 + 3]
        deltas = [tokenizer.decode_incremental([i], state) for i in ids]
        assert deltas == ["", "\ufffd\ufffd"]

    def continuations(self, tokenizer):
        singles = super().continuations(tokenizer)
        ids = [[byte + 3] for byte in (0x80, 0x90, 0x98, 0x9A, 0xA0, 0xAF)]
        pairs = [a + b for a, b in itertools.product(ids, ids)]
        return singles + pairs + [a + b for a, b in itertools.product(pairs, ids)]


class TestHexBytes(ByteTableLaws):
    table, byte_pieces = symbol_tables.HEX_TABLE, "hex"
    favoured = [b + 3 for b in ByteTableLaws.some_bytes] + [259, 260, 261]


class TestBbpeLetters(ByteTableLaws):
    table, byte_pieces = symbol_tables.BBPE_TABLE, "bbpe"
    favoured = [b + 3 for b in ByteTableLaws.some_bytes if b != 0x20] + [300, 301]


# Whatever the bytes, the text is Python's reading of them.


@pytest.mark.parametrize("byte_pieces", ["hex", "bbpe"])
def test_bytes_are_read_as_python_reads_them(tmp_path, byte_pieces):
    table = (
        symbol_tables.HEX_TABLE if byte_pieces == "hex" else symbol_tables.BBPE_TABLE
    )
    tokenizer = symbol_tables.build(tmp_path, table, byte_pieces=byte_pieces)
    rng = random.Random(1)
    likely = bytes.fromhex("E4 BD A0 F0 9F 98 80 C2 A0 E3 80 80 80 BF F4 8F ED 41")
    for _ in range(1000 * conftest.SCALE):
        content = bytes(
            rng.choice((rng.choice(likely), rng.randrange(256))) for _ in "12345678"
        )
        content = content.replace(b" ", b"")  # bbpe writes a space as the word mark.
        ids = [3 + byte for byte in content]
        expected = content.decode("utf-8", "replace").strip()
        assert tokenizer.decode(ids) == expected
        given, rest = laws.one_by_one(tokenizer, ids)
        assert given + rest == expected
        assert tokenizer.token_pieces(ids) == pieces_by_definition(content)


def pieces_by_definition(content):
    """The piece of each byte: law 5, from what each prefix of the bytes shows."""
    pieces = [""] * len(content)
    start = 0
    while start < len(content):
        # The shortest stretch that decodes the same however it goes on.
        end = start + 1
        while (
            end < len(content)
            and len(content[start : end + 1].decode("utf-8", "replace")) == 1
        ):
            end += 1
        pieces[end - 1] = content[start:end].decode("utf-8", "replace")
        start = end
    text = "".join(pieces)
    blank = len(text) - len(text.lstrip())
    keep = range(blank, len(text.rstrip()))
    result, place = [], 0
    for piece in pieces:
        result.append("".join(c for k, c in enumerate(piece, place) if k in keep))
        place += len(piece)
    return result


def test_a_word_mark_that_arrives_as_bytes_is_text(tmp_path):
    tokenizer = symbol_tables.build(
        tmp_path, symbol_tables.HEX_TABLE, byte_pieces="hex"
    )
    ids = [3 + byte for byte in "\u2581".encode()]
    assert tokenizer.decode([261, *ids, 261]) == "\u4f60\u2581\u4f60"


def test_a_blank_waits_for_a_character_that_may_be_one(tmp_path):
    tokenizer = symbol_tables.build(
        tmp_path, symbol_tables.HEX_TABLE, byte_pieces="hex"
    )
    space, han, ideographic = 0x20 + 3, [0xE4 + 3], [0xE3 + 3, 0x80 + 3, 0x80 + 3]
    state = tokenizer.new_decode_state()
    assert tokenizer.decode_incremental([261, space], state) == "\u4f60"
    assert tokenizer.decode_incremental(ideographic[:1], state) == ""
    assert tokenizer.decode_incremental(ideographic[1:], state) == ""
    assert tokenizer.decode_incremental(han, state) == " \u3000"
    assert state["text"] == "\u4f60 \u3000\ufffd"
