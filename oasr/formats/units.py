"""Words as subtitles show them: with the blank, if any, that stands before each."""

from collections.abc import Sequence
import dataclasses

from rich import cells

from oasr.engine import request as requests
from oasr.formats import places

# What closes a phrase may stand behind its mark: "Go!" and （好。）
_CLOSERS = "\"'’”»)]}」』）】》〉"
_SENTENCE_ENDS = (*".!?…。！？｡؟۔।॥።၊။", "...")
_CLAUSE_ENDS = tuple(",;:،؛、，；：､–—")


@dataclasses.dataclass(frozen=True)
class Unit:
    """A word of a transcript, and what stands before it.

    Attributes:
      text: the word.
      blank: whether whitespace stands before it.
      start: in seconds from the start of the audio.
      end: in seconds, not before `start`.
      ends_segment: whether the model set apart what ends with it, which often is a
        phrase, with a mark or without.
    """

    text: str
    blank: bool
    start: float
    end: float
    ends_segment: bool = False

    @property
    def ends_sentence(self) -> bool:
        """Whether a sentence ends with it, as far as its marks tell."""
        return self.text.rstrip(_CLOSERS).endswith(_SENTENCE_ENDS)

    @property
    def ends_phrase(self) -> bool:
        """Whether a sentence or a part of one ends with it."""
        bare = self.text.rstrip(_CLOSERS)
        return bare.endswith(_SENTENCE_ENDS) or bare.endswith(_CLAUSE_ENDS)


def from_words(output: requests.RequestOutput) -> list[Unit]:
    """Returns the words of an output in the order of its text.

    Raises:
      ValueError: if it has text and no words, or they are not those of its text.
    """
    if output.words is None and not output.text.strip():
        return []
    if output.words is None:
        raise ValueError(
            f"The output of {output.request_id!r} has no words; ask for them with"
            " word_timestamps=True."
        )
    found, before = [], 0
    ends = places.of([word.word for word in output.words], output, what="word")
    for word, (begin, end) in zip(output.words, ends, strict=True):
        # A word has no whitespace; if one did, it would end a line or a cue.
        if shown := " ".join(word.word.split()):
            found.append(Unit(shown, begin > before, word.start, word.end))
        before = end
    return found


def text(units: Sequence[Unit]) -> str:
    """Returns the text of `units`, one blank where whitespace stands between two."""
    parts = [" " * (unit.blank and k > 0) + unit.text for k, unit in enumerate(units)]
    return "".join(parts)


def width(units: Sequence[Unit]) -> int:
    """Returns how many cells of a terminal or a subtitle their text takes."""
    return cells.cell_len(text(units))
