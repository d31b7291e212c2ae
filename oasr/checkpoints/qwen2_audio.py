"""Qwen2-Audio checkpoints: a chat model whose prompt holds audio."""

from collections.abc import Mapping
from typing import Any

from oasr import tokenizers
from oasr.checkpoints import chat_messages
from oasr.checkpoints import chat_template
from oasr.checkpoints import chat_template_file
from oasr.checkpoints import checkpoint
from oasr.checkpoints import claims
from oasr.checkpoints import converter
from oasr.checkpoints import directory as directories
from oasr.checkpoints import huggingface_files as files
from oasr.checkpoints import settings
from oasr.tokenizers import errors

_AUDIO, _BEGIN, _END = "<|AUDIO|>", "<|audio_bos|>", "<|audio_eos|>"
_NAMES = (_AUDIO, _BEGIN, _END, "<|im_start|>", "<|im_end|>", "<|endoftext|>")

# Whisper's encoder at 0.02 s, and pooling by two behind it (Qwen2-Audio's report:
# "each frame of the encoder output approximately corresponds to a 40ms segment").
_SECONDS_PER_FRAME = 0.04


class Qwen2AudioConverter(converter.CheckpointConverter):
    """Knows the audio tokens, which tokenizer_config.json alone may declare."""

    looks_for = f"tokenizer.json, with {_AUDIO} in it or in tokenizer_config.json"

    def claim(self, directory: directories.CheckpointDirectory) -> claims.Claim:
        """Returns a claim by the type of the model, or by the audio tokens."""
        kind = files.model_type(directory)
        if kind not in ("", "qwen2_audio"):
            return claims.none(f"{files.CONFIG} names the model type {kind}")
        if files.TOKENIZER not in directory:
            return claims.none(f"there is no {files.TOKENIZER}")
        ids = _ids(directory)
        missing = [name for name in _NAMES if name not in ids]
        if missing:
            return claims.none(f"no file has {missing[0]}")
        reasons = [f"the files have {_AUDIO}, {_BEGIN}, {_END}"]
        if kind:
            reasons.append(f"{files.CONFIG} names the model type {kind}")
        strength = claims.Strength.CERTAIN if kind else claims.Strength.LIKELY
        return claims.Claim(strength, tuple(reasons))

    def convert(
        self, directory: directories.CheckpointDirectory
    ) -> checkpoint.ConvertedCheckpoint:
        """Returns the vocabulary of both files, its audio ids, its chat template."""
        ids = _ids(directory)
        missing = [name for name in _NAMES if name not in ids]
        if missing:
            raise errors.AssetError(
                f"{directory.path}: expected {missing[0]} in {files.TOKENIZER} or"
                f" {files.TOKENIZER_CONFIG}, found it in neither."
            )
        declared = _declared_size(directory)
        _check_audio_id(directory, ids)
        options: dict[str, Any] = {}
        if declared is not None and declared >= files.size(ids):
            options["vocab_size"] = declared
        if files.drifts(directory):
            options["on_id_mismatch"] = "fill"
        spec = tokenizers.TokenizerSpec(
            "huggingface", files.of_both(directory), options
        )
        return checkpoint.ConvertedCheckpoint(
            family="llm",
            tokenizer=spec,
            vocab_size=declared or files.size(ids),
            seconds_per_frame=_SECONDS_PER_FRAME,
            extras=_extras(directory, ids, spec),
        )


def _ids(directory: directories.CheckpointDirectory) -> dict[str, int]:
    return {**files.config_ids(directory), **files.tokenizer_ids(directory)}


def _declared_size(directory: directories.CheckpointDirectory) -> int | None:
    """Returns the size of the language model's output, if the configuration says it."""
    config = files.optional(directory, files.CONFIG)
    for place in ("text_config.vocab_size", "vocab_size"):
        if found := settings.vocab_size(config, place):
            return found
    return None


def _check_audio_id(
    directory: directories.CheckpointDirectory, ids: Mapping[str, int]
) -> None:
    config = files.optional(directory, files.CONFIG)
    declared = settings.integer(config, "audio_token_index")
    if declared is not None and declared != ids[_AUDIO]:
        raise errors.AssetError(
            f"{directory.file(files.CONFIG)}: audio_token_index is {declared}, but"
            f" {_AUDIO} has the id {ids[_AUDIO]}."
        )


def _extras(
    directory: directories.CheckpointDirectory,
    ids: Mapping[str, int],
    spec: tokenizers.TokenizerSpec,
) -> dict[str, Any]:
    stop_ids = sorted([ids["<|im_end|>"], ids["<|endoftext|>"]])
    decode_options: dict[str, Any] = {"audio_id": ids[_AUDIO], "end_ids": stop_ids}
    extras: dict[str, Any] = {
        "special_tokens": {name: ids[name] for name in _NAMES},
        "audio_token_id": ids[_AUDIO],
        "audio_begin_id": ids[_BEGIN],
        "audio_end_id": ids[_END],
        "stop_ids": stop_ids,
        "decode_options": decode_options,
    }
    found = chat_template_file.find(directory)
    if found is not None:
        extras["chat_template"] = found.source
        compiled = chat_template.compile_chat_template(
            found.source,
            directory.tokenizer_files.build(spec),
            place=found.place,
            variables=found.variables,
            audio=chat_messages.AudioMarkup(_AUDIO, _BEGIN, _END),
        )
        decode_options["prompts"] = compiled.to_json()
    return extras
