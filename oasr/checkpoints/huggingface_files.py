"""What the files of a Hugging Face model say of its vocabulary."""

from collections.abc import Iterable, Mapping
from typing import Any

from oasr.checkpoints import directory as directories
from oasr.checkpoints import settings
from oasr.tokenizers import added_tokens

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
    path, files = directory.file(TOKENIZER), directory.tokenizer_files
    ids = dict(files.ids(path))
    ids.update((token.content, token.id) for token in files.added(path))
    return ids


def of_both(directory: directories.CheckpointDirectory) -> dict[str, str]:
    """Returns the files of a tokenizer of the kind `huggingface`, by their roles.

    Raises:
      AssetError: if `tokenizer.json` is absent.
    """
    found = {"tokenizer": directory.file(TOKENIZER)}
    if TOKENIZER_CONFIG in directory:
        found["tokenizer_config"] = directory.file(TOKENIZER_CONFIG)
    return found


def config_tokens(
    directory: directories.CheckpointDirectory,
) -> list[added_tokens.AddedToken]:
    """Returns the added tokens in `tokenizer_config.json`, by id, if it is there.

    Raises:
      AssetError: if the file is malformed.
    """
    if TOKENIZER_CONFIG not in directory:
        return []
    return directory.tokenizer_files.declared(directory.file(TOKENIZER_CONFIG))


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


def drifts(directory: directories.CheckpointDirectory) -> bool:
    """Returns whether the runtime would give any added token another id."""
    path, files = directory.file(TOKENIZER), directory.tokenizer_files
    tokens = [*files.added(path), *config_tokens(directory)]
    return bool(drifting(files.ids(path), tokens))


def size(ids: Mapping[str, int]) -> int:
    """Returns one more than the largest id."""
    return max(ids.values(), default=-1) + 1
