"""NeMo models, whose blank is the last label: exported tables, unpacked archives."""

from collections.abc import Mapping
from typing import Any

from oasr import tokenizers
from oasr.checkpoints import byte_guess
from oasr.checkpoints import checkpoint
from oasr.checkpoints import claims
from oasr.checkpoints import converter
from oasr.checkpoints import directory as directories
from oasr.checkpoints import generated
from oasr.checkpoints import nemo_config
from oasr.checkpoints import special_names
from oasr.checkpoints import tables
from oasr.tokenizers import errors

_TABLE = "tokens.txt"
_MODEL = "*tokenizer.model"
_ARCHIVE = "*.nemo"


class NemoConverter(converter.CheckpointConverter):
    """Knows a `tokens.txt` whose blank is its last piece, and NeMo's configuration."""

    looks_for = (
        "tokens.txt with a <blk> that is last, or model_config.yaml of NeMo with its"
        " tokenizer.model"
    )

    def claim(self, directory: directories.CheckpointDirectory) -> claims.Claim:
        """Returns a claim by the place of the blank, or by the configuration."""
        if _TABLE in directory:
            return _claim_table(directory)
        name = nemo_config.model(nemo_config.read(directory))
        if name and nemo_config.family(nemo_config.read(directory)) is None:
            return claims.none(
                f"{nemo_config.NAME} names the model {name}, which decodes in a way"
                " that is not known"
            )
        if name:
            return claims.Claim(
                claims.Strength.CERTAIN,
                (f"{nemo_config.NAME} names the model {name} of NeMo",),
            )
        if archives := directory.find(_ARCHIVE):
            return claims.none(
                f"{archives[0]} is an archive; unpack it with tar -xf, and give the"
                " directory"
            )
        return claims.none(f"there is no {_TABLE}, and no {nemo_config.NAME} of NeMo")

    def convert(
        self, directory: directories.CheckpointDirectory
    ) -> checkpoint.ConvertedCheckpoint:
        """Returns a table, or the SentencePiece model that numbers the labels."""
        if _TABLE in directory:
            return _convert_table(directory)
        return _convert_archive(directory)


def _claim_table(directory: directories.CheckpointDirectory) -> claims.Claim:
    table = tables.read(directory, _TABLE)
    blank_id = table.blank_id()
    if blank_id is None:
        return claims.none(f"{_TABLE} names no blank")
    if blank_id != table.size - 1:
        return claims.none(f"the blank of {_TABLE} is not its last piece")
    reasons = [f"the blank of {_TABLE} is its last piece, {blank_id}"]
    strength = claims.Strength.LIKELY
    if nemo_config.NAME in directory:
        strength = claims.Strength.CERTAIN
        reasons.append(f"{nemo_config.NAME} is beside it")
    return claims.Claim(strength, tuple(reasons))


def _convert_table(
    directory: directories.CheckpointDirectory,
) -> checkpoint.ConvertedCheckpoint:
    table = tables.read(directory, _TABLE)
    blank_id = table.blank_id()
    if blank_id is None:
        raise errors.AssetError(f"{table.path}: expected a piece <blk>, found none.")
    spec = table.spec(byte_guess.guess(table.pieces, set(table.special_ids)))
    if spec.options.get("byte_pieces") != "bbpe":  # A model prints its letters.
        spec = tables.with_model(spec, directory, table, directory.find(_MODEL))
    joiner = directory.find("*joiner*")
    return checkpoint.ConvertedCheckpoint(
        family="transducer" if joiner else "ctc",
        tokenizer=spec,
        vocab_size=table.size,
        blank_id=blank_id,
        seconds_per_frame=nemo_config.seconds_per_frame(nemo_config.read(directory)),
        extras={"special_tokens": table.specials},
    )


def _convert_archive(
    directory: directories.CheckpointDirectory,
) -> checkpoint.ConvertedCheckpoint:
    config = nemo_config.read(directory)
    family = nemo_config.family(config)
    if family is None:
        raise errors.AssetError(
            f"{directory.path}: expected {_TABLE}, or {nemo_config.NAME} of a CTC model"
            " or a transducer of NeMo; found neither."
        )
    name = nemo_config.tokenizer_model(directory, config)
    if name is None:
        spec, specials, size = _of_characters(directory, config)
    else:
        spec, specials, size = _of_model(directory.file(name))
    labels = nemo_config.labels(config) or size
    extras: dict[str, Any] = {"special_tokens": specials}
    if durations := nemo_config.durations(config):
        extras["durations"] = durations
    return checkpoint.ConvertedCheckpoint(
        family=family,
        tokenizer=spec,
        vocab_size=labels + 1,
        blank_id=labels,
        seconds_per_frame=nemo_config.seconds_per_frame(config),
        extras=extras,
    )


_Vocabulary = tuple[tokenizers.TokenizerSpec, dict[str, int], int]


def _of_model(path: str) -> _Vocabulary:
    """Returns the spec of a SentencePiece model, its special ids, and its size."""
    pieces = tables.sentencepieces(path)
    specials = special_names.find(pieces, path)
    options = {"special_ids": sorted(specials.values())}
    spec = tokenizers.TokenizerSpec("sentencepiece", {"model": path}, options)
    return spec, specials, len(pieces)


def _of_characters(
    directory: directories.CheckpointDirectory, config: Mapping[str, Any]
) -> _Vocabulary:
    """Returns the same of a model whose configuration lists its labels."""
    labels = nemo_config.characters(config)
    path = directory.file(nemo_config.NAME)
    if not labels:
        raise errors.AssetError(
            f"{path}: expected a tokenizer, or a list of labels, found neither."
        )
    lines = [
        f"{_column(label, i, path)} {i}\n".encode() for i, label in enumerate(labels)
    ]
    specials = special_names.find(dict(enumerate(labels)), path)
    spec = tokenizers.TokenizerSpec(
        "symbol_table",
        {"table": generated.write("units.txt", b"".join(lines))},
        {"special_ids": sorted(specials.values())},
    )
    return spec, specials, len(labels)


def _column(label: str, label_id: int, path: str) -> str:
    """Returns a label as tables write it, with a mark in place of a space."""
    written = label.replace(" ", "\u2581")
    if not written or any(blank in written for blank in "\t\r\n"):
        raise errors.AssetError(
            f"{path}: expected a letter or more as the label {label_id}, found"
            f" {label!r}."
        )
    return written
