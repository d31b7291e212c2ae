"""What is made alike before transcripts are compared."""

import unicodedata

NAMES = ("none", "basic")

_APOSTROPHES = "'’"
# They join or part letters in their scripts, and so are part of a word.
_JOINERS = "\u200c\u200d"


def normalized(text: str, how: str) -> str:
    """Returns a transcript as it is compared, its words parted by one blank.

    Args:
      text: the transcript.
      how: "none", or "basic": compatible forms and cases are one (NFKC, case folded),
        punctuation and symbols part words, and an apostrophe within a word is kept.
    """
    if how == "basic":
        folded = unicodedata.normalize("NFKC", text).casefold()
        text = _without_marks(unicodedata.normalize("NFKC", folded))
    return " ".join(text.split())


def _without_marks(text: str) -> str:
    return "".join(_kept(text, place) for place in range(len(text)))


def _kept(text: str, place: int) -> str:
    """Returns what is kept of one character: itself, a blank or nothing."""
    character = text[place]
    within = all(
        map(_is_part_of_word, (text[place - 1 : place], text[place + 1 : place + 2]))
    )
    if character in _APOSTROPHES:
        return "'" if within else " "
    category = unicodedata.category(character)
    if category == "Cf":
        return character if character in _JOINERS and within else ""
    return " " if category[0] in "PS" else character


def _is_part_of_word(character: str) -> bool:
    """Returns whether a character is a letter, a digit or a mark on one."""
    return character != "" and unicodedata.category(character)[0] in "LNM"
