"""What the decode families ask of a model.

Shapes: T frames, V labels of the head.
"""

from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

from numpy import typing as npt


@runtime_checkable
class ScoreModel(Protocol):
    """Gives scores per frame, for families that decode nothing else."""

    def scores(self, inputs: Sequence[Any]) -> Sequence[npt.ArrayLike]:
        """Returns the scores of a batch.

        Args:
          inputs: `Request.inputs` of each utterance.

        Returns:
          For each utterance `[T, V]` of a float type; T may differ.
        """
