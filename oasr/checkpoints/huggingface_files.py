"""What the files of a Hugging Face model say of its vocabulary."""

from collections.abc import Iterable, Mapping
from typing import Any

from oasr.checkpoints import directory as directories
from oasr.checkpoints import settings
from oasr.tokenizers import added_tokens
from oasr.tokenizers import model_vocabulary

TOKENIZER = "tokenizer.json"
TOKENIZER_CONFIG = "tokenizer_config.json"
CONFIG = "config.json"
GENERATION_CONFIG = "generation_config.json"


def optional(directory: directories.CheckpointDirectory, name: str) -> dict[str, Any]:
    """Returns the JSON object in a file, empty if there is no such file."""
    return directory.json(name) if name in directory else {}


def model_type(directory: directories.CheckpointDirectory) -> str:
    """Returns the type that `config.json` names, "" without one."""
    return settings.text(optional(directory, CONFIG), "model_type") or ""


def tokenizer_ids(directory: directories.CheckpointDirectory) -> dict[str, int]:
    """Returns the id of each text in `tokenizer.json`, added tokens included.

    Raises:
      AssetError: if the file is absent or malformed.
    """
    path, content = directory.file(TOKENIZER), directory.json(TOKENIZER)
    ids = dict(model_vocabulary.read_ids(content, path))
    for token in added_tokens.read_tokenizer(content, path):
        ids[token.content] = token.id
    return ids


def config_tokens(
    directory: directories.CheckpointDirectory,
) -> list[added_tokens.AddedToken]:
    """Returns the added tokens in `tokenizer_config.json`, by id, if it is there.

    Raises:
      AssetError: if the file is malformed.
    """
    content = optional(directory, TOKENIZER_CONFIG)
    return added_tokens.read_config(content, f"{directory.path}/{TOKENIZER_CONFIG}")


def config_ids(directory: directories.CheckpointDirectory) -> dict[str, int]:
    """Returns the ids of the added tokens in `tokenizer_config.json`, by text."""
    return {token.content: token.id for token in config_tokens(directory)}


def drifting(
    texts: Mapping[str, int], tokens: Iterable[added_tokens.AddedToken]
) -> list[tuple[str, int, int]]:
    """Returns the added tokens that the runtime would give another id.

    The runtime numbers added tokens behind the vocabulary, one after the other.

    Args:
      texts: the vocabulary of the model.
      tokens: the declared added tokens, of all files.

    Returns:
      The text, the declared id and the runtime's of each, by declared id.
    """
    declared = {t.content: t.id for t in tokens if t.content not in texts}
    numbered = enumerate(sorted(declared.items(), key=lambda item: item[1]), len(texts))
    return [
        (text, token_id, actual)
        for actual, (text, token_id) in numbered
        if actual != token_id
    ]


def size(ids: Mapping[str, int]) -> int:
    """Returns one more than the largest id."""
    return max(ids.values(), default=-1) + 1
