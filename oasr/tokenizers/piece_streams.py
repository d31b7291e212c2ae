"""Streams and pieces from a native table of bytes per id, in place of the runtime.

For kinds in which the text of an id depends on nothing but whether the rules for the
start of a text lie behind. What an id renders is asked of the kind once, when the id
first comes, so that building a tokenizer costs nothing more.
"""

from collections.abc import Callable
import dataclasses
from typing import Any

import numpy as np

from oasr._native import piece_table as native
from oasr.tokenizers import decode_state
from oasr.tokenizers import token_ids


class TableState(decode_state.DecodeState):
    """The progress of a stream that a native table reads.

    Attributes:
      stream: all there is to it, in native code.
    """

    def __init__(self, stream: native.Stream | None = None) -> None:
        super().__init__()
        self.stream = native.Stream() if stream is None else stream

    @property
    def given_out(self) -> str:
        """The deltas so far, joined."""
        return self.stream.given_out

    def finish(self) -> str:
        """Gives out what is held back, and ends the stream."""
        self.finished = True
        return self.stream.finish()

    def _unsettled(self) -> str:
        return self.stream.unsettled


@dataclasses.dataclass(frozen=True)
class Piece:
    """What one id renders.

    Attributes:
      at_start: its bytes where nothing has ended the rules for the start of a text.
      later: its bytes anywhere else.
      ends_start: whether it ends those rules.
      is_byte: whether it is of a run that a bad byte undoes.
    """

    at_start: bytes
    later: bytes
    ends_start: bool = True
    is_byte: bool = False


class PieceStreams:
    """A native table, and how to learn what it lacks.

    Args:
      size: one more than the largest id that renders.
      piece_of: what an id renders; None for one that renders nothing and changes
        nothing.
      marks_each_byte: whether a broken character is one mark per byte.
      strips_ends: whether the text is stripped at both ends.
      undoes_runs: whether one bad byte turns a whole run of byte ids into marks.
      first_dropped: the character that is left out if a run of byte ids begins the
        text with it.
    """

    def __init__(
        self,
        size: int,
        piece_of: Callable[[int], Piece | None],
        *,
        marks_each_byte: bool,
        strips_ends: bool,
        undoes_runs: bool = False,
        first_dropped: str = "",
    ) -> None:
        self._piece_of = piece_of
        self._table = native.PieceTable(
            size,
            marks_each_byte=marks_each_byte,
            strips_ends=strips_ends,
            undoes_runs=undoes_runs,
            first_dropped=first_dropped,
        )

    def decoder(self, otherwise: Callable[..., str]) -> Callable[..., str]:
        """Returns a `decode_incremental` that costs no Python frame.

        Args:
          otherwise: the one that answers all but plain lists of known ids.
        """
        return native.make_feeder(self._table, TableState, otherwise)

    def new_state(self) -> TableState:
        """Returns the state of a stream of which nothing was decoded."""
        return TableState(self._table.new_stream())

    def feed_any(self, ids: token_ids.TokenIds, stream: native.Stream) -> str:
        """Returns the text that `ids`, of any type and known or not, settle."""
        return self._known(self._table.feed, ids, stream)  # type: ignore[no-any-return]

    def token_pieces(self, ids: token_ids.TokenIds) -> list[str]:
        """Returns the text each id adds."""
        # The usual list needs no further look: the table gives None for any other.
        found = self._table.token_pieces(ids) if type(ids) is list else None
        if found is not None:
            return found
        return self._known(self._table.token_pieces, ids)  # type: ignore[no-any-return]

    def joined_pieces(
        self, ids: token_ids.TokenIds
    ) -> tuple[bytes, np.ndarray[tuple[int], np.dtype[np.int64]]]:
        """Returns the UTF-8 of all pieces, and the byte at which each ends."""
        return self._known(self._table.joined_pieces, ids)  # type: ignore[no-any-return]

    def _known(
        self, call: Callable[..., Any], ids: token_ids.TokenIds, *arguments: Any
    ) -> Any:
        """Calls a method of the table, which gives None until it knows all ids."""
        plain = token_ids.as_list(ids)
        found = call(plain, *arguments)
        if found is None:
            self._learn(plain)
            found = call(plain, *arguments)
        return found

    def _learn(self, ids: list[int]) -> None:
        for token_id in self._table.missing(ids):
            piece = self._piece_of(token_id)
            if piece is None:
                self._table.drop(token_id)
            else:
                self._table.set(
                    token_id,
                    piece.at_start,
                    piece.later,
                    piece.ends_start,
                    piece.is_byte,
                )
