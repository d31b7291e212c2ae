"""Exact streams of text from a table of bytes per id."""

from collections.abc import Callable

import numpy as np

class Stream:
    """The progress of one stream: can be pickled and copied.

    Attributes:
      finished: whether it was ended.
      given_out: the deltas so far, joined.
      unsettled: how what is held back renders now.
    """

    def finish(self) -> str:
        """Ends the stream; returns the text held back until now."""

    @property
    def finished(self) -> bool: ...
    @property
    def given_out(self) -> str: ...
    @property
    def unsettled(self) -> str: ...

class PieceTable:
    """The bytes of each id in [0, size); filled as ids come.

    The text of an id may depend on whether the rules for the start of a text lie
    behind, and on nothing else. Ids outside render nothing.
    """

    def __init__(
        self,
        size: int,
        *,
        marks_each_byte: bool,
        strips_ends: bool,
        undoes_runs: bool = False,
        first_dropped: str = "",
    ) -> None: ...
    def set(
        self,
        id: int,
        at_start: bytes,
        later: bytes,
        ends_start: bool,
        is_byte: bool = False,
    ) -> None:
        """Says what an id renders at the start and behind it.

        Args:
          id: in [0, size).
          at_start: its bytes at the start of a text.
          later: its bytes behind that; if either is no whole characters, the same.
          ends_start: whether what follows is beyond the start.
          is_byte: whether it is of a run that a bad byte undoes.
        """

    def drop(self, id: int) -> None:
        """Says that an id renders nothing and changes nothing."""

    def new_stream(self) -> Stream:
        """Returns the stream of a text of which nothing was decoded."""

    def missing(self, ids: list[int]) -> list[int]:
        """Returns those of `ids` of which nothing was said."""

    def feed(self, ids: list[int], stream: Stream) -> str | None:
        """Returns the text that `ids` settle.

        None if one is missing or no plain integer; the stream is as before.
        """

    def token_pieces(self, ids: list[int]) -> list[str] | None:
        """Returns the text each id adds; None if one is missing."""

    def joined_pieces(
        self, ids: list[int]
    ) -> tuple[bytes, np.ndarray[tuple[int], np.dtype[np.int64]]] | None:
        """Returns the UTF-8 of all pieces and where each ends; None as above."""

def make_feeder(
    table: PieceTable, state_type: type, otherwise: Callable[..., str]
) -> Callable[..., str]:
    """Returns a callable `feed(ids, state)` that costs no Python frame.

    It answers a plain list of ids that the table knows and an open state of exactly
    `state_type`, whose attribute `stream` is a Stream; all else goes to `otherwise`.
    """
