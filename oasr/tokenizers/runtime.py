"""The `tokenizers` library: loaded when needed, its panics turned into errors."""

import json
import re
from typing import TYPE_CHECKING, Any, NoReturn

from oasr.tokenizers import errors

if TYPE_CHECKING:
    import tokenizers

_PLACE = re.compile(r" at line \d+ column \d+$")

_SECTIONS = ("normalizer", "pre_tokenizer", "decoder")

# No trouble of a file: these pass through.
_NOT_THE_FILE = (KeyboardInterrupt, SystemExit, GeneratorExit, MemoryError)


def require() -> None:
    """Raises ImportError if the library is not installed, saying how to get it."""
    try:
        import tokenizers  # noqa: F401
    except ImportError as error:
        raise ImportError(
            "The tokenizer kinds huggingface and whisper need the library"
            " 'tokenizers': pip install 'oasr-server[tokenizers]'."
        ) from error


def build(content: dict[str, Any], path: str) -> "tokenizers.Tokenizer":
    """Returns a runtime that encodes whole texts as they are.

    Args:
      content: what a tokenizer.json holds.
      path: the file that errors name.

    Raises:
      AssetError: if the library refuses the content, or panics over it.
    """
    import tokenizers

    try:
        built = tokenizers.Tokenizer.from_str(json.dumps(content, ensure_ascii=False))
        # A file keeps the settings of its last training run; they cut or fill texts.
        built.no_truncation()
        built.no_padding()
    except BaseException as error:
        refuse(error, path, "is no tokenizer")
    return built


def describe(
    content: dict[str, Any], model: dict[str, Any], path: str
) -> dict[str, Any]:
    """Returns the sections that change texts, in the library's own words.

    The library reads older forms, too, e.g. steps without a type. Nothing but these
    sections and a small model is built, so no text runs through them, and what the
    library refuses is refused at little cost.

    Args:
      content: what a tokenizer.json holds; its character maps are checked.
      model: its model, with a vocabulary of one text.
      path: the file that errors name.

    Returns:
      The normalizer, the pre-tokenizer and the decoder, None for each that is absent.

    Raises:
      AssetError: if the library refuses one, or panics over it.
    """
    sections = {name: content.get(name) for name in _SECTIONS}
    built = build({**sections, "model": model}, path)
    described = json.loads(built.to_str())
    return {name: described[name] for name in _SECTIONS}


def encode(built: "tokenizers.Tokenizer", text: str, path: str) -> list[int]:
    """Returns the ids of `text`, no template ids added.

    Raises:
      TypeError: if `text` is no text.
      ValueError: if it holds half of a surrogate pair, which UTF-8 cannot write.
      AssetError: if the file at `path` makes the library fail.
    """
    if not isinstance(text, str):
        raise TypeError(f"Expected a text to encode, got {type(text).__name__}.")
    try:
        ids: list[int] = built.encode(text, add_special_tokens=False).ids
    except BaseException as error:
        place = next((k for k, c in enumerate(text) if "\ud800" <= c <= "\udfff"), None)
        if place is None:
            refuse(error, path, "does not let its texts be encoded")
        raise ValueError(
            f"A text to encode must be Unicode; its character at position {place} is"
            f" the lone surrogate {text[place]!r}."
        ) from error
    return ids


def decode(built: "tokenizers.Tokenizer", ids: list[int], path: str) -> str:
    """Returns the text of `ids`, none of them skipped, blanks as they are.

    Raises:
      AssetError: if the file at `path` makes the library fail.
    """
    try:
        text: str = built.decode(ids, skip_special_tokens=False)
    except BaseException as error:
        refuse(error, path, "does not let its ids be decoded")
    return text


def refuse(error: BaseException, path: str, fault: str) -> NoReturn:
    """Raises the AssetError for what the library raised over the file `path`.

    A panic of the library is a BaseException, which passes through every handler of
    a server; so it is caught where the library is called.
    """
    if isinstance(error, _NOT_THE_FILE):
        raise error
    # The place is in what was handed over, and no place in the file.
    found = _PLACE.sub("", str(error)).rstrip(".")
    raise errors.AssetError(f"{path}: the file {fault}: {found}.") from error
