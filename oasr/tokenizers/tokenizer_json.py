"""Reads `tokenizer.json` and `tokenizer_config.json`, within bounds.

Both are read here before the runtime sees them: it drops the ids that added tokens
declare, and what it does with a hostile file is not ours to bound.
"""

import codecs
import os
import reprlib
from typing import Any, NoReturn

from oasr._native import json_reader
from oasr.tokenizers import assets
from oasr.tokenizers import errors

# More than the largest vocabularies that hear speech have, and no file takes 200 MB.
# Gemma's, of 33 MB, has 1.9 million commas and brackets, 2.6 million quotation marks
# and 262 thousand keys. This bounds time and memory before anything is parsed.
MAX_BYTES = 48 * 2**20
_MOST = {",[{": 2_100_000, ":": 2**19, '"': 4_000_000}

# The largest published vocabulary has 901,629 pieces; no larger id is meant.
MAX_ID = 2**20

# In a line of more bytes nobody counts characters.
_FAR = 2**16

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
    document = assets.read_bytes(path).removeprefix(codecs.BOM_UTF8)
    for marks, most in _MOST.items():
        found = sum(document.count(mark.encode()) for mark in marks)
        if found > most:
            raise errors.AssetError(
                f"{path}: the file has {found} of the marks {marks!r}; no tokenizer"
                f" has over {most}."
            )
    content = _parse(document, path)
    if not isinstance(content, dict):
        raise errors.AssetError(
            f"{path}: expected a JSON object, found {shown(content)}."
        )
    return content


def shown(value: object) -> str:
    """Returns a short form of `value` for a message."""
    return _short.repr(value)


def _parse(document: bytes, path: str | os.PathLike[str]) -> Any:
    def refuse_twice(key: str, first: Any, second: Any) -> NoReturn:
        raise errors.AssetError(
            f"{path}: the key {shown(key)} is given twice, as {shown(first)} and as"
            f" {shown(second)}."
        )

    content, fault = json_reader.read(document, refuse_twice)
    if fault is not None:
        raise _refusal(document, *fault, path)
    return content


def _refusal(
    document: bytes, kind: str, place: int, message: str, path: str | os.PathLike[str]
) -> errors.AssetError:
    if kind == "utf-8":
        return assets.not_utf8(document, place, path)
    if kind == "depth":
        return errors.AssetError(
            f"{path}: brackets are nested over {json_reader.MOST_DEPTH} deep; a"
            " tokenizer needs ten."
        )
    line = document.count(b"\n", 0, place) + 1
    start = document.rfind(b"\n", 0, place) + 1
    # Characters, not bytes: without those that go on with one.
    column = sum(byte & 0xC0 != 0x80 for byte in document[start:place][-_FAR:]) + 1
    at = f"column {column}" if place - start < _FAR else f"byte {place - start + 1}"
    return errors.AssetError(f"{path}:{line}: expected JSON: {message} at {at}.")
