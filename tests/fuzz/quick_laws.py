"""The laws of tokenizers on one list of ids or one text, for any tokenizer."""

import copy
import pickle

import numpy as np

from oasr import tokenizers
from tests.tokenizers import laws


def check_ids(tokenizer: tokenizers.Tokenizer, ids: list[int], cut: int = 1) -> None:
    """Asserts laws 1 to 3, 5, 7 and 10.

    Args:
      tokenizer: of any kind.
      ids: any integers.
      cut: how many of them come in a chunk.
    """
    text = tokenizer.decode(ids)
    kept = [i for i in ids if i not in tokenizer.special_ids]
    inside = [i for i in ids if 0 <= i < tokenizer.vocab_size]
    assert tokenizer.decode(kept) == text
    assert tokenizer.decode(inside) == text
    pieces = tokenizer.token_pieces(ids)
    assert len(pieces) == len(ids)
    assert "".join(pieces) == text
    assert 0 <= tokenizer.settled(ids) <= len(text)
    deltas, rest = laws.stream(tokenizer, ids, range(cut, len(ids), max(1, cut)))
    assert "".join(deltas) + rest == text
    _check_states(tokenizer, ids, text)


def _check_states(tokenizer: tokenizers.Tokenizer, ids: list[int], text: str) -> None:
    half = len(ids) // 2
    state = tokenizer.new_decode_state()
    given = tokenizer.decode_incremental(ids[:half], state)
    for twin in (pickle.loads(pickle.dumps(state)), copy.copy(state)):
        rest = tokenizer.decode_incremental(ids[half:], twin)
        assert given + rest + tokenizer.flush_incremental(twin) == text


def check_text(tokenizer: tokenizers.Tokenizer, text: str) -> None:
    """Asserts law 9, and that what was encoded can be decoded."""
    ids = tokenizer.encode(text, split_special_tokens=True)
    controls = (set(ids) & tokenizer.special_ids) - {tokenizer.unk_id}
    assert not controls, f"{text!r} becomes the control ids {controls}"
    for found in (ids, tokenizer.encode(text)):
        assert all(0 <= i < tokenizer.vocab_size for i in found)
        assert tokenizer.decode(found) == tokenizer.decode(np.array(found, np.int64))
