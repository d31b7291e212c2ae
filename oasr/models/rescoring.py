"""What the family `ctc_aed_rescoring` asks of a model: CTC scores and an attention.

Shapes: T frames, V labels of the CTC head, N hypotheses, L ids of a hypothesis.
"""

from collections.abc import Sequence
import dataclasses
from typing import Any, Protocol, runtime_checkable

from numpy import typing as npt


@dataclasses.dataclass(frozen=True, kw_only=True)
class Encoded:
    """What the encoder of a CTC and attention model says of one utterance.

    Attributes:
      scores: `[T, V]` of the CTC head, of a float type, in the form that
        `EngineConfig.scores` names.
      memory: what the attention decoders look at; they alone know what it is.
    """

    scores: npt.ArrayLike
    memory: Any


@runtime_checkable
class RescoringModel(Protocol):
    """Scores frames, and whole hypotheses."""

    def encode(self, inputs: Sequence[Any]) -> Sequence[Encoded]:
        """Returns what the encoder says of each utterance of a batch.

        Args:
          inputs: `Request.inputs` of each.
        """

    def left_to_right(
        self, memory: Any, hypotheses: Sequence[Sequence[int]]
    ) -> Sequence[npt.ArrayLike]:
        """Returns how likely the ids of each hypothesis are, teacher-forced.

        Args:
          memory: of one utterance.
          hypotheses: N of it; one may have no ids.

        Returns:
          For each `[L + 1]` natural logarithms: of each id given those before it, and
          of the end symbol given all of them.
        """


@runtime_checkable
class StreamingRescoringModel(RescoringModel, Protocol):
    """Hears an utterance in chunks, too: `encode` is then given the next of each."""

    def join(self, memories: Sequence[Any]) -> Any:
        """Returns the memory of an utterance.

        Args:
          memories: of its chunks with frames, in order; at least one.
        """


@runtime_checkable
class BidirectionalRescoringModel(RescoringModel, Protocol):
    """Has a second decoder, which was trained on reversed transcripts."""

    def right_to_left(
        self, memory: Any, hypotheses: Sequence[Sequence[int]]
    ) -> Sequence[npt.ArrayLike]:
        """Returns how likely the ids of each hypothesis are, read from the end.

        Args:
          memory: of one utterance.
          hypotheses: N of it, as for `left_to_right`: the model reverses them.

        Returns:
          For each `[L + 1]` natural logarithms: of each id given those behind it, in
          any order, and of the end symbol.
        """
