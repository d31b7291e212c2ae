"""The files of a CTranslate2 Whisper directory: settings, vocabulary, weights."""

from typing import Any

from oasr.checkpoints import directory as directories
from oasr.checkpoints import huggingface_files as files
from oasr.checkpoints import text_lines
from oasr.checkpoints import whisper_languages as names
from oasr.tokenizers import errors
from oasr.tokenizers import token_list_file

WEIGHTS = "model.bin"
VOCABULARIES = ("vocabulary.json", "vocabulary.txt")
# What only the converter of Whisper's models writes to config.json.
SETTINGS = ("alignment_heads", "lang_ids", "suppress_ids", "suppress_ids_begin")

# The weights of large-v3 in 32 bits, and half as much again.
MAX_WEIGHT_BYTES = 9 * 2**30


def vocabulary_file(directory: directories.CheckpointDirectory) -> str | None:
    """Returns the name of the file that lists the vocabulary, if there is one."""
    return next((name for name in VOCABULARIES if name in directory), None)


def has_weights(directory: directories.CheckpointDirectory) -> bool:
    """Returns whether the weights are there.

    Raises:
      AssetError: if what is there under their name is no file of the directory.
    """
    if WEIGHTS not in directory:
        return False
    directory.file(WEIGHTS, max_bytes=MAX_WEIGHT_BYTES)
    return True


def vocabulary(directory: directories.CheckpointDirectory) -> list[str]:
    """Returns the text of each id, in the letters of byte-level vocabularies.

    Raises:
      AssetError: if the file is absent or malformed, or names no end of text.
    """
    name = vocabulary_file(directory)
    if name is None:
        raise errors.AssetError(
            f"{directory.path}: expected {' or '.join(VOCABULARIES)}, found neither."
        )
    path = directory.file(name)
    if name.endswith(".json"):
        found = token_list_file.read_token_list(path)
    else:
        found = text_lines.split(directory.text(name))
    if names.END_OF_TEXT not in found:
        raise errors.AssetError(
            f"{path}: the vocabulary of Whisper has {names.END_OF_TEXT}; this one has"
            f" {len(found)} entries, and it is none of them."
        )
    return found


def settings(directory: directories.CheckpointDirectory) -> dict[str, Any]:
    """Returns what `config.json` says; empty if there is none."""
    return files.optional(directory, files.CONFIG)
