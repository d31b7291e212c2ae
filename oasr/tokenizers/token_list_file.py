"""Files of token lists: a JSON array of strings, the id of each is its index."""

import json
import os
from typing import Any

from oasr import showing
from oasr.tokenizers import assets
from oasr.tokenizers import errors

# Over a hundred times the largest list in use; JSON of 100 MB would take a gigabyte.
MAX_BYTES = 8 * 2**20


def read_token_list(path: str | os.PathLike[str]) -> list[str]:
    """Returns the strings of a `tokens.json`, in the order of their ids.

    A string may be there twice, as two ids may render alike; a BOM is read.

    Raises:
      AssetError: naming the file, and the line or the element at fault.
    """
    tokens = _parse(path, _read(path))
    if not isinstance(tokens, list):
        raise errors.AssetError(
            f"{path}: expected a JSON array of strings, found {_name(tokens)}."
        )
    if not tokens:
        raise errors.AssetError(
            f"{path}: expected a JSON array of strings, found an empty one."
        )
    for index, token in enumerate(tokens):
        if not isinstance(token, str):
            raise errors.AssetError(
                f"{path}: element {index} (from 0) must be a string,"
                f" found {_name(token)}."
            )
        # JSON can name half of a surrogate pair, which no UTF-8 can hold.
        if not token.isascii() and any("\ud800" <= c <= "\udfff" for c in token):
            raise errors.AssetError(
                f"{path}: element {index} (from 0) must be Unicode text,"
                f" found the lone surrogate in {showing.shown(token)}."
            )
    return tokens


def _read(path: str | os.PathLike[str]) -> str:
    try:
        size = os.path.getsize(path)
    except (OSError, ValueError):
        size = 0  # What is wrong with the path, reading it will tell.
    if size > MAX_BYTES:
        raise errors.AssetError(
            f"{path}: expected a list of tokens of at most {MAX_BYTES} bytes,"
            f" found {size}."
        )
    return assets.read_text(path)


def _parse(path: str | os.PathLike[str], text: str) -> Any:
    try:
        return json.loads(text)
    except RecursionError as error:
        raise errors.AssetError(
            f"{path}: expected a flat JSON array of strings, found arrays or objects"
            " nested too deep to read."
        ) from error
    except json.JSONDecodeError as error:
        raise errors.AssetError(
            f"{path}:{error.lineno}:{error.colno}: expected a JSON array of strings:"
            f" {error.msg}."
        ) from error
    except ValueError as error:  # An integer of more digits than Python converts.
        raise errors.AssetError(
            f"{path}: expected a JSON array of strings, found a number: {error}."
        ) from error


def _name(value: object) -> str:
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "an array"
    return showing.shown(value)
