"""Random id sequences: fragments, special and foreign ids, any cuts."""

import pickle

from tests.tokenizers import law_checks

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


def check_laws(rng, tokenizer, favourites, count, render):
    """Asserts the laws of ids on `count` sequences.

    Args:
      rng: the source of randomness.
      tokenizer: what is tested.
      favourites: ids that sequences hold often.
      count: the number of sequences.
      render: what the reference makes of ids that are neither special nor foreign.
    """
    size, specials = tokenizer.vocab_size, tokenizer.special_ids
    twin = pickle.loads(pickle.dumps(tokenizer))
    for _ in range(count):
        ids = draw(rng, tokenizer, favourites)
        text = render([i for i in ids if 0 <= i < size and i not in specials])
        assert tokenizer.decode(ids) == text
        cuts = [rng.randrange(len(ids) + 1) for _ in range(rng.randrange(6))]
        law_checks.check_all(tokenizer, twin, ids, cuts)
