"""What the decoder of a `tokenizer.json` does to the text of ids, for streams.

The decoders of the `tokenizers` library, as far as a later id matters (all tried on
random ids, and read in its `decoders/`):

- `ByteLevel` joins the bytes of all ids, and reads them as UTF-8.
- `Metaspace` and `WordPiece` treat the first id in another way than the others, as
  does no decoder at all, which joins texts by blanks.
- `Strip`, at the end of a `Sequence`, takes a character from the start of the text.
- `ByteFallback` turns a run of byte ids into its text, or, if one byte is bad, into
  one mark per byte.
- `CTC` drops an id that repeats the one before, and `BPEDecoder` renders the end of a
  word when the next id comes.
"""

from collections.abc import Mapping
import dataclasses
import re
from typing import Any

from oasr.tokenizers import text_growth

# What ByteFallback reads as a byte: Rust's from_str_radix takes a sign, too.
_BYTE = re.compile(r"<0x([0-9A-Fa-f]{2}|\+[0-9A-Fa-f])>")


_BROKEN = "\ufffd"


@dataclasses.dataclass(frozen=True)
class Rules:
    """How the text of an id depends on the ids around it.

    Attributes:
      known: whether the rules of the decoder are; if not, nothing else counts.
      byte_level: whether texts are joined as bytes; else by whole characters.
      part_bytes: the bytes of each id that may hold a part of a character.
      empty: ids that render nothing and change nothing, wherever they stand.
      first_differs: whether the start of the text has rules of its own.
      follows_last: whether the text of an id depends on the id before it.
      undoes_runs: whether a bad byte undoes the whole run of byte ids around it.
      first_dropped: the character that is left out at the start of the text.
    """

    known: bool = True
    byte_level: bool = False
    part_bytes: Mapping[int, bytes] = dataclasses.field(default_factory=dict)
    empty: frozenset[int] = frozenset()
    first_differs: bool = False
    follows_last: bool = False
    undoes_runs: bool = False
    first_dropped: str = ""


_UNKNOWN = Rules(known=False)


def of_decoder(decoder: dict[str, Any] | None, texts: Mapping[int, str]) -> Rules:
    """Returns the rules of a decoder, by the library's own description of it.

    Args:
      decoder: the section of the tokenizer.json, as the library writes it.
      texts: what the vocabulary has for each id.
    """
    if decoder is None:
        return Rules(first_differs=True)
    steps = _without_idle(text_growth.steps(decoder))
    match [step["type"] for step in steps]:
        case ["ByteLevel"]:
            return _byte_level(texts)
        case ["Metaspace"]:
            return Rules(first_differs=steps[0]["prepend_scheme"] != "never")
        case ["WordPiece"]:
            return Rules(first_differs=True)
        case ["CTC"]:
            return Rules(follows_last=True)
        case ["BPEDecoder"]:
            return _bpe_decoder(steps[0]["suffix"], texts)
    return _joined(steps, texts)


def _without_idle(steps: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Returns the steps without each `Fuse` of what is, or will be, joined already.

    The library joins what the last step leaves.
    """
    kept: list[dict[str, Any]] = []
    for step in steps:
        if step["type"] != "Fuse" or not kept or kept[-1]["type"] != "Fuse":
            kept.append(step)
    return kept[:-1] if kept and kept[-1]["type"] == "Fuse" else kept


def _joined(steps: list[dict[str, Any]], texts: Mapping[int, str]) -> Rules:
    """Returns the rules of `Replace`, `ByteFallback`, `Fuse` and `Strip`, in order."""
    rest = list(steps)
    while rest and rest[0]["type"] == "Replace":
        replace = rest.pop(0)
        old, new = replace["pattern"].get("String"), replace["content"]
        if not old:  # A regular expression, which may look at anything.
            return _UNKNOWN
        texts = {i: text.replace(old, new) for i, text in texts.items()}
    byte_ids: dict[int, bytes] = {}
    if rest and rest[0]["type"] == "ByteFallback":
        byte_ids = _byte_ids(texts)
        rest.pop(0)
    taken = ""
    match rest:
        case []:
            pass
        case [{"type": "Fuse"}, {"type": "Strip", "start": 0, "stop": 0}]:
            pass
        case [{"type": "Fuse"}, {"type": "Strip", "start": 1, "stop": 0} as strip]:
            taken = strip["content"]
        case _:
            return _UNKNOWN
    if taken == _BROKEN:  # It would take a mark of a broken run.
        return _UNKNOWN
    return Rules(
        part_bytes=byte_ids,
        empty=frozenset(i for i, text in texts.items() if not text),
        first_differs=bool(taken),
        undoes_runs=bool(byte_ids),
        first_dropped=taken,
    )


def _byte_level(texts: Mapping[int, str]) -> Rules:
    """Returns the rules of byte letters: only cut characters matter."""
    part_bytes = {}
    for token_id, text in texts.items():
        # ASCII is whole characters, and most vocabularies are ASCII and blanks.
        if text.replace("\u0120", " ").isascii():
            continue
        content = _letter_bytes(text)
        try:
            content.decode()
        except UnicodeDecodeError:
            part_bytes[token_id] = content
    empty = frozenset(i for i, text in texts.items() if not text)
    return Rules(byte_level=True, part_bytes=part_bytes, empty=empty)


def _bpe_decoder(suffix: str, texts: Mapping[int, str]) -> Rules:
    # The suffix of the last id renders nothing, and as a blank when another id comes.
    # That only adds to the text if the suffix is nowhere but at the end of it.
    only_adds = all(
        text.replace(suffix, " ").startswith(text.replace(suffix, ""))
        for text in texts.values()
    )
    return Rules(follows_last=True) if only_adds else _UNKNOWN


def _byte_ids(texts: Mapping[int, str]) -> dict[int, bytes]:
    found = ((i, _BYTE.fullmatch(text)) for i, text in texts.items())
    return {i: bytes([int(byte[1], 16)]) for i, byte in found if byte}


def _byte_letters() -> dict[str, int]:
    """Returns the byte of each letter of byte-level BPE.

    A printable byte of Latin-1 is its own letter; the others are, in order, the
    letters from U+0100 on (GPT-2's `bytes_to_unicode`).
    """
    printable = {*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)}
    others = [byte for byte in range(256) if byte not in printable]
    letters = {chr(byte): byte for byte in printable}
    return letters | {chr(0x100 + n): byte for n, byte in enumerate(others)}


_LETTERS = _byte_letters()


def _letter_bytes(text: str) -> bytes:
    """Returns the bytes of a text; in UTF-8 if it has any other character."""
    try:
        return bytes(map(_LETTERS.__getitem__, text))
    except KeyError:
        return text.encode()
