"""What `oasr decode` reads in place of a model: recorded scores of the right width."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy import typing as npt

from oasr.models import recorded
from oasr.models import recorded_paraformer
from tools.cli import messages

# Why scores that were recorded once do not do, of families that call their model again
# and again.
_NEED_A_NETWORK = {
    "aed": "the scores of each token depend on the tokens before it",
    "llm": "the scores of each token depend on the prompt and on the tokens before it",
    "transducer": "the scores of each frame depend on the tokens before it",
}
_INSTEAD = (
    "the ids of a model that ran elsewhere become text with detokenize, and"
    " oasr.engine.ASREngine.from_checkpoint(DIR, model=...) runs a network from Python"
)


class Scores(recorded.RecordedScores):
    """Recorded `[T, V]` scores, of which V is checked.

    A wider head may be padded, and the engine says so; a narrower one is another
    model's.

    Args:
      labels: how many the model has; None if nobody says it.
      ids: how many the vocabulary has, where nobody says more; fewer labels are
        possible then.
    """

    def __init__(self, *, labels: int | None = None, ids: int | None = None) -> None:
        self._labels = labels
        self._ids = ids

    def scores(self, inputs: Sequence[Any]) -> list[npt.ArrayLike]:
        """Returns each of `inputs`, read if it is a name of a recording.

        Raises:
          ValueError: for scores that are too narrow.
        """
        found = super().scores(inputs)
        for scores in found:
            shape = np.shape(scores)
            if len(shape) == 2 and shape[0]:
                self._check(shape[1])
        return found

    def _check(self, width: int) -> None:
        if self._labels is not None and width < self._labels:
            raise ValueError(
                f"expected scores of {self._labels} labels, which is how many the"
                f" checkpoint says its model has, found {width}: they are another"
                " model's."
            )
        if self._ids is not None and width < self._ids:
            messages.say(
                f"warning: The scores have {width} labels and the tokenizer"
                f" {self._ids} ids; if they are another model's, the text is wrong."
            )
            self._ids = None  # Said once.


def of_family(family: str, scores: Scores) -> Any:
    """Returns what stands for the model of a family.

    Raises:
      ValueError: for a family that recorded scores are not enough for, saying why and
        what would do.
    """
    if family in _NEED_A_NETWORK:
        raise ValueError(
            f"recorded scores are not enough for its family, {family}:"
            f" {_NEED_A_NETWORK[family]}. Instead, {_INSTEAD}."
        )
    if family == "paraformer":
        return recorded_paraformer.RecordedOneShots(scores)
    return scores
