"""Whisper checkpoints, of Hugging Face and of OpenAI."""

from collections.abc import Mapping
from typing import Any

from oasr import tokenizers
from oasr.checkpoints import checkpoint
from oasr.checkpoints import claims
from oasr.checkpoints import converter
from oasr.checkpoints import directory as directories
from oasr.checkpoints import huggingface_files as files
from oasr.checkpoints import settings
from oasr.checkpoints import whisper_files
from oasr.checkpoints import whisper_languages as names
from oasr.tokenizers import errors
from oasr.tokenizers import whisper_controls

# 30 s of audio are 1,500 frames of the encoder, in all models.
_SECONDS_PER_FRAME = 0.02

# What tells Whisper's vocabulary from others that transcribe.
_MARKS = (names.START, names.PREVIOUS, names.NO_TIMESTAMPS)
# What generation_config.json names, too.
_NAMED_IDS = {
    "eos_token_id": names.END_OF_TEXT,
    "decoder_start_token_id": names.START,
    "prev_sot_token_id": names.PREVIOUS,
    "no_timestamps_token_id": names.NO_TIMESTAMPS,
}
# What decoding follows, of the same file.
_GENERATION = ("alignment_heads", "begin_suppress_tokens", "suppress_tokens")
# What the family calls them.
_SUPPRESSED = {
    "begin_suppress_tokens": "begin_suppress_ids",
    "suppress_tokens": "suppress_ids",
}


class WhisperConverter(converter.CheckpointConverter):
    """Knows Whisper by its control tokens, or by the names of OpenAI's files."""

    looks_for = (
        f"tokenizer.json with {names.START}, vocab.json and merges.txt with it, or"
        " gpt2.tiktoken or multilingual.tiktoken"
    )

    def claim(self, directory: directories.CheckpointDirectory) -> claims.Claim:
        """Returns a claim by the type of the model, or by the control tokens."""
        kind = files.model_type(directory)
        if kind not in ("", "whisper"):
            return claims.none(f"{files.CONFIG} names the model type {kind}")
        source = whisper_files.find(directory)
        if source is None:
            return claims.none("there is no vocabulary of it")
        if kind:
            return claims.Claim(
                claims.Strength.CERTAIN,
                (f"{files.CONFIG} names the model type {kind}", f"it has {source}"),
            )
        if source.endswith(".tiktoken"):
            return claims.Claim(claims.Strength.LIKELY, (f"{source} is OpenAI's",))
        ids = whisper_files.ids(directory, source)
        missing = [mark for mark in _MARKS if mark not in ids]
        if missing:
            return claims.none(f"{source} has no {missing[0]}")
        return claims.Claim(
            claims.Strength.LIKELY, (f"{source} has {', '.join(_MARKS)}",)
        )

    def convert(
        self, directory: directories.CheckpointDirectory
    ) -> checkpoint.ConvertedCheckpoint:
        """Returns the vocabulary; a tokenizer.json is made where there is none."""
        source = whisper_files.find(directory)
        if source is None:
            raise errors.AssetError(
                f"{directory.path}: expected {self.looks_for}; found none of them."
            )
        declared = whisper_files.declared_size(directory)
        path, ids = whisper_files.tokenizer(directory, source, declared)
        eot_id = _end_of_text(directory, ids, path)
        vocab_size = declared or _least_size(ids)
        options = {"eot_id": eot_id}
        if vocab_size > files.size(ids):
            options["vocab_size"] = vocab_size
        return checkpoint.ConvertedCheckpoint(
            family="aed",
            tokenizer=tokenizers.TokenizerSpec("whisper", {"tokenizer": path}, options),
            vocab_size=vocab_size,
            seconds_per_frame=_SECONDS_PER_FRAME,
            extras=_extras(directory, ids, eot_id=eot_id, vocab_size=vocab_size),
        )


def _end_of_text(
    directory: directories.CheckpointDirectory, ids: Mapping[str, int], path: str
) -> int:
    """Returns the id of the end of text, by its name.

    Raises:
      AssetError: if there is none, or the files disagree on what a control token is.
    """
    found = ids.get(names.END_OF_TEXT)
    if found is None:
        raise errors.AssetError(f"{path}: the vocabulary has no {names.END_OF_TEXT}.")
    config = files.optional(directory, files.GENERATION_CONFIG)
    for setting, name in _NAMED_IDS.items():
        declared = settings.integer(config, setting)
        if declared is not None and declared != ids.get(name, declared):
            raise errors.AssetError(
                f"{path}: {name} has the id {ids[name]}, but"
                f" {files.GENERATION_CONFIG} says {setting} is {declared}."
            )
    return found


def _least_size(ids: Mapping[str, int]) -> int:
    """Returns the model's size where no file says it: the timestamps end it."""
    if names.NO_TIMESTAMPS not in ids:
        return files.size(ids)
    return max(files.size(ids), ids[names.NO_TIMESTAMPS] + 1 + len(names.TIMESTAMPS))


def _extras(
    directory: directories.CheckpointDirectory,
    ids: Mapping[str, int],
    *,
    eot_id: int,
    vocab_size: int,
) -> dict[str, Any]:
    texts = {token_id: text for text, token_id in ids.items()}
    controls = whisper_controls.read(texts, eot_id=eot_id, vocab_size=vocab_size)
    times = frozenset(names.TIMESTAMPS)
    languages = {
        code: controls[f"<|{code}|>"]
        for code in names.LANGUAGES
        if f"<|{code}|>" in controls
    }
    extras: dict[str, Any] = {
        "special_tokens": {n: i for n, i in controls.items() if n not in times},
        "languages": languages,
    }
    if names.TIMESTAMPS[0] in controls:
        extras["first_timestamp_id"] = controls[names.TIMESTAMPS[0]]
    generation = files.optional(directory, files.GENERATION_CONFIG)
    extras.update({n: generation[n] for n in _GENERATION if n in generation})
    extras["decode_options"] = {
        setting: found
        for name, setting in _SUPPRESSED.items()
        if (found := settings.ids(generation, name))
    }
    return extras
