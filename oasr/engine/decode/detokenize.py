"""Renders ids: the one place of the engine where they become text."""

import os

import numpy as np
from numpy import typing as npt

from oasr import tokenizers
from oasr.engine.decode import id_text
from oasr.tokenizers import token_ids


class Detokenizer:
    """Renders the hypotheses of one deployment.

    Args:
      sentencepiece_model: accepted beside `unit_table`, and not used: the ids of the
        pieces there are not the ids of the output.
      unit_table: path of a `<piece> <id>` table, read as it always was; counts when
        there is no `tokenizer`.
      tokenizer: the one that the checkpoint's spec describes.

    With none of them the text of an id is its number.

    Attributes:
      tokenizer: what renders; None when ids are rendered as numbers.
    """

    def __init__(
        self,
        sentencepiece_model: str | os.PathLike[str] | None = None,
        unit_table: str | os.PathLike[str] | None = None,
        tokenizer: tokenizers.Tokenizer | None = None,
    ) -> None:
        del sentencepiece_model
        if tokenizer is None and unit_table is not None:
            tokenizer = tokenizers.SymbolTableTokenizer(
                unit_table, tokenizers.DEFAULT_SPECIAL_IDS, strict=False
            )
        self.tokenizer = tokenizer
        self._renderer = id_text.IdText() if tokenizer is None else tokenizer

    def detokenize(self, ids: token_ids.TokenIds) -> str:
        """Returns the text of `ids`."""
        return self._renderer.decode(ids)

    def new_state(self) -> tokenizers.DecodeState:
        """Returns the state of a stream of which nothing was rendered."""
        return self._renderer.new_decode_state()

    def detokenize_incremental(
        self, new_ids: token_ids.TokenIds, state: tokenizers.DecodeState
    ) -> str:
        """Returns the text that `new_ids` settle; nothing of it is taken back.

        Args:
          new_ids: the ids since the last call.
          state: from `new_state`; `state["text"]` is the text of all ids so far.
        """
        return self._renderer.decode_incremental(new_ids, state)

    def flush(self, state: tokenizers.DecodeState) -> str:
        """Ends a stream; returns the text held back until now."""
        return self._renderer.flush_incremental(state)

    def token_pieces(self, ids: token_ids.TokenIds) -> list[str]:
        """Returns the text each id adds; the pieces join to `detokenize(ids)`."""
        return self._renderer.token_pieces(ids)

    def joined_pieces(
        self, ids: token_ids.TokenIds
    ) -> tuple[bytes, npt.NDArray[np.int64]]:
        """Returns the UTF-8 of all pieces, and the byte `[N]` at which each ends."""
        return self._renderer.joined_pieces(ids)

    def is_text(self, ids: token_ids.TokenIds) -> npt.NDArray[np.bool_]:
        """Returns for each id whether it is neither special nor out of range."""
        return self._renderer.is_text(ids)
