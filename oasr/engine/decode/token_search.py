"""Searches that choose one token after the other, a few rows per request.

Shapes: R rows, V labels. Scores are sums of log-probabilities, so that they only fall.
"""

import abc
from collections.abc import Callable, Sequence
import dataclasses
import math

import numpy as np
from numpy import typing as npt

from oasr.engine.decode import base
from oasr.engine.decode import sampling as samplings
from oasr.engine.decode import streams

Float32 = npt.NDArray[np.float32]
Ids = npt.NDArray[np.int64]

# Takes the ids of R rows and their `[R, V]` log-probabilities; returns them with -inf
# for what may not follow.
Rule = Callable[[Sequence[Sequence[int]], Float32], Float32]

_NONE = np.empty(0, np.int64)


@dataclasses.dataclass(frozen=True, kw_only=True)
class Limits:
    """When a search ends, and what it gives.

    Attributes:
      end_ids: tokens that end a row; they count in its score and are no part of it.
      max_new_tokens: where a row that did not end is cut off.
      n_best: how many hypotheses to give, at most.
      rules: what may follow; applied in order, then rows sum to one again.
    """

    end_ids: frozenset[int]
    max_new_tokens: int
    n_best: int = 1
    rules: tuple[Rule, ...] = ()


@dataclasses.dataclass
class Row:
    """One sequence on its way."""

    ids: list[int] = dataclasses.field(default_factory=list)
    score: float = 0.0
    confidences: list[float] = dataclasses.field(default_factory=list)
    cut_off: bool = False

    def extended(self, token_id: int, log_prob: float) -> "Row":
        """Returns the row with one more token; this one stays as it is."""
        return Row(
            [*self.ids, token_id],
            self.score + log_prob,
            [*self.confidences, _posterior(log_prob)],
        )

    def extend(self, token_id: int, log_prob: float) -> None:
        """Adds one token."""
        self.ids.append(token_id)
        self.score += log_prob
        self.confidences.append(_posterior(log_prob))

    def hypothesis(self) -> base.Hypothesis:
        """Returns the row as the strategies say it."""
        return base.Hypothesis(
            tuple(self.ids), self.score, confidences=tuple(self.confidences)
        )


class TokenSearch(abc.ABC):
    """The rows of one request. It begins with one, which has no token yet.

    Args:
      limits: when it ends, and what it gives.

    Attributes:
      live: the rows that go on; none when the search has ended.
      done: the rows that ended.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self.live = [Row()]
        self.done: list[Row] = []

    def advance(self, log_probs: Float32) -> tuple[Ids, Ids]:
        """Chooses what follows each row.

        Args:
          log_probs: `[R, V]`, of the rows in `live`.

        Returns:
          For each row that goes on the row it comes from, and its new token.

        Raises:
          ValueError: if no token may follow, or an end is outside the head.
        """
        labels = log_probs.shape[1]
        outside = [i for i in self._limits.end_ids if not 0 <= i < labels]
        if outside:
            raise ValueError(
                f"The token {outside[0]} that ends a hypothesis is outside the {labels}"
                " labels of the scores."
            )
        if self._limits.rules:
            log_probs = self._ruled(log_probs)
        rows, ids = self._choose(log_probs)
        if self.live and len(self.live[0].ids) >= self._limits.max_new_tokens:
            for row in self.live:
                row.cut_off = True
            self.done += self.live
            self.live = []
        if not self.live:
            return _NONE, _NONE
        return np.array(rows, np.int64), np.array(ids, np.int64)

    @abc.abstractmethod
    def partial(self) -> streams.Partial:
        """Returns where the search stands."""

    def best(self) -> list[Row]:
        """Returns the rows that were found, best first, their ids distinct."""
        distinct: dict[tuple[int, ...], Row] = {}
        for row in sorted(self.done, key=rank):
            distinct.setdefault(tuple(row.ids), row)
        return list(distinct.values())[: self._limits.n_best]

    @property
    def is_cut_off(self) -> bool:
        """Whether the best row was cut off where it might have gone on."""
        return self.best()[0].cut_off

    @abc.abstractmethod
    def _choose(self, log_probs: Float32) -> tuple[list[int], list[int]]:
        """Moves `live` and `done` on; returns as `advance`."""

    def _ruled(self, log_probs: Float32) -> Float32:
        histories = [row.ids for row in self.live]
        for rule in self._limits.rules:
            log_probs = rule(histories, log_probs)
        return normalised(log_probs)


class SampleSearch(TokenSearch):
    """The best token of each step, or one that is drawn; `n_best` rows if drawn.

    Args:
      limits: when it ends, and what it gives.
      sampling: how to draw; None takes the best token.
    """

    def __init__(
        self, limits: Limits, sampling: samplings.Sampling | None = None
    ) -> None:
        super().__init__(limits)
        self._sampling = sampling
        count = limits.n_best if sampling else 1
        self._samples = [Row() for _ in range(count)]
        self._generators = (
            [sampling.generator(n) for n in range(count)] if sampling else []
        )
        self._numbers = list(range(count))  # Of the samples in `live`.

    def partial(self) -> streams.Partial:
        """Returns the first sample; its tokens are final if it is the only one."""
        row = self._samples[0]
        final = len(row.ids) if len(self._samples) == 1 else 0
        return streams.Partial(row.hypothesis(), final, final)

    def _choose(self, log_probs: Float32) -> tuple[list[int], list[int]]:
        if len(log_probs) < len(self._numbers):  # All begin with the one prompt.
            log_probs = np.repeat(log_probs, len(self._numbers), axis=0)
            came_from = [0] * len(self._numbers)
        else:
            came_from = list(range(len(self._numbers)))
        rows, ids, numbers = [], [], []
        for place, number in enumerate(self._numbers):
            token_id = self._token(log_probs[place], number)
            log_prob = float(log_probs[place, token_id])
            if token_id in self._limits.end_ids:
                self._samples[number].score += log_prob
                self.done.append(self._samples[number])
                continue
            self._samples[number].extend(token_id, log_prob)
            rows.append(came_from[place])
            ids.append(token_id)
            numbers.append(number)
        self._numbers = numbers
        self.live = [self._samples[number] for number in numbers]
        return rows, ids

    def _token(self, log_probs: Float32, number: int) -> int:
        best = int(log_probs.argmax())
        if log_probs[best] == -math.inf:
            raise impossible()
        if self._sampling is None:
            return best
        return self._sampling.draw(log_probs, self._generators[number])


def normalised(log_probs: Float32) -> Float32:
    """Returns `[R, V]` rows that sum to one as probabilities, if they can."""
    highest = log_probs.max(axis=1, keepdims=True)
    highest[~np.isfinite(highest)] = 0
    sums = np.exp(log_probs - highest).sum(axis=1, keepdims=True)
    with np.errstate(divide="ignore"):
        shift = highest + np.log(sums)
    shift[~np.isfinite(shift)] = 0  # A row of -inf stays one.
    result: Float32 = log_probs - shift
    return result


def rank(row: Row) -> tuple[float, list[int]]:
    """Returns what rows are ordered by: the best first, equal ones by their ids."""
    return -row.score, row.ids


def _posterior(log_prob: float) -> float:
    return min(1.0, math.exp(log_prob))  # Rounding may leave it just above 0.


def impossible() -> ValueError:
    """Returns the error of a step at which nothing may follow."""
    return ValueError("No token may follow: all of them have the probability 0.")
