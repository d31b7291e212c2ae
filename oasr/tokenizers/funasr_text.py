"""FunASR's text of a list of tokens, quirk for quirk, in time linear in the list.

Chinese is joined, English words are parted by blanks, "@@" parts are merged, letters
spelled one by one become an abbreviation. A Chinese token behind a word takes away
the *element* that stands last: the blank, or a mark that came in between.
"""

from collections.abc import Iterable
import itertools

from oasr.tokenizers import funasr_tokens

BLANK = " "
_HAN, _PART, _WORD = funasr_tokens.HAN, funasr_tokens.PART, funasr_tokens.WORD
_LETTERS = funasr_tokens.LETTERS


def elements(entries: Iterable[funasr_tokens.Entry]) -> tuple[list[str], list[int]]:
    """Returns the words, blanks and marks of the text, before it is stripped.

    A word that no token completes is not among them.

    Returns:
      The elements, and for each the index of the entry that put it there. A word and
      the blank behind it come from the same entry.
    """
    found: list[str] = []
    owners: list[int] = []
    parts: list[str] = []
    behind_word = False  # Chinese would take the last element away.
    for index, (kind, text) in enumerate(entries):
        if kind == _HAN:
            if behind_word:
                found.pop()
                owners.pop()
                behind_word = False
        elif kind == _PART:
            parts.append(text)
            behind_word = False
            continue
        elif kind == _WORD:
            if parts:
                text = "".join(parts) + text
                parts.clear()
            found.append(text)
            owners.append(index)
            text = BLANK
            behind_word = True
        found.append(text)
        owners.append(index)
    return found, owners


def spell(found: list[str]) -> list[int]:
    """Turns letters with one blank between them into capitals without.

    Args:
      found: elements, changed in place; such a blank becomes the empty string.

    Returns:
      The indices of these blanks, ascending.
    """
    glue = []
    letters = [index for index, text in enumerate(found) if text in _LETTERS]
    for first, second in itertools.pairwise(letters):
        if second == first + 2 and found[first + 1] == BLANK:
            found[first] = found[first].upper()
            found[second] = found[second].upper()
            found[first + 1] = ""
            glue.append(first + 1)
    return glue


def text(entries: Iterable[funasr_tokens.Entry]) -> str:
    """Returns the text of a list."""
    found, _ = elements(entries)
    spell(found)
    return "".join(found).strip()
