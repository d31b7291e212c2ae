"""Paraformer checkpoints: a list of characters and words, wherever it is written."""

import json
from typing import Any, NamedTuple

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
from oasr.checkpoints import wenet
from oasr.tokenizers import errors
from oasr.tokenizers import token_list_file

_LIST = "tokens.json"
# Exports write the list as a table, or as bare lines.
_TABLES = ("tokens.txt", *wenet.TABLES)
_LINES = ("vocab.txt", "tokens.txt")


class _Tokens(NamedTuple):
    """A token list, where it was found, and the file that has it as JSON, if any."""

    tokens: list[str]
    place: str
    path: str | None = None


class ParaformerConverter(converter.CheckpointConverter):
    """Knows a list of tokens with a blank, sentence boundaries and parts of words."""

    looks_for = (
        "tokens.json, token_list in config.yaml, or a tokens.txt, words.txt, units.txt"
        ' or vocab.txt with a <blank> and "@@" parts of words'
    )

    def claim(self, directory: directories.CheckpointDirectory) -> claims.Claim:
        """Returns a claim by the name of the model, or by the tokens."""
        for name in (funasr.CONFIG, wenet.CONFIG):
            model = funasr.model(directory.yaml(name)) if name in directory else ""
            if "paraformer" in model.lower():
                place = _read(directory).place
                return claims.Claim(
                    claims.Strength.CERTAIN,
                    (f"{name} names the model {model}", f"the tokens are in {place}"),
                )
        if funasr.model(funasr.config(directory)).startswith("SenseVoice"):
            return claims.none(f"{funasr.CONFIG} names a SenseVoice model")
        if not _places(directory):
            return claims.none("there is no token list")
        found = _read(directory)
        specials = _specials(found)
        if special_names.blank(specials, found.place) is None:
            return claims.none(f"{found.place} names no blank")
        if wenet.has_parts(found.tokens):
            return claims.Claim(
                claims.Strength.LIKELY, (f'{found.place} holds "@@" parts of words',)
            )
        if found.path or found.place == funasr.CONFIG:
            return claims.Claim(
                claims.Strength.LIKELY, (f"{found.place} has a blank, as FunASR's do",)
            )
        return claims.none(f'{found.place} holds no "@@" parts of words')

    def convert(
        self, directory: directories.CheckpointDirectory
    ) -> checkpoint.ConvertedCheckpoint:
        """Returns the list; one that is not in JSON is written so."""
        found = _read(directory)
        specials = _specials(found)
        path = found.path
        if path is None:
            content = json.dumps(found.tokens, ensure_ascii=False, indent=0)
            path = generated.write(_LIST, content.encode())
        config = funasr.config(directory)
        declared = settings.vocab_size(config, "model_conf.vocab_size")
        return checkpoint.ConvertedCheckpoint(
            family="paraformer",
            tokenizer=tokenizers.TokenizerSpec(
                "funasr_char",
                {"tokens": path},
                {"special_ids": sorted(specials.values())},
            ),
            vocab_size=declared or len(found.tokens),
            blank_id=special_names.blank(specials, found.place),
            seconds_per_frame=funasr.seconds_per_frame(config),
            extras={"special_tokens": specials},
        )


def _specials(found: _Tokens) -> dict[str, int]:
    return special_names.find(dict(enumerate(found.tokens)), found.place)


def _places(directory: directories.CheckpointDirectory) -> list[str]:
    """Returns the names of the files that may hold the tokens, the likeliest first."""
    config = funasr.config(directory)
    names = [_LIST, *([funasr.CONFIG] if "token_list" in config else [])]
    return [n for n in dict.fromkeys([*names, *_TABLES, *_LINES]) if n in directory]


def _read(directory: directories.CheckpointDirectory) -> _Tokens:
    """Returns the token list from the first place that has one."""
    places = _places(directory)
    if not places:
        raise errors.AssetError(
            f"{directory.path}: no token list is there; expected"
            f" {ParaformerConverter.looks_for}."
        )
    if _LIST in places:
        path = directory.file(_LIST)
        return _Tokens(token_list_file.read_token_list(path), _LIST, path)
    if funasr.CONFIG in places:
        tokens = funasr.config(directory)["token_list"]
        return _Tokens(_checked(tokens, directory.file(funasr.CONFIG)), funasr.CONFIG)
    for name in places:
        if name in _TABLES and (tokens := _from_table(directory, name)):
            return _Tokens(tokens, name)
    lines = [name for name in _LINES if name in places]
    if not lines:
        path = tables.read(directory, places[0]).path  # Raises where it is no table.
        raise errors.AssetError(f"{path}: expected a list, found gaps in its ids.")
    return _Tokens(_from_lines(directory, lines[0]), lines[0])


def _checked(tokens: Any, path: str) -> list[str]:
    """Returns a `token_list` of YAML, where an unquoted `no` is no string."""
    if not isinstance(tokens, list) or not tokens:
        raise errors.AssetError(
            f"{path}: expected a list of tokens as token_list, found"
            f" {type(tokens).__name__ if tokens else 'an empty one'}."
        )
    for index, token in enumerate(tokens):
        if not isinstance(token, str):
            raise errors.AssetError(
                f"{path}: token_list[{index}] must be a string, found {token!r}; in"
                " quotes it is one."
            )
    return tokens


def _from_table(
    directory: directories.CheckpointDirectory, name: str
) -> list[str] | None:
    """Returns the pieces of a table by id, or None if the file is no table."""
    try:
        pieces = tables.read(directory, name).pieces
    except errors.AssetError:
        return None  # It may be bare lines.
    if sorted(pieces) != list(range(len(pieces))):
        return None  # A list has no gaps.
    return [pieces[token_id] for token_id in range(len(pieces))]


def _from_lines(directory: directories.CheckpointDirectory, name: str) -> list[str]:
    tokens = text_lines.split(directory.text(name))
    if not all(tokens):
        raise errors.AssetError(
            f"{directory.file(name)}:{tokens.index('') + 1}: expected a token, found an"
            " empty line."
        )
    return tokens
