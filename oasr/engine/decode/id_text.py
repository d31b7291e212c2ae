"""The text of ids for which there is no vocabulary: their numbers."""

import numpy as np

from oasr.tokenizers import base
from oasr.tokenizers import decode_state
from oasr.tokenizers import spec
from oasr.tokenizers import token_ids


class IdText(base.Tokenizer):
    """Writes the ids but 0, 1 and 2 as numbers with a space between.

    Any other integer is rendered, a negative one included. Nothing that was written
    changes, so a stream needs to know no more than whether it has begun.
    """

    supports_encode = False

    @property
    def vocab_size(self) -> int:
        """Zero: there is no vocabulary, and ids are rendered all the same."""
        return 0

    @property
    def special_ids(self) -> frozenset[int]:
        """The ids `decode` drops."""
        return spec.DEFAULT_SPECIAL_IDS

    def decode(self, ids: token_ids.TokenIds) -> str:
        """Returns the numbers of `ids`, special ids dropped."""
        return " ".join(self._numbers(token_ids.as_list(ids)))

    def encode(self, text: str, *, split_special_tokens: bool = False) -> list[int]:
        """Raises NotImplementedError: there is no vocabulary."""
        raise NotImplementedError(
            "Text has no ids without a tokenizer. The kinds that can encode are"
            " funasr_char, huggingface, sentencepiece and whisper."
        )

    def settled(self, ids: token_ids.TokenIds) -> int:
        """Returns the length of `decode(ids)`: later ids only follow."""
        return len(self.decode(ids))

    def decode_incremental(
        self, new_ids: token_ids.TokenIds, state: decode_state.DecodeState
    ) -> str:
        """Returns the numbers of `new_ids`, behind a space unless they are first."""
        state = self._open_state(state, decode_state.DecodeState)
        numbers = self._numbers(token_ids.as_list(new_ids))
        if not numbers:
            return ""
        lead = " " if state.get("begun", False) else ""
        state["begun"] = True
        return state.give_out(lead + " ".join(numbers))

    def token_pieces(self, ids: token_ids.TokenIds) -> list[str]:
        """Returns each id's number, behind a space but for the first."""
        state = self.new_decode_state()
        return [self.decode_incremental([i], state) for i in token_ids.as_list(ids)]

    def is_text(
        self, ids: token_ids.TokenIds
    ) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """Returns for each id whether it is not special."""
        found = (i not in spec.DEFAULT_SPECIAL_IDS for i in token_ids.as_list(ids))
        return np.fromiter(found, np.bool_)

    def _numbers(self, ids: list[int]) -> list[str]:
        return [str(i) for i in ids if i not in spec.DEFAULT_SPECIAL_IDS]
