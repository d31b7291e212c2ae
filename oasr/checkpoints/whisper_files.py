"""Where a Whisper checkpoint has its vocabulary, and how large its model is."""

from typing import Any

from oasr.checkpoints import directory as directories
from oasr.checkpoints import generated
from oasr.checkpoints import huggingface_files as files
from oasr.checkpoints import settings
from oasr.checkpoints import text_lines
from oasr.checkpoints import whisper_languages as names
from oasr.checkpoints import whisper_vocabulary
from oasr.tokenizers import added_tokens
from oasr.tokenizers import errors
from oasr.tokenizers import tokenizer_json

_VOCAB = "vocab.json"
_MERGES = "merges.txt"
_ADDED = "added_tokens.json"
_GPT2 = "gpt2.tiktoken"
_RANKS = ("multilingual.tiktoken", _GPT2)
# The English-only models are all of one size.
_ENGLISH_SIZE = 51864


def find(directory: directories.CheckpointDirectory) -> str | None:
    """Returns the name of the file that holds the vocabulary, if there is one."""
    if files.TOKENIZER in directory:
        return files.TOKENIZER
    if _VOCAB in directory and _MERGES in directory:
        return _VOCAB
    ranks = [name for name in _RANKS if name in directory]
    if len(ranks) == 2 and declared_size(directory) == _ENGLISH_SIZE:
        return _GPT2  # OpenAI's package has both in one folder.
    return next(iter(ranks), None)


def ids(directory: directories.CheckpointDirectory, source: str) -> dict[str, int]:
    """Returns the id of each text that the files of Hugging Face name."""
    if source == files.TOKENIZER:
        return files.tokenizer_ids(directory)
    vocab = _checked_ids(directory, _VOCAB)
    return {**vocab, **_added_ids(directory), **files.config_ids(directory)}


def declared_size(directory: directories.CheckpointDirectory) -> int | None:
    """Returns the size of the model's output, if a configuration says it."""
    config = files.optional(directory, files.CONFIG)
    # Hugging Face's name for it, and OpenAI's.
    for name in ("vocab_size", "n_vocab", "dims.n_vocab"):
        if found := settings.vocab_size(config, name):
            return found
    return None


def tokenizer(
    directory: directories.CheckpointDirectory, source: str, vocab_size: int | None
) -> tuple[str, dict[str, int]]:
    """Returns the path of a `tokenizer.json`, and the ids in it.

    Args:
      directory: the checkpoint.
      source: from `find`.
      vocab_size: the model's, if it is known.

    Raises:
      AssetError: if a file is malformed, or too little is known to make one.
    """
    if source == files.TOKENIZER:
        return directory.file(source), files.tokenizer_ids(directory)
    if source == _VOCAB:
        content = _from_vocab(directory)
    else:
        content = _from_ranks(directory.file(source), vocab_size)
    path = generated.write(files.TOKENIZER, whisper_vocabulary.as_bytes(content))
    found = dict(content["model"]["vocab"])
    found.update({token["content"]: token["id"] for token in content["added_tokens"]})
    return path, found


def _from_vocab(directory: directories.CheckpointDirectory) -> dict[str, Any]:
    vocab = _checked_ids(directory, _VOCAB)
    added = added_tokens.to_json(files.config_tokens(directory))
    if not added:
        # The end of text may be in the vocabulary alone.
        end = {text: vocab[text] for text in (names.END_OF_TEXT,) if text in vocab}
        added = whisper_vocabulary.added_tokens({**end, **_added_ids(directory)})
    merges = text_lines.split(directory.text(_MERGES))
    # Its first line says a version.
    merges = [line for line in merges if line and not line.startswith("#version")]
    try:
        return whisper_vocabulary.content(vocab, merges, added)
    except KeyError as error:
        raise errors.AssetError(
            f"{directory.path}: expected {error} among the added tokens of"
            f" {files.TOKENIZER_CONFIG} or {_ADDED}, found none."
        ) from error


def _from_ranks(path: str, vocab_size: int | None) -> dict[str, Any]:
    if vocab_size is None and path.endswith(_GPT2):
        vocab_size = _ENGLISH_SIZE
    if vocab_size is None:
        raise errors.AssetError(
            f"{path}: whether the model has {names.OLD_LANGUAGES} or"
            f" {len(names.LANGUAGES)} languages, the ranks do not say; a config.json"
            ' with {"vocab_size": 51865} or {"vocab_size": 51866} beside them does.'
        )
    return whisper_vocabulary.from_ranks(path, vocab_size)


def _added_ids(directory: directories.CheckpointDirectory) -> dict[str, int]:
    return _checked_ids(directory, _ADDED) if _ADDED in directory else {}


def _checked_ids(
    directory: directories.CheckpointDirectory, name: str
) -> dict[str, int]:
    """Returns a JSON object of ids by text."""
    found = directory.json(name)
    for text, token_id in found.items():
        if type(token_id) is not int or not 0 <= token_id <= tokenizer_json.MAX_ID:
            raise errors.AssetError(
                f"{directory.file(name)}: expected the id of"
                f" {tokenizer_json.shown(text)}, found"
                f" {tokenizer_json.shown(token_id)}."
            )
    return found
