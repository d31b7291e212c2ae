"""Checkpoints of WeNet: a table of units, and often the `train.yaml` of the recipe."""

from typing import Any

from oasr.checkpoints import byte_guess
from oasr.checkpoints import checkpoint
from oasr.checkpoints import claims
from oasr.checkpoints import converter
from oasr.checkpoints import directory as directories
from oasr.checkpoints import settings
from oasr.checkpoints import tables
from oasr.tokenizers import errors

# In this order: where a language model is beside the units, words.txt is its list.
TABLES = ("units.txt", "lang_char.txt", "words.txt")
CONFIG = "train.yaml"

# How many features one frame is made of, by `encoder_conf.input_layer`
# (`wenet/utils/class_utils.py`).
_SUBSAMPLING = {"linear": 1, "conv2d2": 2, "conv2d": 4, "conv2d6": 6, "conv2d8": 8}
# Encoders that subsample nowhere else; the efficient conformer does.
_PLAIN_ENCODERS = ("branchformer", "conformer", "e_branchformer", "transformer")
_FRAME_SHIFT = 10  # Milliseconds between features, where the recipe says nothing.

# What rescoring by the checkpoint's attention decoder needs to know.
_RESCORING = ("ctc_weight", "reverse_weight")


class WenetConverter(converter.CheckpointConverter):
    """Knows a table of units that names its blank.

    The ids of the output are the table's. A .model beside it cuts text into pieces,
    and numbers them in another way, so it is not used.
    """

    looks_for = "units.txt, lang_char.txt or words.txt with a <blank>"

    def claim(self, directory: directories.CheckpointDirectory) -> claims.Claim:
        """Returns a claim by the table's names, surer with the recipe's settings."""
        name = find_table(directory)
        if name is None:
            return claims.none(f"there is none of {', '.join(TABLES)}")
        config = directory.yaml(CONFIG) if CONFIG in directory else {}
        if _is_paraformer(config):
            return claims.none(f"{CONFIG} names a Paraformer")
        table = tables.read(directory, name)
        blank_id = table.blank_id()
        if blank_id is None:
            return claims.none(f"{name} names no blank")
        reasons = [f"{name} has the blank at {blank_id}"]
        strength = claims.Strength.LIKELY
        if has_parts(table.pieces.values()):
            strength = claims.Strength.POSSIBLE
            reasons.append('it holds "@@" parts of words, which a table does not join')
        elif "encoder_conf" in config and "dataset_conf" in config:
            strength = claims.Strength.CERTAIN
            reasons.append(f"{CONFIG} is a recipe's")
        return claims.Claim(strength, tuple(reasons))

    def convert(
        self, directory: directories.CheckpointDirectory
    ) -> checkpoint.ConvertedCheckpoint:
        """Returns a table, with what the recipe's settings say."""
        name = find_table(directory)
        if name is None:
            raise errors.AssetError(
                f"{directory.path}: expected one of {', '.join(TABLES)}, found none."
            )
        table = tables.read(directory, name)
        blank_id = table.blank_id()
        if blank_id is None:
            raise errors.AssetError(
                f"{table.path}: expected a piece <blank>, found none."
            )
        config = directory.yaml(CONFIG) if CONFIG in directory else {}
        _check_blank(config, blank_id, directory)
        weights = {
            name: weight
            for name in _RESCORING
            if (weight := settings.number(config, f"model_conf.{name}")) is not None
        }
        is_transducer = settings.text(config, "model") == "transducer"
        return checkpoint.ConvertedCheckpoint(
            family="transducer" if is_transducer else "ctc",
            tokenizer=table.spec(
                byte_guess.guess(table.pieces, set(table.special_ids))
            ),
            vocab_size=settings.vocab_size(config, "output_dim") or table.size,
            blank_id=blank_id,
            seconds_per_frame=_seconds_per_frame(config),
            extras={"special_tokens": table.specials, **weights},
        )


def find_table(directory: directories.CheckpointDirectory) -> str | None:
    """Returns the name of the table of units, if there is one."""
    return next((name for name in TABLES if name in directory), None)


def has_parts(pieces: Any) -> bool:
    """Returns whether any of the pieces is a part of a word, as FunASR marks them."""
    return any(piece.endswith("@@") and piece != "@@" for piece in pieces)


def _is_paraformer(config: dict[str, Any]) -> bool:
    return "paraformer" in (settings.text(config, "model") or "").lower()


def _check_blank(
    config: dict[str, Any],
    blank_id: int,
    directory: directories.CheckpointDirectory,
) -> None:
    declared = settings.integer(config, "ctc_conf.ctc_blank_id")
    if declared is not None and declared != blank_id:
        raise errors.AssetError(
            f"{directory.file(CONFIG)}: ctc_conf.ctc_blank_id is {declared}, but the"
            f" table names {blank_id} as the blank."
        )


def _seconds_per_frame(config: dict[str, Any]) -> float | None:
    """Returns the encoder's, if the recipe's settings are there and understood."""
    encoder = settings.text(config, "encoder")
    # The recipe's defaults, as far as it does not say (`wenet/transformer/encoder.py`).
    layer = settings.text(config, "encoder_conf.input_layer") or "conv2d"
    if encoder not in _PLAIN_ENCODERS or layer not in _SUBSAMPLING:
        return None
    shift = settings.number(config, "dataset_conf.fbank_conf.frame_shift")
    return settings.product(shift or _FRAME_SHIFT, _SUBSAMPLING[layer], 0.001)
