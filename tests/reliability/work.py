"""Mixed work for a tokenizer: what it does with some ids and texts, all at once."""

from collections.abc import Sequence
import random
from typing import Any

from oasr import tokenizers
from tests.tokenizers import law_checks

_TEXTS = [
    "hello <s> 你好",
    "naïve  <0> 😀",
    "",
    "lo▁ world<|endoftext|>\n",
    "好，abc 1",
]


def items(tokenizer: tokenizers.Tokenizer, *, count: int, seed: int) -> list[Any]:
    """Returns lists of ids, and of a kind that encodes also texts."""
    rng = random.Random(seed)
    size = tokenizer.vocab_size
    lists: list[Any] = [
        [rng.randrange(-1, size + 1) for _ in range(rng.randrange(40))]
        for _ in range(count)
    ]
    return lists + (_TEXTS if tokenizer.supports_encode else [])


def do(tokenizer: tokenizers.Tokenizer, item: Sequence[int] | str) -> tuple[Any, ...]:
    """Returns all that a tokenizer says of one item."""
    if isinstance(item, str):
        ids = tokenizer.encode(item)
        return ids, tokenizer.encode(item, split_special_tokens=True)
    ids = list(item)
    joined, ends = tokenizer.joined_pieces(ids)
    return (
        tokenizer.decode(ids),
        law_checks.one_by_one(tokenizer, ids),
        tokenizer.token_pieces(ids),
        (joined, ends.tolist()),
        tokenizer.is_text(ids).tolist(),
        tokenizer.settled(ids),
    )
