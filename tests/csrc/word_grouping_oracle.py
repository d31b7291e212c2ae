"""The rule of words, written from its definition: slow, and regular expressions.

A text becomes a string of class letters, one per code point or per cluster, and
the rules of UAX #29 and of words are regular expressions over those letters.
"""

from collections.abc import Sequence
import itertools
import re

import unicodedataplus as ucd

Word = tuple[str, float, float, float | None]

# Grapheme_Cluster_Break values by letter; see `break_letter` for c and X.
_BREAK_LETTERS = {
    "CR": "r",
    "LF": "n",
    "Control": "!",
    "Extend": "e",
    "ZWJ": "z",
    "Regional_Indicator": "R",
    "Prepend": "P",
    "SpacingMark": "m",
    "L": "L",
    "V": "V",
    "T": "T",
    "LV": "w",
    "LVT": "t",
    "Other": ".",
}
# UAX #29, tables 1b and 1c. E stands for an Extend that an Indic conjunct may
# hold, k for a linker, e for any other; of a joiner the same is true.
_EXTEND = "[eEk]"
_CORE = "|".join(
    [
        "L*(?:V+|wV*|t)T*|L+|T+",  # hangul-syllable
        "RR",  # ri-sequence
        f"X(?:{_EXTEND}*zX)*",  # xpicto-sequence
        "c(?:[Ekz]*k[Ekz]*c)+",  # conjunctCluster
        "[^rn!]",
    ]
)
_CLUSTER = re.compile(f"rn|[rn!]|P*(?:{_CORE})[eEkzm]*")

# O and C are marks, L and S units. A word holds the marks before the first unit
# of its chunk or those that an opening one leads, and what is left behind it.
_WORD = re.compile(r"(?:^[OC]*|O[OC]*)?(?:L(?:[OC]*L)*|S)(?:[OC]*$|C*)|^[OC]+$")


def break_letter(character: str) -> str:
    """Returns the letter of what UAX #29 looks at; "." is any other character."""
    if ucd.category(character) == "Cn":
        # GraphemeBreakProperty.txt and emoji-data.txt speak of these, too.
        if re.match("[\u2065\ufff0-\ufff8\U000e0000-\U000e0fff]", character):
            return "!"
        if re.match("[\U0001f000-\U0001faff\U0001fc00-\U0001fffd]", character):
            return "X"
    if ucd.is_extended_pictographic(character):
        return "X"
    conjunct = ucd.indic_conjunct_break(character)
    if conjunct == "Consonant":
        return "c"
    letter = _BREAK_LETTERS[ucd.grapheme_cluster_break(character)]
    if letter == "e":
        return {"Linker": "k", "Extend": "E", "None": "e"}[conjunct]
    return letter


def _word_letter(character: str) -> str:
    category = ucd.category(character)
    if category in {"Ps", "Pi"} or character in "¿¡":
        return "O"
    if category in {"Pe", "Pf", "Po"}:
        return "C"
    scripts = {"Han", "Thai", "Lao", "Khmer", "Myanmar", "Tibetan"}
    extensions = set(ucd.script_extensions(character))
    if ucd.script(character) in scripts or extensions & {"Hira", "Kana"}:
        return "S"
    return "L"


def clusters(text: str) -> list[str]:
    """Returns the extended grapheme clusters of `text`."""
    letters = "".join(map(break_letter, text))
    return [text[m.start() : m.end()] for m in _CLUSTER.finditer(letters)]


def words(text: str) -> list[tuple[int, int]]:
    """Returns the (start, end) of each word, in code points."""
    spans = []
    start = 0
    for is_space, characters in itertools.groupby(text, str.isspace):
        chunk = "".join(characters)
        if not is_space:
            parts = clusters(chunk)
            edges = [start, *(start + n for n in itertools.accumulate(map(len, parts)))]
            letters = "".join(_word_letter(part[0]) for part in parts)
            spans += [
                (edges[m.start()], edges[m.end()]) for m in _WORD.finditer(letters)
            ]
        start += len(chunk)
    return spans


def _encode(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def word_tokens(
    text: str, piece_ends: Sequence[int], lends: Sequence[bool]
) -> list[tuple[str, list[int]]]:
    """Returns each word with its tokens; `piece_ends` are in bytes of UTF-8."""
    spans = words(text)
    pieces = [
        set(range(start, end)) for start, end in itertools.pairwise([0, *piece_ends])
    ]
    tokens: list[set[int]] = []
    for start, end in spans:
        own = set(range(len(_encode(text[:start])), len(_encode(text[:end]))))
        tokens.append({k for k, piece in enumerate(pieces) if piece & own})
    owned = [set(own) for own in tokens]
    for k, piece in enumerate(pieces):
        if spans and not piece and lends[k]:
            later = [(j, w) for w, own in enumerate(owned) for j in own if j > k]
            tokens[min(later)[1] if later else -1].add(k)
    return [
        (text[start:end], sorted(own))
        for (start, end), own in zip(spans, tokens, strict=True)
    ]


def group(
    text: str,
    piece_ends: Sequence[int],
    lends: Sequence[bool],
    starts: Sequence[float],
    ends: Sequence[float],
    confidences: Sequence[float] | None,
) -> list[Word]:
    """Returns (word, start, end, confidence) for each word."""
    result: list[Word] = []
    for word, tokens in word_tokens(text, piece_ends, lends):
        confidence = None
        if confidences is not None:
            confidence = sum(confidences[k] for k in tokens) / len(tokens)
        start = min(starts[k] for k in tokens)
        result.append((word, start, max(ends[k] for k in tokens), confidence))
    return result
