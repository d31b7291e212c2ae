"""What the family `transducer` asks of a model: encoder, predictor and joiner.

The predictor is of one of two kinds: stateless, which looks at the last few ids only,
or recurrent, whose state is passed back to it.

Shapes: T encoder frames, D values of a frame, N hypotheses, C ids of a context, P
values of a prediction, V labels of the joiner.
"""

from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy import typing as npt

_Array = npt.NDArray[Any]


class _Transducer(Protocol):
    """Encoder and joiner."""

    def encode(self, inputs: Sequence[Any]) -> Sequence[npt.ArrayLike]:
        """Returns the encoder frames of a batch.

        Args:
          inputs: `Request.inputs` of each utterance, or the next chunk of each of some
            streams.

        Returns:
          For each `[T, D]` of a float type; T may differ.
        """

    def join(self, frames: _Array, predictions: _Array) -> npt.ArrayLike:
        """Returns the scores of what comes next.

        Args:
          frames: `[N, D]`, the same frame for each hypothesis.
          predictions: `[N, P]`.

        Returns:
          `[N, V]` of a float type, in the form that `EngineConfig.scores` names.
        """


@runtime_checkable
class StatelessTransducer(_Transducer, Protocol):
    """Predicts from the last `context_size` ids.

    Attributes:
      context_size: C, at least 1.
    """

    context_size: int

    def predict(self, contexts: npt.NDArray[np.int64]) -> npt.ArrayLike:
        """Returns the predictions behind some hypotheses.

        Args:
          contexts: `[N, C]` last ids of each, the newest last. A hypothesis with
            fewer than C has blanks before them; no hypothesis holds a blank itself.

        Returns:
          `[N, P]` of a float type.
        """


@runtime_checkable
class RecurrentTransducer(_Transducer, Protocol):
    """Predicts from a state that it makes, and that is never changed in place."""

    def start(self) -> Any:
        """Returns the state in which it is told that nothing was said."""

    def advance(
        self, ids: npt.NDArray[np.int64], states: Sequence[Any]
    ) -> tuple[npt.ArrayLike, Sequence[Any]]:
        """Returns the predictions behind one more id, and the states there.

        Args:
          ids: `[N]` newest ids; blank, behind the state of `start`, where nothing was
            said.
          states: for each the one before that id.

        Returns:
          `[N, P]` of a float type, and N states.
        """


Transducer = StatelessTransducer | RecurrentTransducer
