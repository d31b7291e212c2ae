"""Errors of transcripts, counted: what jiwer aligns."""

from collections.abc import Sequence
import dataclasses
import functools
import importlib
from typing import TYPE_CHECKING, Any

from tools.cli import score_texts

if TYPE_CHECKING:
    import jiwer

# The operations of an alignment.
EQUAL, SUBSTITUTE, DELETE, INSERT = "equal", "substitute", "delete", "insert"


@dataclasses.dataclass(frozen=True, kw_only=True)
class Step:
    """A place of an alignment.

    Attributes:
      kind: one of the operations.
      reference: the word or character of the reference, "" where one is inserted.
      hypothesis: that of the hypothesis, "" where one is deleted.
    """

    kind: str
    reference: str
    hypothesis: str


@dataclasses.dataclass(frozen=True, kw_only=True)
class Scored:
    """The alignment of one or more utterances.

    Attributes:
      name: that of the utterance.
      steps: its alignment.
    """

    name: str
    steps: tuple[Step, ...]

    def count(self, kind: str) -> int:
        """Returns how many steps are of a kind."""
        return self._counts.get(kind, 0)

    @property
    def errors(self) -> int:
        """How many words or characters are not right."""
        return len(self.steps) - self.count(EQUAL)

    @property
    def expected(self) -> int:
        """How many words or characters the reference has."""
        return len(self.steps) - self.count(INSERT)

    @property
    def rate(self) -> float | None:
        """Errors by what the reference has; None where it has nothing."""
        return self.errors / self.expected if self.expected else None

    @functools.cached_property
    def _counts(self) -> dict[str, int]:
        kinds = [step.kind for step in self.steps]
        return {kind: kinds.count(kind) for kind in set(kinds)}


def score(pairs: Sequence[score_texts.Pair], *, characters: bool) -> list[Scored]:
    """Aligns each pair with the fewest errors.

    Args:
      pairs: the transcripts, normalised.
      characters: whether characters, blanks among them, are compared and not words.

    Raises:
      ImportError: if jiwer is not installed.
    """
    jiwer = _library()
    process = jiwer.process_characters if characters else jiwer.process_words
    found = process(
        [pair.reference for pair in pairs], [pair.hypothesis for pair in pairs]
    )
    rows = zip(pairs, found.references, found.hypotheses, found.alignments, strict=True)
    return [
        Scored(
            name=pair.name,
            steps=tuple(
                step
                for chunk in chunks
                for step in _steps(chunk, reference, hypothesis)
            ),
        )
        for pair, reference, hypothesis, chunks in rows
    ]


def total(scored: Sequence[Scored]) -> Scored:
    """Returns all utterances as one."""
    return Scored(name="", steps=tuple(step for one in scored for step in one.steps))


def _library() -> Any:
    # No other command waits for it.
    try:
        return importlib.import_module("jiwer")
    except ImportError as error:
        raise ImportError(
            "Scores need the package jiwer; pip install 'oasr-server[score]' brings it."
        ) from error


def _steps(
    chunk: "jiwer.AlignmentChunk", reference: list[str], hypothesis: list[str]
) -> list[Step]:
    ours = reference[chunk.ref_start_idx : chunk.ref_end_idx]
    theirs = hypothesis[chunk.hyp_start_idx : chunk.hyp_end_idx]
    length = max(len(ours), len(theirs))
    ours += [""] * (length - len(ours))
    theirs += [""] * (length - len(theirs))
    return [
        Step(kind=chunk.type, reference=one, hypothesis=other)
        for one, other in zip(ours, theirs, strict=True)
    ]
