"""Added tokens: declared in `tokenizer.json`, in `tokenizer_config.json`, or both.

The runtime reads the first file only, and numbers what it reads one after the other,
whatever id is declared. So the declarations are merged here, before it reads them,
and compared with what it made of them afterwards.
"""

from collections.abc import Iterable, Mapping, Sequence
import dataclasses
import logging
from typing import Any

from oasr.tokenizers import errors
from oasr.tokenizers import tokenizer_json

_logger = logging.getLogger("oasr.tokenizers")

# What a declaration that leaves a flag out means by it (tokenizers.AddedToken).
_FLAGS = ("special", "single_word", "lstrip", "rstrip")


@dataclasses.dataclass(frozen=True, slots=True)
class AddedToken:
    """One declaration.

    Attributes:
      id: the declared id.
      content: the text that becomes this id, and that the id renders.
      special: whether it is no text but control.
      single_word: whether it must not stand inside a word.
      lstrip: whether it takes the blanks before it.
      rstrip: whether it takes the blanks behind it.
      normalized: whether it is looked for in the normalised text.
    """

    id: int
    content: str
    special: bool
    single_word: bool
    lstrip: bool
    rstrip: bool
    normalized: bool


def read_tokenizer(content: dict[str, Any], path: str) -> list[AddedToken]:
    """Returns the declarations of a `tokenizer.json`."""
    entries = content.get("added_tokens") or []
    if not isinstance(entries, list):
        raise errors.AssetError(
            f"{path}: expected a list as added_tokens, found"
            f" {tokenizer_json.shown(entries)}."
        )
    tokens = []
    for place, entry in enumerate(entries):
        where = f"{path}: added_tokens[{place}]"
        token_id = entry.get("id") if isinstance(entry, dict) else None
        tokens.append(_read(entry, token_id, where))
    return tokens


def read_config(content: dict[str, Any], path: str) -> list[AddedToken]:
    """Returns the declarations of a `tokenizer_config.json`, by id."""
    entries = content.get("added_tokens_decoder") or {}
    if not isinstance(entries, dict):
        raise errors.AssetError(
            f"{path}: expected an object as added_tokens_decoder, found"
            f" {tokenizer_json.shown(entries)}."
        )
    tokens = []
    for key, entry in entries.items():
        where = f"{path}: added_tokens_decoder[{tokenizer_json.shown(key)}]"
        # The length first: int() of a million digits takes long, or is refused.
        is_id = key.isascii() and key.isdigit() and len(key) < 20
        tokens.append(_read(entry, int(key) if is_id else key, where))
    return sorted(tokens, key=lambda token: token.id)


def merge(
    declared: Mapping[str, list[AddedToken]], texts: Sequence[str | None]
) -> list[AddedToken]:
    """Returns the declarations of all files, by id.

    A token that either file marks special is special; one warning says so.

    Args:
      declared: the declarations of each file, by its path.
      texts: the text of each id of the model's own vocabulary, None in gaps.

    Raises:
      AssetError: if an id is declared that has another text.
    """
    text_of: dict[int, str] = {}
    by_content: dict[str, AddedToken] = {}
    disagreed = []
    for path, tokens in declared.items():
        for token in tokens:
            taken = texts[token.id] if token.id < len(texts) else None
            if taken is None:
                taken = text_of.setdefault(token.id, token.content)
            known = by_content.setdefault(token.content, token)
            _check(token, taken, known, path)
            if known.special != token.special:
                disagreed.append(token.content)
                by_content[token.content] = dataclasses.replace(known, special=True)
    if disagreed:
        _logger.warning(
            "%s disagree on whether these added tokens are special, so they are: %s.",
            " and ".join(declared),
            tokenizer_json.shown(disagreed),
        )
    return sorted(by_content.values(), key=lambda token: token.id)


def to_json(tokens: Iterable[AddedToken]) -> list[dict[str, Any]]:
    """Returns what a tokenizer.json holds as `added_tokens`."""
    return [dataclasses.asdict(token) for token in tokens]


def _check(token: AddedToken, taken: str, known: AddedToken, path: str) -> None:
    """Refuses an id that has another text, and a text that has another id."""
    if taken != token.content:
        raise errors.AssetError(
            f"{path}: the added token {token.content!r} declares the id {token.id},"
            f" which is {tokenizer_json.shown(taken)} already."
        )
    if known.id != token.id:
        raise errors.AssetError(
            f"{path}: the added token {token.content!r} declares the id {token.id},"
            f" and the id {known.id} as well."
        )


def _read(entry: Any, token_id: Any, where: str) -> AddedToken:
    if not isinstance(entry, dict) or not isinstance(entry.get("content"), str):
        raise errors.AssetError(
            f"{where}: expected an object with a text as 'content', found"
            f" {tokenizer_json.shown(entry)}."
        )
    if type(token_id) is not int or not 0 <= token_id <= tokenizer_json.MAX_ID:
        raise errors.AssetError(
            f"{where}: expected an id in [0, {tokenizer_json.MAX_ID}], found"
            f" {tokenizer_json.shown(token_id)}."
        )
    if not entry["content"]:
        raise errors.AssetError(f"{where}: the text of the id {token_id} is empty.")
    flags = {name: entry.get(name, False) for name in _FLAGS}
    # What is control is looked for as it is written, unless the file says otherwise.
    flags["normalized"] = entry.get("normalized", not flags["special"])
    for name, value in flags.items():
        if not isinstance(value, bool):
            raise errors.AssetError(
                f"{where}: expected true or false as {name!r}, found"
                f" {tokenizer_json.shown(value)}."
            )
    return AddedToken(token_id, entry["content"], **flags)
