"""Random id sequences for streams: fragments, special and foreign ids, any cuts."""

from tests.tokenizers import laws

_FOREIGN = [-1, -(2**70), 2**31, 2**32, 2**63, 2**70]


def draw(rng, tokenizer, favourites):
    """Returns up to 24 ids: favourites, any, special ones, ones of no vocabulary."""
    specials = sorted(tokenizer.special_ids)[:50] or [-1]
    size = tokenizer.vocab_size
    choices = {
        0: lambda: rng.choice(favourites),
        1: lambda: rng.choice(favourites),
        2: lambda: rng.randrange(size),
        3: lambda: rng.choice(specials),
        4: lambda: rng.choice([*_FOREIGN, size, size + 1]),
    }
    # Some sequences are of favourites only, where characters come together.
    kinds = rng.choice([[0], [0, 2], [0, 1, 2, 3], [0, 1, 2, 3, 4]])
    return [choices[rng.choice(kinds)]() for _ in range(rng.randrange(25))]


def check_streams(rng, tokenizer, favourites, count, render):
    """Asserts laws 1 to 3, 5 and 7 on `count` sequences.

    Args:
      rng: the source of randomness.
      tokenizer: what is tested.
      favourites: ids that sequences hold often.
      count: the number of sequences.
      render: what the reference makes of ids that are neither special nor foreign.
    """
    size, specials = tokenizer.vocab_size, tokenizer.special_ids
    for _ in range(count):
        ids = draw(rng, tokenizer, favourites)
        text = render([i for i in ids if 0 <= i < size and i not in specials])
        assert tokenizer.decode(ids) == text
        cuts = [rng.randrange(len(ids) + 1) for _ in range(rng.randrange(6))]
        deltas, rest = laws.stream(tokenizer, ids, cuts)
        assert "".join(deltas) + rest == text
        given, rest = laws.one_by_one(tokenizer, ids)
        assert given + rest == text
        assert tokenizer.settled(ids) == len(given)
        pieces = tokenizer.token_pieces(ids)
        assert len(pieces) == len(ids)
        assert "".join(pieces) == text
