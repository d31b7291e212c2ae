"""SenseVoice checkpoints: a SentencePiece model whose pieces are the model's labels."""

from collections.abc import Mapping
import os
import re

from oasr import tokenizers
from oasr.checkpoints import checkpoint
from oasr.checkpoints import claims
from oasr.checkpoints import converter
from oasr.checkpoints import directory as directories
from oasr.checkpoints import funasr
from oasr.checkpoints import generated
from oasr.checkpoints import settings
from oasr.checkpoints import special_names
from oasr.checkpoints import tables
from oasr.checkpoints import text_lines
from oasr.tokenizers import errors
from oasr.tokenizers import token_list_file

_MODEL = "*bpe.model"
_TABLE = "tokens.txt"
_LIST = "tokens.json"

# The language, the mood and the kind of text, which begin every output.
_MARKS = ("<|zh|>", "<|NEUTRAL|>", "<|Speech|>", "<|withitn|>", "<|woitn|>")

_SCORED = re.compile(r"([^\t]+)\t-?[0-9.]+(?:e-?[0-9]+)?")


class SenseVoiceConverter(converter.CheckpointConverter):
    """Knows SenseVoice by the marks of its outputs.

    The second column of its tokens.txt is a score; the line is the id. In exports of
    sherpa-onnx it is the id.
    """

    looks_for = (
        f"tokens.txt, tokens.json or *bpe.model with {_MARKS[1]} and {_MARKS[3]}"
    )

    def claim(self, directory: directories.CheckpointDirectory) -> claims.Claim:
        """Returns a claim by the name of the model, or by the marks."""
        model = funasr.model(funasr.config(directory))
        if model and not model.startswith("SenseVoice"):
            return claims.none(f"{funasr.CONFIG} names the model {model}")
        if not _places(directory):
            return claims.none(f"there is no {_TABLE}, {_LIST} or {_MODEL}")
        place, pieces = _read(directory)
        missing = [mark for mark in _MARKS if mark not in pieces.values()]
        if missing:
            return claims.none(f"{os.path.basename(place)} has no {missing[0]}")
        reasons = [f"{os.path.basename(place)} has {', '.join(_MARKS)}"]
        if model:
            reasons.append(f"{funasr.CONFIG} names the model {model}")
        strength = claims.Strength.CERTAIN if model else claims.Strength.LIKELY
        return claims.Claim(strength, tuple(reasons))

    def convert(
        self, directory: directories.CheckpointDirectory
    ) -> checkpoint.ConvertedCheckpoint:
        """Returns the SentencePiece model, or without it the table."""
        config = funasr.config(directory)
        place, pieces = _read(directory)
        specials = special_names.find(pieces, place, controls=True)
        spec = _spec(directory, place, pieces, sorted(specials.values()))
        # Its label 0 is the blank by default (`funasr/models/sense_voice/model.py`),
        # which is the piece <unk>: there is none of the name.
        blank_id = settings.integer(config, "model_conf.blank_id")
        if blank_id is None:
            blank_id = specials.get(special_names.UNKNOWN)
        return checkpoint.ConvertedCheckpoint(
            family="ctc",
            tokenizer=spec,
            vocab_size=max(pieces) + 1,
            blank_id=blank_id,
            seconds_per_frame=funasr.seconds_per_frame(config),
            extras={"special_tokens": specials},
        )


def _places(directory: directories.CheckpointDirectory) -> list[str]:
    """Returns the names of the files that may hold the pieces."""
    names = [name for name in (_TABLE, _LIST) if name in directory]
    return [*names, *directory.find(_MODEL)]


def _read(
    directory: directories.CheckpointDirectory,
) -> tuple[str, Mapping[int, str]]:
    """Returns the path of the file that lists the pieces, and the pieces by id."""
    if _TABLE in directory:
        path = directory.file(_TABLE)
        return path, _scored(directory) or tables.read(directory, _TABLE).pieces
    if _LIST in directory:
        path = directory.file(_LIST)
        return path, dict(enumerate(token_list_file.read_token_list(path)))
    path = _model(directory)
    return path, tables.sentencepieces(path)


def _model(directory: directories.CheckpointDirectory) -> str:
    names = directory.find(_MODEL)
    if len(names) != 1:
        raise errors.AssetError(
            f"{directory.path}: expected {_TABLE}, {_LIST} or one {_MODEL}, found"
            f" {names or 'none of them'}."
        )
    return directory.file(names[0])


def _scored(directory: directories.CheckpointDirectory) -> dict[int, str] | None:
    """Returns the pieces by line, or None unless every line is a piece and a score.

    A table of ids may look so, too; but scores are not the lines' numbers.
    """
    lines = text_lines.split(directory.text(_TABLE))
    matches = [_SCORED.fullmatch(line) for line in lines]
    pieces = [match[1] for match in matches if match]
    is_numbered = all(line.endswith(f"\t{i}") for i, line in enumerate(lines))
    if len(pieces) < len(lines) or is_numbered:
        return None
    return dict(enumerate(pieces))


def _spec(
    directory: directories.CheckpointDirectory,
    place: str,
    pieces: Mapping[int, str],
    special_ids: list[int],
) -> tokenizers.TokenizerSpec:
    options = {"special_ids": special_ids}
    if directory.find(_MODEL):
        model = _model(directory)
        _check_equal(tables.sentencepieces(model), pieces, place)
        return tokenizers.TokenizerSpec("sentencepiece", {"model": model}, options)
    if os.path.basename(place) != _TABLE or _scored(directory):
        lines = (f"{_column(piece, place)} {i}\n" for i, piece in pieces.items())
        place = generated.write("units.txt", "".join(lines).encode())
    return tokenizers.TokenizerSpec("symbol_table", {"table": place}, options)


def _column(piece: str, place: str) -> str:
    if not piece or any(blank in piece for blank in " \t\r\n"):
        raise errors.AssetError(
            f"{place}: the piece {piece!r} holds a blank, so no table can hold it;"
            f" {_MODEL} is needed beside it."
        )
    return piece


def _check_equal(
    expected: Mapping[int, str], pieces: Mapping[int, str], place: str
) -> None:
    for token_id in sorted({*expected, *pieces}):
        if expected.get(token_id) != pieces.get(token_id):
            raise errors.AssetError(
                f"{place}: the id {token_id} is {pieces.get(token_id)!r}, but"
                f" {expected.get(token_id)!r} in the SentencePiece model."
            )
