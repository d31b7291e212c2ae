"""Tables whose blank is the last piece, as NeMo numbers its labels: `tokens.txt`."""

from typing import Any

from oasr.checkpoints import byte_guess
from oasr.checkpoints import checkpoint
from oasr.checkpoints import claims
from oasr.checkpoints import converter
from oasr.checkpoints import directory as directories
from oasr.checkpoints import settings
from oasr.checkpoints import tables
from oasr.tokenizers import errors

_TABLE = "tokens.txt"
_CONFIG = "model_config.yaml"
_MODEL = "*tokenizer.model"


class NemoConverter(converter.CheckpointConverter):
    """Knows a `tokens.txt` whose blank is its last piece."""

    looks_for = "tokens.txt with a <blk> that is last, perhaps with model_config.yaml"

    def claim(self, directory: directories.CheckpointDirectory) -> claims.Claim:
        """Returns a claim by the place of the blank."""
        if _TABLE not in directory:
            return claims.none(f"there is no {_TABLE}")
        table = tables.read(directory, _TABLE)
        blank_id = table.blank_id()
        if blank_id is None:
            return claims.none(f"{_TABLE} names no blank")
        if blank_id != table.size - 1:
            return claims.none(f"the blank of {_TABLE} is not its last piece")
        reasons = [f"the blank of {_TABLE} is its last piece, {blank_id}"]
        strength = claims.Strength.LIKELY
        if _CONFIG in directory:
            strength = claims.Strength.CERTAIN
            reasons.append(f"{_CONFIG} is beside it")
        return claims.Claim(strength, tuple(reasons))

    def convert(
        self, directory: directories.CheckpointDirectory
    ) -> checkpoint.ConvertedCheckpoint:
        """Returns a table, or the SentencePiece model that it was made from."""
        table = tables.read(directory, _TABLE)
        blank_id = table.blank_id()
        if blank_id is None:
            raise errors.AssetError(
                f"{table.path}: expected a piece <blk>, found none."
            )
        spec = table.spec(byte_guess.guess(table.pieces, set(table.special_ids)))
        if spec.options.get("byte_pieces") != "bbpe":  # A model prints its letters.
            spec = tables.with_model(spec, directory, table, directory.find(_MODEL))
        config = directory.yaml(_CONFIG) if _CONFIG in directory else {}
        joiner = directory.find("*joiner*")
        return checkpoint.ConvertedCheckpoint(
            family="transducer" if joiner else "ctc",
            tokenizer=spec,
            vocab_size=table.size,
            blank_id=blank_id,
            seconds_per_frame=_seconds_per_frame(config),
            extras={"special_tokens": table.specials},
        )


def _seconds_per_frame(config: dict[str, Any]) -> float | None:
    """Returns the encoder's, if the configuration says both of its factors.

    Models differ (QuartzNet 0.02 s, Conformer 0.04 s, FastConformer 0.08 s), so
    without it nothing is known.
    """
    stride = settings.number(config, "preprocessor.window_stride")
    factor = settings.number(config, "encoder.subsampling_factor")
    return (
        None if stride is None or factor is None else settings.product(stride, factor)
    )
