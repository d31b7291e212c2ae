"""The laws as checks of one id sequence, for drawn ids and for long random runs."""

import copy
import itertools
import pickle

import numpy as np


def stream(tokenizer, ids, cuts=()):
    """Streams `ids` cut at `cuts`; returns the deltas and the flushed rest."""
    state, deltas = tokenizer.new_decode_state(), []
    edges = [0, *sorted(cuts), len(ids)]
    for start, end in itertools.pairwise(edges):
        deltas.append(tokenizer.decode_incremental(ids[start:end], state))
        assert state["text"] == tokenizer.decode(ids[:end])
    rest = tokenizer.flush_incremental(state)
    assert state["text"] == tokenizer.decode(ids)
    return deltas, rest


def one_by_one(tokenizer, ids):
    """Streams `ids` singly; returns the deltas joined and the flushed rest."""
    state = tokenizer.new_decode_state()
    given = "".join(tokenizer.decode_incremental([i], state) for i in ids)
    return given, tokenizer.flush_incremental(state)


def check_special(tokenizer, ids):
    """Law 1."""
    kept = [i for i in ids if i not in tokenizer.special_ids]
    assert tokenizer.decode(ids) == tokenizer.decode(kept)


def check_deltas(tokenizer, ids, cuts):
    """Laws 2 and 3."""
    deltas, rest = stream(tokenizer, ids, cuts)
    assert "".join(deltas) + rest == tokenizer.decode(ids)


def check_copies(tokenizer, ids, cut):
    """Laws 2 and 3 of a stream that forks or moves at `cut`."""
    state = tokenizer.new_decode_state()
    given = tokenizer.decode_incremental(ids[:cut], state)
    twins = [copy.copy(state), copy.deepcopy(state)]
    twins += [state.copy(), pickle.loads(pickle.dumps(state))]
    for twin in [*twins, state]:
        rest = tokenizer.decode_incremental(ids[cut:], twin)
        rest += tokenizer.flush_incremental(twin)
        assert given + rest == tokenizer.decode(ids)


def check_settled(tokenizer, ids):
    """Law 4, in part: a stream gives out what is settled, and no less."""
    settled = tokenizer.settled(ids)
    given, _ = one_by_one(tokenizer, ids)
    assert tokenizer.decode(ids)[:settled] == given


def check_pieces(tokenizer, ids):
    """Law 5."""
    pieces = tokenizer.token_pieces(ids)
    assert len(pieces) == len(ids)
    assert "".join(pieces) == tokenizer.decode(ids)
    for token_id, piece in zip(ids, pieces, strict=True):
        in_vocabulary = 0 <= token_id < tokenizer.vocab_size
        if token_id in tokenizer.special_ids or not in_vocabulary:
            assert piece == ""


def check_joined_pieces(tokenizer, ids):
    """Law 5, of the pieces in one buffer."""
    text, ends = tokenizer.joined_pieces(ids)
    assert ends.dtype == np.int64
    edges = [0, *ends.tolist()]
    pieces = [
        text[start:end].decode("utf-8", "surrogatepass")
        for start, end in itertools.pairwise(edges)
    ]
    assert pieces == tokenizer.token_pieces(ids)


def check_is_text(tokenizer, ids):
    """Law 5: what is special or foreign owns nothing, and lends nothing."""
    found = tokenizer.is_text(ids)
    assert isinstance(found, np.ndarray)
    assert (found.dtype, found.shape) == (np.bool_, (len(ids),))
    for token_id, is_text in zip(ids, found.tolist(), strict=True):
        if token_id in tokenizer.special_ids:
            assert not is_text
        if not 0 <= token_id < tokenizer.vocab_size:
            assert not is_text
        if tokenizer.decode([token_id]):
            assert is_text


def check_types(tokenizer, ids):
    """Law 7: any sequence of integers will do."""
    text, pieces = tokenizer.decode(ids), tokenizer.token_pieces(ids)
    for same in (tuple(ids), np.array(ids, dtype=object)):
        assert tokenizer.decode(same) == text
        assert tokenizer.token_pieces(same) == pieces
    small = np.array([i for i in ids if abs(i) < 2**31], dtype=np.int32)
    assert tokenizer.decode(small) == tokenizer.decode(list(small))


def check_foreign(tokenizer, ids):
    """Law 7: ids outside the vocabulary render to nothing."""
    inside = [i for i in ids if 0 <= i < tokenizer.vocab_size]
    assert tokenizer.decode(ids) == tokenizer.decode(inside)


def check_twin(tokenizer, twin, ids):
    """Law 10: what was pickled and read again is the same."""
    assert twin.decode(ids) == tokenizer.decode(ids)
    assert one_by_one(twin, ids) == one_by_one(tokenizer, ids)
    assert twin.token_pieces(ids) == tokenizer.token_pieces(ids)


def check_all(tokenizer, twin, ids, cuts):
    """All of the above.

    Args:
      tokenizer: what is tested.
      twin: the same, pickled and read again.
      ids: any integers.
      cuts: where a stream of them is cut, and forks.
    """
    check_special(tokenizer, ids)
    check_deltas(tokenizer, ids, cuts)
    check_deltas(tokenizer, ids, range(len(ids)))
    check_copies(tokenizer, ids, cuts[0] if cuts else 0)
    check_settled(tokenizer, ids)
    check_pieces(tokenizer, ids)
    check_joined_pieces(tokenizer, ids)
    check_is_text(tokenizer, ids)
    check_types(tokenizer, ids)
    check_foreign(tokenizer, ids)
    check_twin(tokenizer, twin, ids)
