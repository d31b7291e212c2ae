"""Checks of a sentencepiece tokenizer on one id sequence, against the library."""

import itertools

from tests.tokenizers import sentencepiece_laws
from tests.tokenizers import sentencepiece_models

# Of these bytes most neighbours are broken characters.
_FRAGMENTS = bytes.fromhex("E2 96 81 F0 9F 98 80 E4 BD A0 C0 ED A0 20 EF BF BD 41")


def random_ids(rng, processor):
    """A sequence with many fragments, blanks, special ids and ids out of range."""
    size = processor.get_piece_size()
    fragments = sentencepiece_laws.byte_ids(processor, _FRAGMENTS)
    often = [*fragments, processor.piece_to_id("\u2581"), 0, 1, 2, -1, size, 2**40]
    one = (lambda: rng.randrange(size), lambda: rng.choice(often))
    share = rng.random()
    return [one[rng.random() < share]() for _ in range(rng.randrange(16))]


def check_stream(tokenizer, processor, ids, cuts):
    """Laws 2 to 4, chunk by chunk."""
    state, given = tokenizer.new_decode_state(), ""
    for start, end in itertools.pairwise([0, *cuts, len(ids)]):
        given += tokenizer.decode_incremental(ids[start:end], state)
        kept = [i for i in ids[:end] if tokenizer.is_text([i]).all()]
        assert state["text"] == processor.decode(kept)
        assert given == sentencepiece_models.reference_settled(processor, kept)
    assert given + tokenizer.flush_incremental(state) == processor.decode(kept)


def check_pieces(tokenizer, processor, ids):
    """Law 5, by what the library says each id has."""
    kept = [i for i in ids if tokenizer.is_text([i]).all()]
    expected = iter(sentencepiece_models.reference_pieces(processor, kept))
    for token_id, piece in zip(ids, tokenizer.token_pieces(ids), strict=True):
        is_text = tokenizer.is_text([token_id]).all()
        assert piece == (next(expected) if is_text else "")
