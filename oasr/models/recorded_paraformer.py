"""Recorded scores of Paraformers, in place of the model.

Shapes: U tokens, V labels of the decoder's head.
"""

from collections.abc import Sequence
from typing import Any

from oasr.models import base
from oasr.models import paraformer
from oasr.models import recorded


class RecordedOneShots:
    """A model whose inputs are names of recordings, or the `[U, V]` scores themselves.

    Recorded scores have a row per token and do not say where it fired, so that tokens
    have no times.

    Args:
      scores: reads the recordings; by default as `recorded.RecordedScores` does.
    """

    def __init__(self, scores: base.ScoreModel | None = None) -> None:
        self._scores = recorded.RecordedScores() if scores is None else scores

    def one_shot(self, inputs: Sequence[Any]) -> list[paraformer.OneShot]:
        """Returns each of `inputs`, read if it is a name of `list_recordings`."""
        return [
            paraformer.OneShot(scores=scores) for scores in self._scores.scores(inputs)
        ]
