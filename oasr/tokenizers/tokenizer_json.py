"""Reads `tokenizer.json` and `tokenizer_config.json`, within bounds.

Both are read here before the runtime sees them: it drops the ids that added tokens
declare, and what it does with a hostile file is not ours to bound.
"""

import json
import os
import reprlib
from typing import Any

from oasr.tokenizers import assets
from oasr.tokenizers import errors

# Half as much again as the largest vocabularies that hear speech have: Gemma's file
# of 33 MB, with 1.9 million commas and brackets and 2.6 million quotation marks; twice
# its 262 thousand keys. This bounds time and memory before anything is parsed.
MAX_BYTES = 48 * 2**20
_MOST = {",[{": 3_000_000, ":": 2**19, '"': 4_000_000}

# The largest published vocabulary has 901,629 pieces; no larger id is meant.
MAX_ID = 2**20

_short = reprlib.Repr()
_short.maxstring = _short.maxother = 60
_short.maxlevel = 2


def read_object(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Returns the JSON object in a file.

    Raises:
      AssetError: if the file is absent, too large, no JSON, no object, or names a
        key of an object twice; with the line where there is one.
    """
    if os.path.isfile(path) and os.path.getsize(path) > MAX_BYTES:
        raise errors.AssetError(
            f"{path}: the file has {os.path.getsize(path)} bytes; no tokenizer has"
            f" over {MAX_BYTES}."
        )
    text = assets.read_text(path)
    for marks, most in _MOST.items():
        found = sum(map(text.count, marks))
        if found > most:
            raise errors.AssetError(
                f"{path}: the file has {found} of the marks {marks!r}; no tokenizer"
                f" has over {most}."
            )
    content = _parse(text, path)
    if not isinstance(content, dict):
        raise errors.AssetError(
            f"{path}: expected a JSON object, found {shown(content)}."
        )
    return content


def shown(value: object) -> str:
    """Returns a short form of `value` for a message."""
    return _short.repr(value)


def _parse(text: str, path: str | os.PathLike[str]) -> Any:
    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        fields = dict(pairs)
        if len(fields) < len(pairs):
            raise errors.AssetError(f"{path}: {_twice(pairs)}")
        return fields

    try:
        return json.loads(text, object_pairs_hook=unique)
    except errors.AssetError:
        raise
    except json.JSONDecodeError as error:
        raise errors.AssetError(
            f"{path}:{error.lineno}: expected JSON: {error.msg} at column"
            f" {error.colno}."
        ) from error
    except RecursionError as error:
        raise errors.AssetError(
            f"{path}: brackets are nested hundreds deep; a tokenizer needs ten."
        ) from error
    except ValueError as error:  # An integer of thousands of digits.
        raise errors.AssetError(f"{path}: expected JSON: {error}.") from error


def _twice(pairs: list[tuple[str, Any]]) -> str:
    seen: dict[str, Any] = {}
    for key, value in pairs:
        if key in seen:
            return (
                f"the key {shown(key)} is given twice, as {shown(seen[key])} and as"
                f" {shown(value)}."
            )
        seen[key] = value
    raise AssertionError("no key is given twice")
