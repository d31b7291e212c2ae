"""Which id each stretch of FunASR's text belongs to."""

from oasr.tokenizers import funasr_text
from oasr.tokenizers import funasr_tokens


def pieces(entries: list[funasr_tokens.Entry]) -> list[str]:
    """Returns the text of each entry; joined they are the text of the list.

    Letters and parts of a word go to their own entries. A word that is rendered
    behind entries later than its first part goes whole to the one that completes it.
    A blank goes to the text behind it, as in every other kind.
    """
    found, owners = funasr_text.elements(entries)
    funasr_text.spell(found)
    texts = [""] * len(entries)
    blank, previous = "", -1
    for element, owner in zip(found, owners, strict=True):
        if owner == previous:  # The second element of an entry is the blank.
            blank = element
        elif element:
            for index, text in _shares(entries, owner, element):
                texts[index] = blank + text
                blank = ""
        previous = owner
    _strip(texts)
    return texts


def _shares(
    entries: list[funasr_tokens.Entry], last: int, word: str
) -> list[tuple[int, str]]:
    """Returns the entries up to `last` that make up `word`, and the text of each."""
    first, missing = last, len(word) - len(entries[last][1])
    while missing and first and entries[first - 1][0] == funasr_tokens.PART:
        first -= 1
        missing -= len(entries[first][1])
    if missing or first == last:
        return [(last, word)]
    return [(index, entries[index][1]) for index in range(first, last + 1)]


def _strip(texts: list[str]) -> None:
    """Takes the whitespace at both ends of the joined texts away, in place."""
    for index, text in enumerate(texts):
        texts[index] = text.lstrip()
        if texts[index]:
            break
    for index in reversed(range(len(texts))):
        texts[index] = texts[index].rstrip()
        if texts[index]:
            break
