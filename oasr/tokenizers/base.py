"""The text boundary of one vocabulary: token ids to text, and back.

Every kind keeps the laws stated in `tests/tokenizers/laws.py`; a kind that
overrides a method for speed keeps the same laws. The defaults here are right for
every kind whose text only grows, and quadratic in the length of the text.
"""

import abc
import itertools
import os
from typing import ClassVar, TypeVar

import numpy as np

from oasr.tokenizers import decode_state
from oasr.tokenizers import token_ids

_StateT = TypeVar("_StateT", bound=decode_state.DecodeState)
_BROKEN = "\ufffd"  # What a decoder writes for bytes that are no character.


class Tokenizer(abc.ABC):
    """Renders token ids as text and, where the kind can, text as token ids.

    A tokenizer does not change after construction, can be pickled, and is safe to
    share between threads: all progress lives in the caller's state. An id that is
    outside the vocabulary, a negative one included, renders to nothing.

    Attributes:
      supports_encode: whether `encode` works; the method itself is always there.
      unk_id: the id of text that the vocabulary lacks, if it has one.
    """

    supports_encode: ClassVar[bool] = True
    unk_id: int | None = None

    @property
    @abc.abstractmethod
    def vocab_size(self) -> int:
        """One more than the largest id that `decode` can render."""

    @property
    @abc.abstractmethod
    def special_ids(self) -> frozenset[int]:
        """The ids `decode` drops, and no others."""

    @abc.abstractmethod
    def decode(self, ids: token_ids.TokenIds) -> str:
        """Returns the text of `ids`, special ids dropped.

        Raises:
          TypeError: if an id is no integer, naming its position.
        """

    @abc.abstractmethod
    def encode(self, text: str, *, split_special_tokens: bool = False) -> list[int]:
        """Returns the ids of `text`, no template ids added.

        Args:
          text: any text.
          split_special_tokens: treat all of `text` as a user's: what looks like a
            control token in it is text, and becomes no control id.

        Raises:
          NotImplementedError: if the kind cannot encode.
        """

    def settled(self, ids: token_ids.TokenIds) -> int:
        """Returns how many characters of `decode(ids)` no later id can change."""
        return len(self.decode(ids).rstrip(_BROKEN))

    def new_decode_state(self) -> decode_state.DecodeState:
        """Returns the state of a stream of which nothing was decoded."""
        return decode_state.DecodeState()

    def decode_incremental(
        self, new_ids: token_ids.TokenIds, state: decode_state.DecodeState
    ) -> str:
        """Returns the text that `new_ids` settle; nothing of it is ever taken back.

        Args:
          new_ids: the ids since the last call, any number of them.
          state: from `new_decode_state`; afterwards `state["text"]` is the text of
            all ids so far.

        Raises:
          TypeError: if an id is no integer, or the state is none of this kind; the
            state is as before.
          ValueError: if the stream was flushed.
        """
        state = self._open_state(state, decode_state.DecodeState)
        ids = [*state.get("ids", []), *token_ids.as_list(new_ids)]
        text, given_out = self.decode(ids), state.given_out
        if not text.startswith(given_out):
            raise RuntimeError(
                f"{type(self).__name__}.decode changed text that its settled() had"
                f" called final: {given_out[-40:]!r} does not begin {text[:80]!r}."
            )
        settled = max(self.settled(ids), len(given_out))
        state["ids"] = ids
        return state.give_out(text[len(given_out) : settled], held=text[settled:])

    def flush_incremental(self, state: decode_state.DecodeState) -> str:
        """Ends a stream; returns the text held back until now, "" the second time.

        Raises:
          TypeError: if the state is none of a stream.
        """
        if not isinstance(state, decode_state.DecodeState):
            raise TypeError(
                f"Expected a state of {type(self).__name__}.new_decode_state(); got"
                f" {type(state).__name__}."
            )
        return state.finish()

    def token_pieces(self, ids: token_ids.TokenIds) -> list[str]:
        """Returns the text each id adds; the pieces join to `decode(ids)`."""
        # What decode(ids[:n]) shares with the final text only ever grows, so the
        # differences join to it even where a kind rewrites what it rendered.
        ids = token_ids.as_list(ids)
        text, ends = self.decode(ids), [0]
        for n in range(1, len(ids) + 1):
            shared = os.path.commonprefix([self.decode(ids[:n]), text])
            ends.append(max(ends[-1], len(shared)))
        return [text[start:end] for start, end in itertools.pairwise(ends)]

    def joined_pieces(
        self, ids: token_ids.TokenIds
    ) -> tuple[bytes, np.ndarray[tuple[int], np.dtype[np.int64]]]:
        """Returns the pieces as native code takes them, no object per id.

        Returns:
          The UTF-8 of all pieces, and the byte `[N]` at which each piece ends.
        """
        pieces = [p.encode("utf-8", "surrogatepass") for p in self.token_pieces(ids)]
        lengths = np.fromiter(map(len, pieces), np.int64, len(pieces))
        return b"".join(pieces), np.cumsum(lengths)

    def is_text(
        self, ids: token_ids.TokenIds
    ) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """Returns `[N]`, for each id whether it is neither special nor out of range."""
        return token_ids.mask(ids, 0, self.vocab_size, self.special_ids)

    def _open_state(
        self, state: decode_state.DecodeState, kind: type[_StateT]
    ) -> _StateT:
        """Returns the state of a stream that may go on, or refuses it."""
        if not isinstance(state, kind):
            raise TypeError(
                f"Expected a state of {type(self).__name__}.new_decode_state(), a"
                f" {kind.__name__}; got {type(state).__name__}."
            )
        if state.finished:
            raise ValueError(
                "This stream was flushed; new ids need a new state"
                " (new_decode_state())."
            )
        return state
