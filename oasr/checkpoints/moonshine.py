"""Moonshine checkpoints, as Hugging Face has them."""

from collections.abc import Mapping
from typing import Any

from oasr import tokenizers
from oasr.checkpoints import checkpoint
from oasr.checkpoints import claims
from oasr.checkpoints import converter
from oasr.checkpoints import directory as directories
from oasr.checkpoints import huggingface_files as files
from oasr.checkpoints import settings
from oasr.tokenizers import errors

_TYPE = "moonshine"
_START, _END, _UNKNOWN = "<s>", "</s>", "<unk>"

# The model reads samples at 16 kHz, by convolutions of the strides 64, 3 and 2
# (`modeling_moonshine.py` of transformers).
_SECONDS_PER_FRAME = 0.024

# The names of the size, of transformers and of the first files that were published.
_SIZES = ("vocab_size", "dec_voc_size")
# What configurations name, too.
_NAMED_IDS = {"decoder_start_token_id": _START, "eos_token_id": _END}


class MoonshineConverter(converter.CheckpointConverter):
    """Knows the type of the model: its vocabulary is like that of many others."""

    looks_for = f"tokenizer.json, and config.json with the model type {_TYPE}"

    def claim(self, directory: directories.CheckpointDirectory) -> claims.Claim:
        """Returns a claim by the type of the model."""
        kind = files.model_type(directory)
        if kind != _TYPE:
            return claims.none(
                f"{files.CONFIG} names the model type {kind}"
                if kind
                else f"no {files.CONFIG} names a model type"
            )
        if files.TOKENIZER not in directory:
            return claims.none(f"there is no {files.TOKENIZER}")
        return claims.Claim(
            claims.Strength.CERTAIN, (f"{files.CONFIG} names the model type {kind}",)
        )

    def convert(
        self, directory: directories.CheckpointDirectory
    ) -> checkpoint.ConvertedCheckpoint:
        """Returns the vocabulary, and how its sequences begin and end."""
        ids = {**files.config_ids(directory), **files.tokenizer_ids(directory)}
        specials = {n: ids[n] for n in (_UNKNOWN, _START, _END) if n in ids}
        for name in (_START, _END):
            if name not in specials:
                raise errors.AssetError(
                    f"{directory.file(files.TOKENIZER)}: the vocabulary has no {name}."
                )
        _check_named_ids(directory, ids)
        size = files.size(ids)
        declared = _declared_size(directory)
        options: dict[str, Any] = {"special_ids": sorted(specials.values())}
        if declared is not None and declared >= size:
            options["vocab_size"] = declared
        if files.drifts(directory):
            options["on_id_mismatch"] = "fill"
        return checkpoint.ConvertedCheckpoint(
            family="aed",
            tokenizer=tokenizers.TokenizerSpec(
                "huggingface", files.of_both(directory), options
            ),
            vocab_size=declared or size,
            seconds_per_frame=_SECONDS_PER_FRAME,
            extras={
                "special_tokens": specials,
                "decode_options": {
                    "start_ids": [specials[_START]],
                    "end_ids": [specials[_END]],
                },
            },
        )


def _declared_size(directory: directories.CheckpointDirectory) -> int | None:
    config = files.optional(directory, files.CONFIG)
    sizes = (settings.vocab_size(config, name) for name in _SIZES)
    return next((size for size in sizes if size), None)


def _check_named_ids(
    directory: directories.CheckpointDirectory, ids: Mapping[str, int]
) -> None:
    config = files.optional(directory, files.CONFIG)
    for setting, name in _NAMED_IDS.items():
        declared = settings.integer(config, setting)
        if declared is not None and declared != ids[name]:
            raise errors.AssetError(
                f"{directory.file(files.CONFIG)}: {setting} is {declared}, but {name}"
                f" has the id {ids[name]}."
            )
