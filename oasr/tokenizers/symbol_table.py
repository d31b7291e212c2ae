"""Symbol tables: one piece per id, as in `units.txt` and `tokens.txt`."""

from collections.abc import Iterable
import operator
import os
from typing import Any

import numpy as np

from oasr._native import symbol_table as _native
from oasr.tokenizers import base
from oasr.tokenizers import byte_pieces as piece_readers
from oasr.tokenizers import decode_state
from oasr.tokenizers import piece_streams
from oasr.tokenizers import spec as tokenizer_spec
from oasr.tokenizers import stripped_stream
from oasr.tokenizers import symbol_table_file
from oasr.tokenizers import token_ids

_OPTIONS = frozenset({"special_ids", "strict", "byte_pieces"})


class SymbolTableTokenizer(base.Tokenizer):
    """Looks pieces up by id. Decode-only: a table cannot segment text.

    The text of a hypothesis is its pieces, joined, U+2581 replaced by a space, and
    stripped at both ends.

    Args:
      table_path: a file of `<piece> <id>` lines.
      special_ids: the ids `decode` drops; by default {0, 1, 2}.
      strict: refuse a malformed line; else read as OASR's first reader did.
      byte_pieces: "none"; "hex", where a piece `<0xE4>` is that byte; or "bbpe",
        where pieces are written in icefall's letters for bytes.

    Raises:
      AssetError: if the table is absent or malformed, naming file and line.
      ValueError: for an option without such a value.
    """

    supports_encode = False

    def __init__(
        self,
        table_path: str | os.PathLike[str],
        special_ids: Iterable[int] | None = None,
        *,
        strict: bool = True,
        byte_pieces: str = "none",
    ) -> None:
        if not isinstance(byte_pieces, str) or byte_pieces not in piece_readers.READERS:
            raise ValueError(
                f"byte_pieces must be one of {sorted(piece_readers.READERS)},"
                f" got {byte_pieces!r}."
            )
        if not isinstance(strict, bool):
            raise ValueError(f"strict must be True or False, got {strict!r}.")
        if special_ids is None:
            special_ids = tokenizer_spec.DEFAULT_SPECIAL_IDS
        read_table = (
            symbol_table_file.read_symbol_table
            if strict
            else symbol_table_file.read_historical_table
        )
        pieces = read_table(table_path)
        self._special_ids = token_ids.as_set(special_ids)
        self._vocab_size = max(pieces.keys() | {-1}) + 1
        # Of equal pieces the first stays.
        self._ids = {piece: i for i, piece in reversed(pieces.items())}
        self.unk_id = self._ids.get("<unk>")
        read_piece = piece_readers.READERS[byte_pieces]
        self._set_bytes(
            {i: read_piece(p) for i, p in pieces.items() if i not in self._special_ids},
            whole_characters=byte_pieces == "none",
        )

    @classmethod
    def from_spec(cls, spec: tokenizer_spec.TokenizerSpec) -> "SymbolTableTokenizer":
        """Builds the tokenizer from the file `table` and this kind's options."""
        spec.check(files=frozenset({"table"}), options=_OPTIONS)
        options = {n: v for n, v in spec.options.items() if n != "special_ids"}
        return cls(spec.file("table"), spec.special_ids(), **options)

    @property
    def vocab_size(self) -> int:
        """One more than the largest id in the table."""
        return self._vocab_size

    @property
    def special_ids(self) -> frozenset[int]:
        """The ids `decode` drops."""
        return self._special_ids

    def decode(self, ids: token_ids.TokenIds) -> str:
        """Returns the pieces of `ids`, joined and stripped."""
        joined = self._joined(ids)
        text = joined if isinstance(joined, str) else joined.decode("utf-8", "replace")
        return text.strip()

    def piece_id(self, piece: str) -> int:
        """Returns the id of a piece, as the table spells it; the first of several.

        Raises:
          ValueError: if the table does not have it.
        """
        if piece not in self._ids:
            raise ValueError(f"The symbol table has no piece {piece!r}.")
        return self._ids[piece]

    def encode(self, text: str, *, split_special_tokens: bool = False) -> list[int]:
        """Raises NotImplementedError: a table does not say how text is segmented."""
        raise NotImplementedError(
            "A symbol_table cannot encode text: it does not say how text is cut into"
            " pieces. The kinds that can are funasr_char, huggingface, sentencepiece"
            " and whisper."
        )

    def settled(self, ids: token_ids.TokenIds) -> int:
        """Returns how many characters of `decode(ids)` no later id can change."""
        state = self.new_decode_state()
        return len(self.decode_incremental(ids, state))

    def new_decode_state(self) -> decode_state.DecodeState:
        """Returns the state of a stream of which nothing was decoded."""
        if self._dense:
            return self._streams.new_state()
        return stripped_stream.StrippedStream()

    def decode_incremental(
        self, new_ids: token_ids.TokenIds, state: decode_state.DecodeState
    ) -> str:
        """Returns the text that `new_ids` settle; looks at no earlier id."""
        if self._dense:
            table_state = self._open_state(state, piece_streams.TableState)
            return self._streams.feed_any(new_ids, table_state.stream)
        stream = self._open_state(state, stripped_stream.StrippedStream)
        joined = self._joined(new_ids)
        if isinstance(joined, str):
            return stream.feed(joined)
        return stream.feed_bytes(joined)

    def token_pieces(self, ids: token_ids.TokenIds) -> list[str]:
        """Returns the text each id adds; the pieces join to `decode(ids)`."""
        if self._dense:
            return self._streams.token_pieces(ids)
        return self._native.token_pieces(token_ids.as_list(ids))

    def joined_pieces(
        self, ids: token_ids.TokenIds
    ) -> tuple[bytes, np.ndarray[tuple[int], np.dtype[np.int64]]]:
        """Returns the UTF-8 of all pieces, and the byte at which each ends."""
        return self._native.joined_pieces(token_ids.as_list(ids))

    def is_text(
        self, ids: token_ids.TokenIds
    ) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """Returns for each id whether the table has it and it is not special."""
        return self._native.is_text(token_ids.as_list(ids))

    def __getstate__(self) -> dict[str, Any]:
        derived = ("_native", "_pieces", "_dense", "_streams", "decode_incremental")
        return {n: v for n, v in self.__dict__.items() if n not in derived}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._set_bytes(state["_bytes"], whole_characters=state["_whole_characters"])

    def _set_bytes(self, pieces: dict[int, bytes], *, whole_characters: bool) -> None:
        """Keeps the bytes of each id that is rendered, in three shapes."""
        self._bytes = pieces
        self._whole_characters = whole_characters
        self._native = _native.SymbolTable(pieces)
        # Joined as text where each piece is whole characters, else as bytes.
        self._pieces: dict[int, Any] = (
            {i: p.decode() for i, p in pieces.items()} if whole_characters else pieces
        )
        # A list is faster than a dictionary; a table with few, large ids, or with the
        # negative ones that the historical reader lets through, has none.
        size = max(pieces, default=-1) + 1
        empty: Any = "" if whole_characters else b""
        self._dense = (
            [self._pieces.get(i, empty) for i in range(size)]
            if size <= 4 * len(pieces) + 1024 and min(pieces, default=0) >= 0
            else []
        )
        self._streams = piece_streams.PieceStreams(
            len(self._dense), self._piece, marks_each_byte=False, strips_ends=True
        )
        # In place of the method, so that the usual delta costs no Python frame; what a
        # subclass does instead is its own affair.
        method = SymbolTableTokenizer.decode_incremental
        if self._dense and type(self).decode_incremental is method:
            quick = self._streams.decoder(self.decode_incremental)
            self.decode_incremental = quick  # type: ignore[method-assign]

    def _piece(self, token_id: int) -> piece_streams.Piece | None:
        """Returns the bytes of an id, None if it renders nothing."""
        content = self._bytes.get(token_id)
        return None if content is None else piece_streams.Piece(content, content)

    def _joined(self, ids: token_ids.TokenIds) -> str | bytes:
        """Returns the pieces of `ids`, joined: text, or bytes for byte pieces."""
        if token_ids.in_range(ids, len(self._dense)) and len(ids) > 1:
            pieces = operator.itemgetter(*ids)(self._dense)
        else:
            found = (self._pieces.get(i) for i in token_ids.as_list(ids))
            pieces = [piece for piece in found if piece is not None]
        return "".join(pieces) if self._whole_characters else b"".join(pieces)
