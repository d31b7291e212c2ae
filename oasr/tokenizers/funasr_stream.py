"""Streams of FunASR's text: what later tokens can still change, and no more.

A Chinese token takes away the element behind the last word, and a letter may turn the
letter before it into a capital. So one element and one letter are held back. Where a
token means one thing to a list of its family and another to a mixed list, both texts
are followed until they part or the list is known to be mixed.
"""

from collections.abc import Iterable
import dataclasses
import os
from typing import Any

from oasr.tokenizers import funasr_tokens
from oasr.tokenizers import stripped_stream

_BLANK = " "
_HAN, _PART, _MARK = funasr_tokens.HAN, funasr_tokens.PART, funasr_tokens.MARK


@dataclasses.dataclass
class Joiner:
    """What FunASR's rules remember of a list.

    Attributes:
      open_parts: the beginning of a word that no token has completed.
      letter: a small letter that the next one may turn into a capital.
      last: the element that a Chinese token would take away, if there is one.
      spelling: whether the last word is a letter and nothing but a blank follows.
      keeps_marks: whether no Chinese token exists that could take a mark away.
    """

    open_parts: list[str] = dataclasses.field(default_factory=list)
    letter: str = ""
    last: str | None = None
    spelling: bool = False
    keeps_marks: bool = False

    @property
    def tail(self) -> str:
        """The text at the end that a later entry may change."""
        return self.letter + (self.last or "")

    def copy(self) -> "Joiner":
        """Returns an independent twin."""
        return dataclasses.replace(self, open_parts=list(self.open_parts))

    def push(self, entry: funasr_tokens.Entry) -> str:
        """Adds an entry; returns the text that this settles."""
        kind, text = entry
        if kind == _HAN:
            settled = self.letter + text
        elif kind == _PART:
            self.open_parts.append(text)
            settled = self.tail
        elif kind == _MARK:
            if self.last is not None and not self.keeps_marks:
                settled = self.tail
                self.letter, self.last, self.spelling = "", text, False
                return settled
            settled = self.tail + text
        else:
            return self._push_word(text)
        self.letter, self.last, self.spelling = "", None, False
        return settled

    def _push_word(self, word: str) -> str:
        if self.open_parts:
            word = "".join(self.open_parts) + word
            self.open_parts.clear()
        is_letter = word in funasr_tokens.LETTERS
        if is_letter and self.spelling:
            settled, self.letter = self.letter.upper() + word.upper(), ""
        elif is_letter and word.islower():
            settled, self.letter = self.tail, word
        else:
            settled, self.letter = self.tail + word, ""
        self.spelling, self.last = is_letter, _BLANK
        return settled


class FunASRStream(stripped_stream.StrippedStream):
    """The progress of a stream of FunASR tokens.

    Attributes:
      family: that of all tokens so far; None before the first.
      joiner: what the rules of a mixed list remember.
      rest: text that a mixed list has settled and a list of the family has not.
      pure: what the rules of the family remember, once the two texts differ.
      pure_rest: text that a list of the family has settled and a mixed one has not.
      visible: whether a visible character was settled before they differed.
    """

    def __init__(self, *, keeps_marks: bool = False) -> None:
        super().__init__()
        self.family: int | None = None
        self.joiner = Joiner(keeps_marks=keeps_marks)
        self.rest = ""
        self.pure: Joiner | None = None
        self.pure_rest = ""
        self.visible = False

    def _unsettled(self) -> str:
        """How `decode` renders what is held back now: no blank at the end."""
        if self.pure is None:
            tail = self.joiner.tail
        else:
            tail = self.pure_rest + self.pure.tail
        return (self.blanks.decode() + tail).rstrip()

    def feed_tokens(self, tokens: Iterable[funasr_tokens.Token]) -> str:
        """Returns the text that `tokens` settle."""
        settled = []
        for token in tokens:
            if self.family == funasr_tokens.MIXED:
                settled.append(self.joiner.push(token.mixed))
            else:
                settled.append(self._advance(token))
                self.visible = self.visible or bool(settled[-1].strip())
        delta = self.feed("".join(settled))
        if self.blanks and self._goes_on():
            # Whatever comes, something visible keeps the blanks from the strip.
            delta += self.give_out(self.blanks.decode())
            self.blanks = bytearray()
        return delta

    def _advance(self, token: funasr_tokens.Token) -> str:
        """Adds a token to a list of one family, or the first to a mixed one."""
        if self.family is None:
            self.family = token.family
        if token.family != self.family or self.family == funasr_tokens.MIXED:
            self.family, self.pure, self.pure_rest = funasr_tokens.MIXED, None, ""
            rest, self.rest = self.rest, ""
            return rest + self.joiner.push(token.mixed)
        if self.pure is None:
            if token.stable:
                return self.joiner.push(token.mixed)
            self.pure = self.joiner.copy()
        self.pure_rest += self.pure.push(token.pure)
        self.rest += self.joiner.push(token.mixed)
        return self._agreed()

    def _agreed(self) -> str:
        """Takes the text on which both readings agree from the two rests."""
        if not self.visible:
            self.pure_rest, self.rest = self.pure_rest.lstrip(), self.rest.lstrip()
        agreed = os.path.commonprefix([self.pure_rest, self.rest])
        self.pure_rest = self.pure_rest[len(agreed) :]
        self.rest = self.rest[len(agreed) :]
        return agreed

    def _goes_on(self) -> bool:
        """Returns whether any text that may come is visible right from here."""
        # What is visible in a tail goes away for visible Chinese only, and a list of
        # the family shows every token that a mixed one shows.
        return bool((self.rest + self.joiner.tail).strip())

    def __getstate__(self) -> dict[str, Any]:
        state = super().__getstate__()
        for name, value in state["attributes"].items():
            if isinstance(value, Joiner):
                state["attributes"][name] = value.copy()
        return state
