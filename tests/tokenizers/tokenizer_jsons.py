"""A small tokenizer.json, and how tests change and write it."""

import json

from tests.tokenizers import small_tokenizers as small


def vocabulary():
    tokenizer = json.loads(small.byte_level().to_str())
    tokenizer["added_tokens"] = [small.added(276, "<|endoftext|>")]
    return tokenizer


def changed(*path, to):
    """The vocabulary with one place changed."""
    content = place = vocabulary()
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = to
    return json.dumps(content)


def write(folder, content):
    path = folder / "tokenizer.json"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


GOOD = json.dumps(vocabulary(), indent=1)
UNIGRAM = {"type": "Unigram", "unk_id": 0, "vocab": [["a", 0.0]]}
