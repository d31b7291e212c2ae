"""How much longer the sections of a `tokenizer.json` can make a text, and the bounds.

A few steps that each replace a letter by ten make gigabytes of one letter, in
encoding or, in the decoder, of an id. So the growth of a chain is the product over its
steps of the most characters that each makes of one.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from oasr.tokenizers import character_map
from oasr.tokenizers import errors
from oasr.tokenizers import tokenizer_json

# Published sections have up to eight steps, and write one character or two.
MAX_STEPS = 16
MAX_CONTENT = 64

# SentencePiece's own character map makes 18 characters of one, and ByteLevel 4.
MAX_GROWTH = 1024

# Characters of all texts of a vocabulary, as the decoder writes them: the largest
# published ones have ten million.
MAX_TEXTS = 2**26

_STEPS = {
    "normalizer": "normalizers",
    "pre_tokenizer": "pretokenizers",
    "decoder": "decoders",
}


def steps(section: dict[str, Any] | None) -> list[dict[str, Any]]:
    """Returns the steps of a section in order, those of nested sequences as well."""
    return [step for _, step in _walk(section, "")]


def check(
    sections: Mapping[str, dict[str, Any] | None],
    *,
    texts: Iterable[str],
    added: Iterable[str],
    path: str,
) -> None:
    """Refuses what would make too much of a text.

    Args:
      sections: the normalizer, the pre-tokenizer and the decoder, as the library
        describes them; their character maps are checked.
      texts: of all ids.
      added: those of added tokens, which the library normalises when it is built.
      path: the file that errors name.

    Raises:
      AssetError: naming the first step that goes too far.
    """
    encoding = _growth(sections, "normalizer", 1, path)
    encoding = _growth(sections, "pre_tokenizer", encoding, path)
    decoding = _growth(sections, "decoder", 1, path)
    for growth, section, found in (
        (encoding, "normalizer", added),
        (decoding, "decoder", texts),
    ):
        total = sum(map(len, found))
        if total * growth > MAX_TEXTS:
            raise errors.AssetError(
                f"{path}: {section}: the texts of the vocabulary have {total}"
                f" characters, of which it may make {growth:g} times as many; no"
                f" tokenizer makes over {MAX_TEXTS}."
            )


def _growth(
    sections: Mapping[str, dict[str, Any] | None], name: str, growth: float, path: str
) -> float:
    """Returns `growth` times that of a section, within the bound."""
    for number, (place, step) in enumerate(_walk(sections.get(name), name)):
        if number == MAX_STEPS:
            raise errors.AssetError(
                f"{path}: {place}: {name} has over {MAX_STEPS} steps; no tokenizer has."
            )
        content = _content(step)
        if len(content) > MAX_CONTENT:
            raise errors.AssetError(
                f"{path}: {place}: expected a content of at most {MAX_CONTENT}"
                f" characters, found {len(content)}:"
                f" {tokenizer_json.shown(content)}."
            )
        growth *= _of_step(step, name)
        if growth > MAX_GROWTH:
            raise errors.AssetError(
                f"{path}: {place}: the steps up to {step['type']} may make a text"
                f" {growth:g} times as long; no tokenizer makes it over {MAX_GROWTH}"
                " times."
            )
    return growth


def _walk(
    section: dict[str, Any] | None, place: str
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yields the place of each step, and the step."""
    if section is None:
        return
    if section["type"] != "Sequence":
        yield place, section
        return
    name = next(name for name in _STEPS.values() if name in section)
    for number, step in enumerate(section[name]):
        yield from _walk(step, f"{place}.{name}[{number}]")


def _content(step: dict[str, Any]) -> str:
    """Returns what a step writes into a text."""
    names = {"Replace": "content", "Prepend": "prepend"}
    content: str = step[names[step["type"]]] if step["type"] in names else ""
    return content


def _of_step(step: dict[str, Any], section: str) -> float:
    """Returns the most characters that a step makes of one."""
    match step:
        case {"type": "Replace", "pattern": {"String": str(old)}} if old:
            return max(1, len(_content(step)) / len(old))
        case {"type": "Replace" | "Prepend"}:
            # A regular expression may match between characters.
            return 1 + len(_content(step))
        case {"type": "Precompiled"}:
            return max(
                1, character_map.longest_replacement(step["precompiled_charsmap"])
            )
        case {"type": "BertNormalizer"}:
            return 3  # A blank on each side.
        case {"type": "ByteLevel"} if section != "decoder":
            return 5 if step.get("add_prefix_space") else 4
        case {"type": "Metaspace"} if section != "decoder":
            return 2
        case {"type": "BPEDecoder", "suffix": ""} | {"type": "WordPiece"}:
            return 2
        case {"type": "CTC", "word_delimiter_token": ""}:
            return 2
    return 1
