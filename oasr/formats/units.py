"""Words as subtitles show them: with the blank, if any, that stands before each."""

from collections.abc import Sequence
import dataclasses

from rich import cells

from oasr.engine import request as requests

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
    """

    text: str
    blank: bool
    start: float
    end: float

    @property
    def ends_sentence(self) -> bool:
        """Whether a sentence ends with it, as far as its marks tell."""
        return self.text.rstrip(_CLOSERS).endswith(_SENTENCE_ENDS)

    @property
    def ends_phrase(self) -> bool:
        """Whether a sentence or a part of one ends with it."""
        bare = self.text.rstrip(_CLOSERS)
        return bare.endswith(_SENTENCE_ENDS) or bare.endswith(_CLAUSE_ENDS)


def from_output(output: requests.RequestOutput) -> list[Unit]:
    """Returns the words of an output in the order of its text.

    Raises:
      ValueError: if it has no words, or they are not those of its text.
    """
    if output.words is None:
        raise ValueError(
            f"The output of {output.request_id!r} has no words; ask for them with"
            " word_timestamps=True."
        )
    found, place = [], 0
    for word in output.words:
        begin = output.text.find(word.word, place)
        if begin < 0 or output.text[place:begin].strip():
            raise ValueError(
                f"The output of {output.request_id!r} has the word {word.word!r},"
                f" which is not next in its text after {output.text[:place][-40:]!r}."
            )
        found.append(Unit(word.word, begin > place, word.start, word.end))
        place = begin + len(word.word)
    return found


def text(units: Sequence[Unit]) -> str:
    """Returns the text of `units`, one blank where whitespace stands between two."""
    parts = [" " * (unit.blank and k > 0) + unit.text for k, unit in enumerate(units)]
    return "".join(parts)


def width(units: Sequence[Unit]) -> int:
    """Returns how many cells of a terminal or a subtitle their text takes."""
    return cells.cell_len(text(units))
