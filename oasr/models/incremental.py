"""What the families that write token by token ask of a model.

Shapes: B rows, one sequence each; V labels of the head; L ids of a prompt; N ids of a
hypothesis; T encoder frames; H attention heads.

A row has a state of the model's own making: keys and values, a recurrent vector, a
place in a pool. The engine only keeps states, hands them back, and forgets them.
"""

from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy import typing as npt

Ids = npt.NDArray[np.int64]


@runtime_checkable
class IncrementalModel(Protocol):
    """Scores the next token of each row; rows do not see each other."""

    def encode(self, inputs: Sequence[Any]) -> Sequence[Any]:
        """Encodes the audio of a batch.

        Args:
          inputs: `Request.inputs` of each utterance.

        Returns:
          For each utterance what `prefill` takes. Its `len` is how many encoder
          frames, or places of a prompt, the audio takes up: 0 where there is none.
        """

    def prefill(
        self, encoded: Sequence[Any], prompts: Sequence[Ids]
    ) -> tuple[npt.ArrayLike, Sequence[Any]]:
        """Reads prompts.

        Args:
          encoded: for each row what `encode` gave for its utterance.
          prompts: for each row its `[L]` ids; L may differ, and is never 0.

        Returns:
          `[B, V]` scores of the first token, and the state of each row.
        """

    def step(
        self, states: Sequence[Any], ids: Ids
    ) -> tuple[npt.ArrayLike, Sequence[Any]]:
        """Reads one token per row.

        Args:
          states: of B rows. They are not used again when the call returns; when it
            raises, they must be as they were.
          ids: `[B]`, the tokens that were chosen.

        Returns:
          `[B, V]` scores of the next token, and the state of each row.
        """

    def select(self, states: Sequence[Any], rows: Ids) -> Sequence[Any]:
        """Copies, drops and reorders the rows of one request.

        Args:
          states: of its B rows. They are not used again when the call returns.
          rows: `[R]`, each in `[0, B)`; a row may be there twice, or not at all.

        Returns:
          R states; the n-th goes on from `states[rows[n]]`, apart from the others.
        """


@runtime_checkable
class AligningModel(IncrementalModel, Protocol):
    """A model with attention heads that follow the audio."""

    def attention(self, encoded: Any, prompt: Ids, ids: Ids) -> npt.ArrayLike:
        """Returns what each token looks at.

        Args:
          encoded: what `encode` gave for the utterance.
          prompt: `[L]`.
          ids: `[N]`, the tokens behind it.

        Returns:
          `[H, N, T]` of a float type: for each alignment head and token the weights
          of the frames, not below 0.
        """
