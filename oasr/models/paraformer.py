"""What the family `paraformer` asks of a model: all tokens in one shot.

Shapes: T encoder frames, U tokens, V labels of the decoder's head.
"""

from collections.abc import Sequence
import dataclasses
from typing import Any, Protocol, runtime_checkable

from numpy import typing as npt


@dataclasses.dataclass(frozen=True, kw_only=True)
class OneShot:
    """What a Paraformer says of one utterance.

    Attributes:
      scores: `[U, V]` of a float type, in the form that `EngineConfig.scores` names.
      fires: `[U]` where the predictor fired for each token, in encoder frames from 0
        that may be fractions, never decreasing; see `oasr.models.cif`. None if not
        known: tokens have no times then.
      frame_count: T; may be None where `fires` is.
    """

    scores: npt.ArrayLike
    fires: npt.ArrayLike | None = None
    frame_count: int | None = None


@runtime_checkable
class Paraformer(Protocol):
    """Finds how many tokens there are, and scores them side by side."""

    def one_shot(self, inputs: Sequence[Any]) -> Sequence[OneShot]:
        """Returns what it says of each utterance of a batch.

        Args:
          inputs: `Request.inputs` of each.
        """
