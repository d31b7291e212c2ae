"""FunASR's `sentence_postprocess`: the sentence, its words and their times."""

from collections.abc import Iterable, Iterator, Sequence
import functools
import itertools
from typing import Any, overload

from oasr.tokenizers import funasr_text
from oasr.tokenizers import funasr_tokens

_HAN, _PART, _WORD = funasr_tokens.HAN, funasr_tokens.PART, funasr_tokens.WORD

# Sentences are made of few tokens, again and again.
_read_token = functools.lru_cache(maxsize=2**15)(funasr_tokens.read_token)


@overload
def sentence_postprocess(
    words: Iterable[str | bytes], time_stamp: None = None
) -> tuple[str, list[str]]: ...


@overload
def sentence_postprocess(
    words: Iterable[str | bytes], time_stamp: Sequence[Sequence[Any]]
) -> tuple[str, list[list[Any]], list[str]]: ...


def sentence_postprocess(
    words: Iterable[str | bytes], time_stamp: Sequence[Sequence[Any]] | None = None
) -> tuple[str, list[str]] | tuple[str, list[list[Any]], list[str]]:
    """Returns the sentence of `words` as FunASR writes it.

    Args:
      words: tokens, as text or in UTF-8; "<s>", "</s>", "<unk>" and "<OOV>" drop out.
      time_stamp: `[begin, end]` of each token that stays, in any unit.

    Returns:
      The sentence and its words, marks among them. With `time_stamp`: the words
      joined by blanks, `[begin, end]` of the words, and the words. FunASR gives marks
      no time of their own but counts them when it hands the times out, so behind a
      mark they are those of the word before, and the last words may have none.

    Raises:
      IndexError: as FunASR does, if a time is needed that `time_stamp` lacks.
    """
    texts = [w if isinstance(w, str) else w.decode("utf-8") for w in words]
    tokens = [t for t in map(_read_token, texts) if t is not None]
    family = funasr_tokens.common_family([token.family for token in tokens])
    entries = funasr_tokens.entries(tokens, family)
    found, glue = [text for _, text in entries], []
    if family != _HAN:  # Of Chinese, nothing is joined or taken away.
        found, _ = funasr_text.elements(entries)
        glue = funasr_text.spell(found)
    real_words = _words(found, glue)
    if time_stamp is None:
        return "".join(found).strip(), real_words
    try:
        spans = time_stamp if family == _HAN else _spans(entries, time_stamp)
        times = _word_times(_extents(found, glue), spans)
    except IndexError as error:
        raise IndexError(
            f"time_stamp has {len(time_stamp)} spans, too few for the"
            f" {len(tokens)} tokens it is to time."
        ) from error
    return " ".join(real_words).strip(), times, real_words


def _words(found: list[str], glue: list[int]) -> list[str]:
    """Returns the elements but the blanks, abbreviations in one piece."""
    if not glue:
        return [element for element in found if element != funasr_text.BLANK]
    words = []
    start = 0
    for first, last in _abbreviations(glue):
        words += [
            element for element in found[start:first] if element != funasr_text.BLANK
        ]
        words.append("".join(found[first : last + 1]))
        start = last + 1
    return words + [
        element for element in found[start:] if element != funasr_text.BLANK
    ]


def _abbreviations(glue: list[int]) -> Iterator[tuple[int, int]]:
    """Yields the indices of the first and the last letter of each."""
    # The blanks of one abbreviation stand on every second place.
    for _, run in itertools.groupby(
        enumerate(glue), lambda item: item[1] - 2 * item[0]
    ):
        places = [place for _, place in run]
        yield places[0] - 1, places[-1] + 1


def _extents(found: list[str], glue: list[int]) -> list[tuple[int, int]]:
    """Returns for each word the numbers of its first and its last element.

    Blanks have no number; the letters of an abbreviation have one each.
    """
    last_letter = dict(_abbreviations(glue))
    extents, number, index = [], 0, 0
    while index < len(found):
        letters = (last_letter.get(index, index) - index) // 2 + 1
        if found[index] != funasr_text.BLANK:
            extents.append((number, number + letters - 1))
            number += letters
        index += 2 * letters - 1
    return extents


def _spans(
    entries: list[funasr_tokens.Entry], time_stamp: Sequence[Sequence[Any]]
) -> list[list[Any]]:
    """Returns `[begin, end]` of each Chinese token and each word; marks have none."""
    spans = []
    begin = end = None
    inside_word = False
    for index, (kind, _) in enumerate(entries):
        if not inside_word:
            begin, end = time_stamp[index][0], time_stamp[index][1]
        if kind == _PART:
            inside_word = True
        if kind in (_PART, _WORD):
            end = time_stamp[index][1]
        if kind in (_HAN, _WORD):
            # Chinese inside of an open word gets the time of the word so far.
            spans.append([begin, end])
            inside_word = False
    return spans


def _word_times(
    extents: list[tuple[int, int]], spans: Sequence[Sequence[Any]]
) -> list[list[Any]]:
    """Returns `[begin, end]` of the words, as far as `spans` reaches."""
    times = []
    for first, last in extents:
        # FunASR looks at the end of an abbreviation only; its begin may be missing.
        begin = spans[first][0] if first < last or first < len(spans) else None
        if last < len(spans):
            times.append([begin, spans[last][1]])
    return times
