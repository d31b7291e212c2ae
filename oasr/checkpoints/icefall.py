"""Checkpoints of icefall, as its recipes and sherpa-onnx publish them: `tokens.txt`."""

from oasr.checkpoints import byte_guess
from oasr.checkpoints import checkpoint
from oasr.checkpoints import claims
from oasr.checkpoints import converter
from oasr.checkpoints import directory as directories
from oasr.checkpoints import special_names
from oasr.checkpoints import tables
from oasr.tokenizers import errors

# Features every 10 ms, and a quarter as many frames: Conv2dSubsampling of the
# conformers by 4, of the zipformers by 2 and `--output-downsampling-factor` 2.
_SECONDS_PER_FRAME = 0.04

_TABLE = "tokens.txt"
# A recipe's own layout, and a lang folder published alone.
_LANG_FOLDERS = ("data/lang_*", "lang_*")
_MODELS = ("bpe.model", "bbpe.model")
_JOINERS = ("*joiner*", "exp/*joiner*")


class IcefallConverter(converter.CheckpointConverter):
    """Knows a `tokens.txt` whose blank is not its last piece."""

    looks_for = (
        "tokens.txt with a <blk> that is not last, here or in data/lang_*, perhaps with"
        " bpe.model or bbpe.model beside it"
    )

    def claim(self, directory: directories.CheckpointDirectory) -> claims.Claim:
        """Returns a claim by the names of the pieces."""
        names = _find(directory)
        if len(names) != 1:
            return claims.none(
                f"there are {len(names)} tables: {', '.join(names)}"
                if names
                else f"there is no {_TABLE}"
            )
        table = tables.read(directory, names[0])
        blank_id = table.blank_id(epsilon=True)
        if blank_id is None:
            return claims.none(f"{table.name} names no blank")
        if blank_id == table.size - 1:
            return claims.none(f"the blank of {table.name} is its last piece")
        reason = f"{table.name} has the blank at {blank_id}"
        strength = claims.Strength.POSSIBLE
        if special_names.BOUNDARY in table.specials:
            strength = claims.Strength.LIKELY
            reason += f", and {special_names.BOUNDARY}"
        return claims.Claim(strength, (reason, *_why_model(directory, table)))

    def convert(
        self, directory: directories.CheckpointDirectory
    ) -> checkpoint.ConvertedCheckpoint:
        """Returns a table, or the SentencePiece model that it was made from."""
        names = _find(directory)
        if len(names) != 1:
            raise errors.AssetError(
                f"{directory.path}: expected one {_TABLE}, found {names}."
            )
        table = tables.read(directory, names[0])
        spec = table.spec(_byte_pieces(directory, table))
        if spec.options.get("byte_pieces") != "bbpe":  # A model prints its letters.
            spec = tables.with_model(spec, directory, table, _models(directory, table))
        joiner = any(map(directory.find, _JOINERS))
        return checkpoint.ConvertedCheckpoint(
            family="transducer" if joiner else "ctc",
            tokenizer=spec,
            vocab_size=table.size,
            blank_id=table.blank_id(epsilon=True),
            seconds_per_frame=_SECONDS_PER_FRAME,
            extras={"special_tokens": table.specials},
        )


def _find(directory: directories.CheckpointDirectory) -> list[str]:
    """Returns the names of the tables, the one at the top alone if it is there."""
    if _TABLE in directory:
        return [_TABLE]
    return [
        f"{folder}/{_TABLE}"
        for pattern in _LANG_FOLDERS
        for folder in directory.folders(pattern)
        if f"{folder}/{_TABLE}" in directory
    ]


def _models(
    directory: directories.CheckpointDirectory, table: tables.Table
) -> list[str]:
    """Returns the names of the models beside the table."""
    folder = table.name.removesuffix(_TABLE)
    return [f"{folder}{name}" for name in _MODELS if f"{folder}{name}" in directory]


def _why_model(
    directory: directories.CheckpointDirectory, table: tables.Table
) -> list[str]:
    """Returns why a model beside the table is used, or is not, if there is one."""
    if _byte_pieces(directory, table) == "bbpe":
        return ["its pieces are written in icefall's letters for bytes"]
    names = _models(directory, table)
    if not names:
        return []
    try:
        return [tables.agreeing_model(directory, table, names)[1]]
    except ImportError as error:  # Said again, and raised, by the conversion.
        return [str(error).rstrip(".")]


def _byte_pieces(
    directory: directories.CheckpointDirectory, table: tables.Table
) -> str:
    """Returns how the pieces are written: as their letters show; a name must agree."""
    special = set(table.special_ids)
    found = byte_guess.guess(table.pieces, special)
    if found == "none" and "lang_bbpe" in f"{directory.path}/{table.name}":
        text = {i: piece for i, piece in table.pieces.items() if i not in special}
        stray = byte_guess.stray_piece(text)
        if stray is not None:
            raise errors.AssetError(
                f"{table.path}: the folder's name says byte-level BPE, but the piece"
                f" {text[stray]!r} with the id {stray} is not written in its letters."
            )
        return "bbpe"
    return found
