"""Streams over a runtime that renders ids: a bounded window instead of the prefix.

A delta renders the new ids behind the few whose text is not whole yet, and gives out
what no later id can change. What may still change is told from bytes, so the window
is cut at whole characters, and a state of a few bytes says what is pending.
"""

import abc
from collections.abc import Iterable, Mapping
import itertools
from typing import Any, ClassVar

import numpy as np

from oasr.tokenizers import base
from oasr.tokenizers import decode_state
from oasr.tokenizers import piece_streams
from oasr.tokenizers import token_ids
from oasr.tokenizers import utf8_tail
from oasr.tokenizers import window_state
from oasr.tokenizers import windowed_pieces

_BROKEN = window_state.BROKEN


class WindowedIncrementalTokenizer(base.Tokenizer):
    """A tokenizer over a runtime, with deltas whose cost does not grow.

    A subclass calls `_set_kept`, provides `_render`, and says by the attributes below
    what its runtime does to bytes and to the start of a text. The text of ids must be
    a function of their bytes and of what `_context_behind` returns: a runtime that
    does more is not `_windowed` and takes the quadratic defaults of the base class.

    Attributes:
      _windowed: whether deltas and pieces go by the window.
      _strips_ends: whether `decode` strips both ends of what `_render` returns.
      _marks_each_byte: whether a broken character is one mark per byte, as
        SentencePiece writes it, and not a single one, as byte-level decoders do.
      _undoes_runs: whether one bad byte turns a whole run of byte ids into one mark
        per byte, as the ByteFallback decoder of `tokenizers` does. Each byte id then
        holds one byte.
      _bytes: the bytes of each id that may hold a part of a character. An id that is
        missing here renders whole characters and ends a run of byte ids.
      _primer: ids that render to visible text at the start of a text and lead beyond
        the rules for it; empty where the start has no rules.
      _first_dropped: the character that the rules for the start leave out where a run
        of byte ids begins the text with it.
    """

    _strips_ends: ClassVar[bool] = False
    _windowed: bool = True
    _marks_each_byte: bool = False
    _undoes_runs: bool = False
    _bytes: Mapping[int, bytes] = {}
    _primer: tuple[int, ...] = ()
    _first_dropped: str = ""
    # A native table in place of the window, where the text of an id depends on
    # nothing but whether the start lies behind.
    _streams: piece_streams.PieceStreams | None = None
    _first: int
    _last: int
    # Flags of the dropped ids between these; empty if there is none.
    _inner: bytes
    # What an id of whole characters renders to behind its context, asked once.
    _whole_texts: dict[int, str]

    @abc.abstractmethod
    def _render(self, ids: list[int]) -> str:
        """Returns the runtime's text of kept ids, from the start of a text.

        Nothing is stripped here for `_strips_ends`.
        """

    def _ends_start(self, token_id: int) -> bool:
        """Returns whether ids behind this one are beyond the rules for the start.

        An id of which this is False renders nothing at the start of a text, and what
        follows is at the start still.
        """
        return True

    def _context_behind(self, ids: list[int]) -> tuple[int, ...]:
        """Returns ids behind which later ids render as they do behind `ids`.

        Args:
          ids: the kept ids, at least one, that just left the window; the text is
            beyond the rules for its start.
        """
        return self._primer

    def _set_kept(self, size: int, dropped: Iterable[int]) -> None:
        """Says which ids reach the runtime: those in [0, size) that are not dropped.

        Args:
          size: one more than the largest id that renders.
          dropped: special ids, gaps, and ids that render nothing and change nothing
            wherever they stand.
        """
        # A byte for each id: gaps may be three times as many as texts.
        self._dropped = token_ids.flags(dropped, size)
        # Most vocabularies have their special ids at one end, so that a comparison
        # tells them.
        self._last = self._dropped.rfind(0) + 1
        self._first = self._dropped.find(0) if self._last else 0
        any_inner = self._dropped.find(1, self._first, self._last) >= 0
        self._inner = self._dropped if any_inner else b""
        self._whole_texts: dict[int, str] = {}

    def _use_table(self) -> None:
        """Has streams and pieces read from a native table, where one serves.

        Called when all attributes are set, by kinds whose `_context_behind` is always
        the primer. The window stays what the table is held against.
        """
        if self._windowed:
            self._streams = piece_streams.PieceStreams(
                self._last,
                self._piece,
                marks_each_byte=self._marks_each_byte,
                strips_ends=self._strips_ends,
                undoes_runs=self._undoes_runs,
                first_dropped=self._first_dropped,
            )
            # In place of the method, so that the usual delta costs no Python frame;
            # what a subclass does instead is its own affair.
            method = WindowedIncrementalTokenizer.decode_incremental
            if type(self).decode_incremental is method:
                quick = self._streams.decoder(self.decode_incremental)
                self.decode_incremental = quick  # type: ignore[method-assign]

    def _piece(self, token_id: int) -> piece_streams.Piece | None:
        """Returns what one id renders, as the runtime says; None if it is dropped."""
        if not self._keeps(token_id):
            return None
        ends_start = not self._primer or self._ends_start(token_id)
        part = self._bytes.get(token_id)
        if part is not None:
            return piece_streams.Piece(part, part, ends_start, self._undoes_runs)
        lead = self._render(list(self._primer)) if self._primer else ""
        later = self._render([*self._primer, token_id])[len(lead) :]
        at_start = self._render([token_id]) if self._primer else later
        return piece_streams.Piece(at_start.encode(), later.encode(), ends_start)

    def __getstate__(self) -> dict[str, Any]:
        derived = ("_streams", "_whole_texts", "decode_incremental")
        return {n: v for n, v in self.__dict__.items() if n not in derived}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._whole_texts = {}

    def _keeps(self, token_id: int) -> bool:
        """Returns whether an id reaches the runtime."""
        inside = self._first <= token_id < self._last
        return inside and not (self._inner and self._inner[token_id])

    def _kept(self, ids: token_ids.TokenIds) -> list[int]:
        """Returns the ids that reach the runtime, possibly `ids` itself."""
        return token_ids.select(ids, self._first, self._last, self._inner)

    def decode(self, ids: token_ids.TokenIds) -> str:
        """Returns the runtime's text of `ids`, special ids dropped."""
        text = self._render(self._kept(ids))
        return text.strip() if self._strips_ends else text

    def settled(self, ids: token_ids.TokenIds) -> int:
        """Returns how many characters of `decode(ids)` no later id can change."""
        if not self._windowed:
            return super().settled(ids)
        return len(self.decode_incremental(ids, self.new_decode_state()))

    def new_decode_state(self) -> decode_state.DecodeState:
        """Returns the state of a stream of which nothing was decoded."""
        if not self._windowed:
            return super().new_decode_state()
        if self._streams is not None:
            return self._streams.new_state()
        if self._strips_ends:
            return window_state.StrippedWindowState()
        return window_state.WindowState()

    def decode_incremental(
        self, new_ids: token_ids.TokenIds, state: decode_state.DecodeState
    ) -> str:
        """Returns the text that `new_ids` settle; renders at most three earlier ids."""
        if self._streams is not None:
            table_state = self._open_state(state, piece_streams.TableState)
            return self._streams.feed_any(new_ids, table_state.stream)
        if not self._windowed:
            return super().decode_incremental(new_ids, state)
        stream = self._open_state(state, window_state.WindowState)
        new = token_ids.select(new_ids, self._first, self._last, self._inner)
        return stream.settle(self._advance(new, stream)) if new else ""

    def token_pieces(self, ids: token_ids.TokenIds) -> list[str]:
        """Returns the text each id adds; the pieces join to `decode(ids)`."""
        if self._streams is not None:
            return self._streams.token_pieces(ids)
        if not self._windowed:
            return super().token_pieces(ids)
        close_run = self._close_run if self._undoes_runs else None
        pieces = windowed_pieces.Pieces(self._advance, close_run, self._bytes)
        for token_id in token_ids.as_list(ids):
            pieces.add(token_id, kept=self._keeps(token_id))
        texts = pieces.finish()
        return windowed_pieces.stripped(texts) if self._strips_ends else texts

    def joined_pieces(
        self, ids: token_ids.TokenIds
    ) -> tuple[bytes, np.ndarray[tuple[int], np.dtype[np.int64]]]:
        """Returns the UTF-8 of all pieces, and the byte at which each ends."""
        if self._streams is None:
            return super().joined_pieces(ids)
        return self._streams.joined_pieces(ids)

    def _advance(self, new: list[int], state: window_state.WindowState) -> str:
        """Takes kept ids in; returns the runtime's text that they settle."""
        if len(new) == 1 and not state.pending and not state.run_length:
            text = self._whole_text(new[0], state)
            if text is not None:
                return text
        if not self._undoes_runs:
            return self._advance_window(new, state)
        settled = []
        for in_run, group in itertools.groupby(new, self._bytes.__contains__):
            if in_run:
                settled.append(self._advance_run(list(group), state))
            else:
                settled.append(self._close_run(state))
                settled.append(self._advance_window(list(group), state))
        return "".join(settled)

    def _whole_text(self, token_id: int, state: window_state.WindowState) -> str | None:
        """Returns the text of an id that leaves the window empty, if it is one."""
        text = self._whole_texts.get(token_id)
        # Where the context stays as it is, it is always the same one for this id.
        if state.context != self._context_behind([token_id]):
            return None
        if text is None and token_id not in self._bytes:
            text = self._whole_texts[token_id] = self._in_context([token_id], state)
        return text

    def _advance_window(self, new: list[int], state: window_state.WindowState) -> str:
        """Returns what new ids settle of the window; cuts it behind that."""
        window = state.window + new
        pending, length, split = self._unfinished(window)
        gone, kept = window[: len(window) - length], window[len(window) - length :]
        marks = len(pending) if self._marks_each_byte else len(pending[:1])
        settled, given = "", 0
        if gone or split:
            text = self._in_context(window, state)
            settled = text[state.given : len(text) - marks]
        if gone:
            self._leave(gone, state)
        if split:
            # What the first id holds beside the pending bytes was given out: whole
            # characters, and marks for the end of one that began before the cut.
            given = len(self._in_context(kept, state)) - marks
        state.window, state.given = kept, given
        state.pending, state.marks = pending, marks
        return settled

    def _unfinished(self, window: list[int]) -> tuple[bytes, int, bool]:
        """Looks for an unfinished character at the end of the window.

        Returns:
          Its bytes, how many ids hold them, and whether these hold more than them.
        """
        content = b""
        for length, token_id in enumerate(reversed(window), start=1):
            part = self._bytes.get(token_id)
            if part is None:
                break
            content = part + content
            tail = utf8_tail.incomplete_tail(content)
            if tail:
                return tail, length, len(tail) < len(content)
            if len(content) >= utf8_tail.LONGEST:
                break
        return b"", 0, False

    def _advance_run(self, new: list[int], state: window_state.WindowState) -> str:
        """Returns what byte ids settle of a run that one bad byte undoes."""
        state.run_length += len(new)
        if state.run_broken:
            return _BROKEN * len(new)
        content = state.pending + b"".join(map(self._bytes.__getitem__, new))
        window = state.window + new
        finished = len(content) - len(utf8_tail.incomplete_tail(content))
        try:
            content[:finished].decode()
        except UnicodeDecodeError:
            self._leave(window, state)
            state.run_broken, state.run = True, bytearray()
            state.window, state.pending = [], b""
            return _BROKEN * state.run_length
        if finished:
            state.run += self._in_context(window[:finished], state).encode()
            self._leave(window[:finished], state)
        state.window, state.pending = window[finished:], content[finished:]
        return ""

    def _close_run(self, state: window_state.WindowState) -> str:
        """Ends a run of byte ids; returns its text that was held back until now."""
        if state.window:
            self._leave(state.window, state)
        return state.close_run()

    def _in_context(self, ids: list[int], state: window_state.WindowState) -> str:
        """Returns the text of `ids` where the stream stands."""
        return self._render([*state.context, *ids])[state.context_length :]

    def _leave(self, ids: list[int], state: window_state.WindowState) -> None:
        """Notes that `ids` left the window."""
        if not state.past_start:
            state.past_start = any(map(self._ends_start, ids))
        if not state.past_start:
            return
        context = self._context_behind(ids)
        if context != state.context:
            state.context = context
            state.context_length = len(self._render(list(context))) if context else 0
