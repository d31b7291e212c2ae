"""A transducer as its searches call it: either kind of predictor, all of it checked.

Shapes: D values of an encoder frame, N hypotheses, P values of a prediction, V labels.
"""

import abc
from collections.abc import Sequence
import dataclasses
from typing import Any

import numpy as np
from numpy import typing as npt

from oasr import showing
from oasr.engine import checks
from oasr.engine.decode import head
from oasr.engine.decode import scores as score_forms
from oasr.models import transducer

_Array = npt.NDArray[Any]


@dataclasses.dataclass(frozen=True, eq=False, slots=True)
class Prediction:
    """What a predictor said behind one sequence of ids.

    Attributes:
      vector: `[P]`, for the joiner.
      memory: for the predictor: the last ids, or a state.
    """

    vector: _Array
    memory: Any


class Predictor(abc.ABC):
    """The predictor of a model, of whichever kind."""

    @abc.abstractmethod
    def start(self) -> Prediction:
        """Returns what it says where nothing was said."""

    @abc.abstractmethod
    def extend(
        self, predictions: Sequence[Prediction], ids: Sequence[int]
    ) -> list[Prediction]:
        """Returns what it says behind one more id for each of `predictions`."""


class StatelessPredictor(Predictor):
    """Remembers the last ids."""

    def __init__(self, model: transducer.StatelessTransducer, blank_id: int) -> None:
        checks.integer(
            f"{type(model).__name__}.context_size",
            getattr(model, "context_size", None),
            at_least=1,
        )
        self._model = model
        self._blanks = (blank_id,) * int(model.context_size)

    def start(self) -> Prediction:
        """Returns what it says behind blanks."""
        return self._predict([self._blanks])[0]

    def extend(
        self, predictions: Sequence[Prediction], ids: Sequence[int]
    ) -> list[Prediction]:
        """Returns what it says behind the contexts that end in `ids`."""
        pairs = zip(predictions, ids, strict=True)
        return self._predict([(*p.memory[1:], token_id) for p, token_id in pairs])

    def _predict(self, contexts: Sequence[tuple[int, ...]]) -> list[Prediction]:
        vectors = self._model.predict(np.array(contexts, dtype=np.int64))
        return _predictions(vectors, contexts)


class RecurrentPredictor(Predictor):
    """Remembers the states of the model."""

    def __init__(self, model: transducer.RecurrentTransducer, blank_id: int) -> None:
        self._model = model
        self._blank_id = blank_id

    def start(self) -> Prediction:
        """Returns what it says behind a blank, with which such predictors begin."""
        return self._advance([self._blank_id], [self._model.start()])[0]

    def extend(
        self, predictions: Sequence[Prediction], ids: Sequence[int]
    ) -> list[Prediction]:
        """Returns what it says when each state is told one of `ids`."""
        return self._advance(ids, [prediction.memory for prediction in predictions])

    def _advance(self, ids: Sequence[int], states: Sequence[Any]) -> list[Prediction]:
        found = self._model.advance(np.array(ids, dtype=np.int64), states)
        if not isinstance(found, tuple) or len(found) != 2:
            raise ValueError(
                "The predictor's advance must return predictions and states, got"
                f" {showing.shown(found)}."
            )
        vectors, after = found
        if len(after) != len(ids):
            raise ValueError(
                f"The predictor needs a state for each of {len(ids)} ids, gave"
                f" {len(after)}."
            )
        return _predictions(vectors, after)


class Network:
    """Predictor and joiner of one deployment.

    Args:
      model: the transducer.
      blank_id: the label that stands for no token.
      form: of the joiner's scores: "log_probs", "probs" or "logits".
      labels: checks how many labels the joiner scores.
    """

    def __init__(
        self, model: transducer.Transducer, blank_id: int, form: str, labels: head.Head
    ) -> None:
        self.predictor: Predictor
        if callable(getattr(model, "predict", None)):
            self.predictor = StatelessPredictor(model, blank_id)  # type: ignore[arg-type]
        else:
            self.predictor = RecurrentPredictor(model, blank_id)  # type: ignore[arg-type]
        self._model = model
        self._form = form
        self._labels = labels

    def join(
        self, frame: _Array, predictions: Sequence[Prediction]
    ) -> npt.NDArray[np.float32]:
        """Returns `[N, V]` log-probabilities of what comes next on a frame.

        Args:
          frame: `[D]`.
          predictions: of N hypotheses.

        Raises:
          ValueError: if the joiner gives anything else.
        """
        rows = np.broadcast_to(frame, (len(predictions), len(frame)))
        vectors = np.stack([prediction.vector for prediction in predictions])
        try:
            log_probs = score_forms.as_log_probs(
                self._model.join(rows, vectors), self._form
            )
            if len(log_probs) != len(predictions):
                raise ValueError(
                    f"{len(predictions)} hypotheses need as many rows of scores, got"
                    f" {len(log_probs)}."
                )
            self._labels.check(log_probs.shape[1])
        except ValueError as error:
            raise ValueError(f"The joiner's output: {error}") from error
        return log_probs


def encoder_frames(given: npt.ArrayLike) -> _Array:
    """Returns `[T, D]` encoder frames as they must be.

    Raises:
      ValueError: naming what they are.
    """
    return _floats("The encoder's frames", "[T, D]", given)


def _predictions(vectors: npt.ArrayLike, memories: Sequence[Any]) -> list[Prediction]:
    rows = _floats("The predictor's output", "[N, P]", vectors)
    if len(rows) != len(memories):
        raise ValueError(
            f"The predictor's output must have {len(memories)} rows, one for each"
            f" hypothesis; got {len(rows)}."
        )
    return [Prediction(*pair) for pair in zip(rows, memories, strict=True)]


def _floats(what: str, shape: str, given: npt.ArrayLike) -> _Array:
    try:
        found = np.asarray(given)
    except ValueError as error:  # Rows of different lengths.
        raise ValueError(f"{what} must be a {shape} array: {error}.") from error
    if found.ndim != 2:
        raise ValueError(f"{what} must be {shape}, got the shape {found.shape}.")
    if found.size and not np.issubdtype(found.dtype, np.floating):
        raise ValueError(f"{what} must be of a float type, got {found.dtype}.")
    bad = np.flatnonzero(~np.isfinite(found).all(axis=1))
    if bad.size:
        raise ValueError(f"{what} must be finite, and row {bad[0]} is not.")
    return found
