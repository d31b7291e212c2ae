"""Whisper checkpoints as CTranslate2 converts them."""

from collections.abc import Mapping
from typing import Any

from oasr import tokenizers
from oasr.checkpoints import byte_ranks
from oasr.checkpoints import checkpoint
from oasr.checkpoints import claims
from oasr.checkpoints import converter
from oasr.checkpoints import ctranslate2_files as files
from oasr.checkpoints import directory as directories
from oasr.checkpoints import generated
from oasr.checkpoints import huggingface_files
from oasr.checkpoints import settings
from oasr.checkpoints import whisper_languages as names
from oasr.checkpoints import whisper_vocabulary
from oasr.tokenizers import errors

RUNTIME = "ctranslate2_whisper"

# 30 s of audio are 1,500 frames of the encoder, in all models.
_SECONDS_PER_FRAME = 0.02
# The width of openai-whisper's command line, and of faster-whisper.
_BEAM_SIZE = 5
# What the family calls the settings of the file.
_SUPPRESSED = {
    "suppress_ids": "suppress_ids",
    "suppress_ids_begin": "begin_suppress_ids",
}


class CTranslate2WhisperConverter(converter.CheckpointConverter):
    """Knows what `ct2-transformers-converter` writes for a Whisper model."""

    looks_for = (
        f"config.json with {files.SETTINGS[0]} or {files.SETTINGS[1]}, beside"
        f" {' or '.join(files.VOCABULARIES)} with {names.START}"
    )

    def claim(self, directory: directories.CheckpointDirectory) -> claims.Claim:
        """Returns a claim by the settings of the converted model."""
        name = files.vocabulary_file(directory)
        if name is None:
            return claims.none(f"there is no {' or '.join(files.VOCABULARIES)}")
        config = files.settings(directory)
        known = [setting for setting in files.SETTINGS if setting in config]
        if not known:
            return claims.none(f"config.json has none of {', '.join(files.SETTINGS)}")
        if names.START not in files.vocabulary(directory):
            return claims.none(f"{name} has no {names.START}")
        reasons = (f"config.json has {', '.join(known)}", f"{name} has {names.START}")
        return claims.Claim(claims.Strength.CERTAIN, reasons)

    def convert(
        self, directory: directories.CheckpointDirectory
    ) -> checkpoint.ConvertedCheckpoint:
        """Returns the vocabulary; a tokenizer.json is made where there is none."""
        texts = files.vocabulary(directory)
        ids = {text: token_id for token_id, text in enumerate(texts)}
        eot_id = ids[names.END_OF_TEXT]
        options = {"eot_id": eot_id, "vocab_size": len(texts)}
        return checkpoint.ConvertedCheckpoint(
            family="aed",
            tokenizer=tokenizers.TokenizerSpec(
                "whisper", {"tokenizer": _tokenizer(directory, texts, ids)}, options
            ),
            vocab_size=len(texts),
            seconds_per_frame=_SECONDS_PER_FRAME,
            extras=_extras(directory, ids),
        )


def _tokenizer(
    directory: directories.CheckpointDirectory,
    texts: list[str],
    ids: Mapping[str, int],
) -> str:
    """Returns the path of a `tokenizer.json`.

    Raises:
      AssetError: if the one that is there is of another vocabulary.
    """
    if huggingface_files.TOKENIZER not in directory:
        content = whisper_vocabulary.as_bytes(_content(directory, texts, ids))
        return generated.write(huggingface_files.TOKENIZER, content)
    path = directory.file(huggingface_files.TOKENIZER)
    for text, token_id in huggingface_files.tokenizer_ids(directory).items():
        # Names of languages differ: Hebrew's was "iw" once.
        if ids.get(text, token_id) != token_id:
            raise errors.AssetError(
                f"{path}: {text!r} has the id {token_id}, but"
                f" {files.vocabulary_file(directory)} says {ids[text]}."
            )
    return path


def _content(
    directory: directories.CheckpointDirectory,
    texts: list[str],
    ids: Mapping[str, int],
) -> dict[str, Any]:
    """Returns a `tokenizer.json` made of a vocabulary, which is in order of merging."""
    source = directory.file(str(files.vocabulary_file(directory)))
    letter = byte_ranks.letters()
    byte = {written: code for code, written in letter.items()}
    eot_id = ids[names.END_OF_TEXT]
    try:
        tokens = [bytes(byte[c] for c in text) for text in texts[:eot_id]]
    except KeyError as error:
        raise errors.AssetError(
            f"{source}: expected byte-level tokens before {names.END_OF_TEXT}, found"
            f" one with the letter {error}."
        ) from error
    written = ["".join(letter[code] for code in token) for token in tokens]
    vocab = {text: token_id for token_id, text in enumerate(written)}
    pairs = [
        " ".join("".join(letter[code] for code in part) for part in pair)
        for pair in byte_ranks.merges(tokens, source)
    ]
    controls = {text: token_id for text, token_id in ids.items() if token_id >= eot_id}
    try:
        return whisper_vocabulary.content(
            vocab, pairs, whisper_vocabulary.added_tokens(controls)
        )
    except KeyError as error:
        raise errors.AssetError(
            f"{source}: expected {error} among the control tokens, found none."
        ) from error


def _extras(
    directory: directories.CheckpointDirectory, ids: Mapping[str, int]
) -> dict[str, Any]:
    config = files.settings(directory)
    times = frozenset(names.TIMESTAMPS)
    eot_id = ids[names.END_OF_TEXT]
    decode_options: dict[str, Any] = {"beam_size": _BEAM_SIZE}
    for name, setting in _SUPPRESSED.items():
        if found := settings.ids(config, name):
            decode_options[setting] = found
    extras: dict[str, Any] = {
        "special_tokens": {
            text: token_id
            for text, token_id in ids.items()
            if token_id >= eot_id and text not in times
        },
        "languages": {
            code: ids[f"<|{code}|>"] for code in names.LANGUAGES if f"<|{code}|>" in ids
        },
        "decode_options": decode_options,
        "runtime": RUNTIME,
    }
    if names.TIMESTAMPS[0] in ids:
        extras["first_timestamp_id"] = ids[names.TIMESTAMPS[0]]
    if "alignment_heads" in config:
        extras["alignment_heads"] = config["alignment_heads"]
    return extras
