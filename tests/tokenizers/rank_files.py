"""Vocabularies published as ranks of byte strings, written as `tokenizer.json`."""

import base64
import functools
import itertools
import json

from tests.tokenizers import small_tokenizers as small


@functools.cache
def read(path):
    """Returns the rank of each byte string in a `.tiktoken` file."""
    ranks = {}
    for line in path.read_bytes().splitlines():
        token, rank = line.split()
        ranks[base64.b64decode(token)] = int(rank)
    return ranks


def write(path, ranks_path, added_tokens, *, vocab=(), **sections):
    """Writes a byte-level `tokenizer.json` of a `.tiktoken` file; returns the path.

    Args:
      path: where to.
      ranks_path: the ranks.
      added_tokens: entries of `added_tokens`.
      vocab: pairs of a text and an id that the model's vocabulary has, too.
      sections: what else stands in the file.
    """
    ranks, merges = read(ranks_path), _merges(ranks_path)
    texts = {small.byte_letters(token): rank for token, rank in ranks.items()}
    content = {
        "version": "1.0",
        "added_tokens": added_tokens,
        "decoder": small.BYTE_LEVEL,
        "model": {"type": "BPE", "vocab": texts | dict(vocab), "merges": merges},
    }
    path.write_text(json.dumps(content | sections, ensure_ascii=False), "utf-8")
    return path


@functools.cache
def _merges(path):
    ranks = read(path)
    return [
        [small.byte_letters(part) for part in _parts(token, ranks)]
        for token in sorted(ranks, key=ranks.get)
        if len(token) > 1
    ]


def _parts(token, ranks):
    """Returns the two parts that became `token` when its rank was given out.

    Ranks are given out in the order of merges; so merging its bytes with the ranks
    before its own ends in two parts.
    """
    own, parts = ranks[token], [bytes([byte]) for byte in token]
    while len(parts) > 2:
        pairs = [ranks.get(a + b, own) for a, b in itertools.pairwise(parts)]
        best = min(range(len(pairs)), key=pairs.__getitem__)
        assert pairs[best] < own, token
        parts[best : best + 2] = [parts[best] + parts[best + 1]]
    return parts
