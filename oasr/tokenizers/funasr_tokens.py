"""What one token is to FunASR's rules for text.

The rules are those of `sentence_postprocess` in `funasr/utils/postprocess_utils.py`,
release 1.4.16. They look at a token twice, and the two views differ. A list in which
every token, taken as a whole, counts as Chinese (or every one as a word) is rendered
as such. Any other list is *mixed*, and there each token is judged by its characters.
"""

from collections.abc import Iterable
import re
from typing import NamedTuple

# What a token is: Chinese (digits and "@" are, too), the beginning or middle of a
# word ("@@" says so), a word or its end, anything else.
HAN, PART, WORD, MARK = range(4)

# The family of a token that makes every list mixed.
MIXED = -1

# Dropped from every list; inside a longer token only its family ignores them.
NAMES = frozenset({"<s>", "</s>", "<unk>", "<OOV>"})

# What is joined to an abbreviation when it is spelled letter by letter.
LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")

# A token as one list renders it: what it is there, and its text.
Entry = tuple[int, str]

_HAN_TOKEN = re.compile("[0-9@\u4e00-\u9fff]+")
_HAN_LETTER = re.compile("[\u4e00-\u9fff]")
_IGNORED = (" ", "</s>", "<s>", "<unk>", "<OOV>")  # In this order.


class Token(NamedTuple):
    """One token.

    Attributes:
      family: HAN or WORD if lists of that family only may hold it, else MIXED.
      mixed: how a mixed list renders it.
      pure: how a list of its family renders it.
      stable: whether these two come to the same text.
    """

    family: int
    mixed: Entry
    pure: Entry
    stable: bool


def read_token(token: str) -> Token | None:
    """Returns what `token` is, or None for the names that every list drops."""
    if token in NAMES:
        return None
    mixed, family = _mixed_entry(token), _family(token)
    if family == HAN:
        pure = (HAN, token.replace(" ", ""))
        # A list of Chinese holds no word, so there a mark is rendered as Chinese is.
        stable = mixed[1] == pure[1]
    elif family == WORD:
        pure = (WORD, token)
        stable = mixed == pure
    else:
        pure, stable = mixed, True
    # One tuple where one will do: a list of tokens is read faster.
    return Token(family, mixed, mixed if mixed == pure else pure, stable)


def common_family(families: Iterable[int]) -> int:
    """Returns the family of a list: the one of all its tokens, MIXED without one."""
    found = set(families)
    return found.pop() if len(found) == 1 else MIXED


def entries(tokens: list[Token], family: int) -> list[Entry]:
    """Returns how a list of that family renders each of its tokens."""
    if family == MIXED:
        return [token.mixed for token in tokens]
    return [token.pure for token in tokens]


def is_word_character(character: str) -> bool:
    """Returns whether words are made of it: a letter outside U+4E00-9FFF, or "'"."""
    return character == "'" or (
        character.isalpha() and not "\u4e00" <= character <= "\u9fff"
    )


def _mixed_entry(token: str) -> Entry:
    if _HAN_TOKEN.fullmatch(token):
        return HAN, token
    if "@@" in token:
        return PART, token.replace("@@", "")
    letters = token.replace("'", "")
    if token and (not letters or letters.isalpha()) and not _HAN_LETTER.search(token):
        return WORD, token
    return MARK, token


def _family(token: str) -> int:
    for ignored in _IGNORED:
        token = token.replace(ignored, "")
    # Strings are compared, not characters: "5a" is Chinese here, and "9a" is not.
    if "\u4e00" <= token <= "\u9fff" or "0" <= token <= "9" or token == "@":
        return HAN
    return WORD if token.isalpha() or token == "'" else MIXED
