"""Text to the tokens of a FunASR vocabulary, as well as the vocabulary alone allows.

FunASR's own front end cuts words by a dictionary (`seg_dict`) that a token list does
not hold. Here a word becomes, in this order: the token that is the word; letters, if
it is written in capitals; the fewest "@@" parts; its characters.
"""

from collections.abc import Iterable, Iterator, Mapping
import itertools
import re

from oasr.tokenizers import funasr_tokens

# A longer token is found as a whole word only. Every place of a word is looked up in
# all lengths there are; published lists have tokens of up to 20 letters.
_LONGEST_LOOKED_UP = 64

_SPACE, _WORD, _OTHER = range(3)


class Encoder:
    """Finds the ids of a text.

    Args:
      ids: the id of each token that text may become.
      controls: the id of each token that text may name, as "<s>" does.
      unk_id: the id of a character that no token covers; None leaves it out.
    """

    def __init__(
        self, ids: Mapping[str, int], controls: Mapping[str, int], unk_id: int | None
    ) -> None:
        self._unk_id = unk_id
        self._controls = dict(controls)
        names = sorted(controls, key=len, reverse=True)
        self._control = re.compile("|".join(map(re.escape, names)) or r"(?!)")
        self._whole: dict[str, int] = {}
        self._part: dict[str, int] = {}
        for token, token_id in ids.items():
            read = funasr_tokens.read_token(token)
            if read is None or not token:
                continue
            if read.mixed[0] != funasr_tokens.PART:
                self._whole[token] = token_id
            elif token.endswith("@@"):
                self._part.setdefault(read.mixed[1], token_id)
        self._whole_lengths = _lengths(
            token for token in self._whole if _character_kind(token[0]) == _OTHER
        )
        self._part_lengths = _lengths(self._part)
        self._longest = min(max(map(len, self._whole), default=0), _LONGEST_LOOKED_UP)
        self._letters = funasr_tokens.LETTERS & self._whole.keys()

    def encode(
        self, text: str, *, with_controls: bool
    ) -> tuple[list[int], list[tuple[int, str]]]:
        """Returns the ids of `text`, and `(position, character)` of the uncovered."""
        found: list[tuple[int, int | None]] = []
        start = 0
        for match in self._control.finditer(text) if with_controls else ():
            found += self._encode_text(text[start : match.start()], start)
            found.append((match.start(), self._controls[match[0]]))
            start = match.end()
        found += self._encode_text(text[start:], start)
        ids = [self._unk_id if i is None else i for _, i in found]
        uncovered = [(place, text[place]) for place, i in found if i is None]
        return [i for i in ids if i is not None], uncovered

    def _encode_text(self, text: str, offset: int) -> Iterator[tuple[int, int | None]]:
        """Yields position and id of each token, None as the id of the uncovered."""
        for kind, characters in itertools.groupby(text, _character_kind):
            stretch = "".join(characters)
            if kind == _OTHER:
                yield from self._encode_characters(stretch, offset)
            elif kind == _WORD:
                ids = self._encode_word(stretch)
                if ids is None:
                    yield from self._encode_characters(stretch, offset)
                else:
                    yield from ((offset, token_id) for token_id in ids)
            offset += len(stretch)

    def _encode_word(self, word: str) -> list[int] | None:
        folded = _folded(word)
        for form in (word, folded):
            if form in self._whole:
                return [self._whole[form]]
        # Letters one by one are read as an abbreviation, in capitals.
        if word.isupper() and self._letters.issuperset(folded):
            return [self._whole[letter] for letter in folded]
        return self._in_parts(word) or self._in_parts(folded)

    def _in_parts(self, word: str) -> list[int] | None:
        """Returns the fewest parts that make up `word`, earlier ones longer."""
        # best[k]: how many tokens word[k:] takes, and the length of the first.
        best: list[tuple[int, int] | None] = [None] * (len(word) + 1)
        for start in reversed(range(len(word))):
            length = len(word) - start
            if length <= self._longest and word[start:] in self._whole:
                best[start] = (1, length)
                continue
            for length in self._part_lengths:
                rest = best[start + length] if start + length < len(word) else None
                if rest and word[start : start + length] in self._part:
                    # Of as few tokens, the longest first one was seen first.
                    step = best[start]
                    if step is None or rest[0] + 1 < step[0]:
                        best[start] = (rest[0] + 1, length)
        return self._follow(word, best)

    def _follow(
        self, word: str, best: list[tuple[int, int] | None]
    ) -> list[int] | None:
        ids, start = [], 0
        while start < len(word):
            step = best[start]
            if step is None:
                return None
            piece = word[start : start + step[1]]
            ids.append((self._whole if step[0] == 1 else self._part)[piece])
            start += step[1]
        return ids

    def _encode_characters(
        self, text: str, offset: int
    ) -> Iterator[tuple[int, int | None]]:
        """Yields the longest token at each place; a character may change its case."""
        place = 0
        while place < len(text):
            token = text[place]
            for length in self._whole_lengths:
                if text[place : place + length] in self._whole:
                    token = text[place : place + length]
                    break
            if token not in self._whole:
                token = _folded(token)
            yield offset + place, self._whole.get(token)
            place += len(token)


def _lengths(tokens: Iterable[str]) -> list[int]:
    """Returns the lengths that occur and are looked up, longest first."""
    lengths = {len(token) for token in tokens}
    return sorted((n for n in lengths if n <= _LONGEST_LOOKED_UP), reverse=True)


def _folded(text: str) -> str:
    """Returns `text` in small letters, as many as there were."""
    return "".join(c.lower() if len(c.lower()) == 1 else c for c in text)


def _character_kind(character: str) -> int:
    if character.isspace():
        return _SPACE
    return _WORD if funasr_tokens.is_word_character(character) else _OTHER
