"""Requests of families that write token by token, between their prompt and their end.

Shapes: R rows of one request, B rows of all, V labels.
"""

from collections.abc import Callable, Sequence
import dataclasses
import itertools
from typing import Any, NamedTuple

import numpy as np

from oasr.engine import request as requests
from oasr.engine.decode import incremental
from oasr.engine.decode import token_search
from oasr.engine.executor import rendering


def _no_ids() -> token_search.Ids:
    return np.empty(0, np.int64)


@dataclasses.dataclass(eq=False, slots=True)
class Running:
    """One request.

    Attributes:
      request: the same.
      rendered: of its partials.
      given: how many tokens its last partial had; -1 before the first.
      encoded: what the model made of its audio.
      prompt: what it begins with, with its search.
      states: of its R rows.
      ids: `[R]`, the tokens that the model reads next.
    """

    request: requests.Request
    rendered: rendering.StreamedUtterance
    given: int = -1
    encoded: Any = None
    prompt: incremental.Prompt | None = None
    states: Sequence[Any] = ()
    ids: token_search.Ids = dataclasses.field(default_factory=_no_ids)

    @property
    def search(self) -> token_search.TokenSearch:
        """Its search, which it has from its prompt on."""
        assert self.prompt is not None
        return self.prompt.search

    def restart(self) -> None:
        """Forgets all but what was given out; it will be found again."""
        self.encoded, self.prompt = None, None
        self.states, self.ids = (), _no_ids()


class Scored(NamedTuple):
    """What the model says of the rows of one request.

    Attributes:
      running: the request.
      scores: `[R, V]`, of the model or checked.
      states: of the R rows.
      is_checked: whether `scores` are log-probabilities.
    """

    running: Running
    scores: Any
    states: Sequence[Any]
    is_checked: bool = False


class Chosen(NamedTuple):
    """What follows: for each row that goes on where it comes from, and its token."""

    scored: Scored
    rows: token_search.Ids
    ids: token_search.Ids


def shared_out(
    batch: Sequence[Running],
    counts: Sequence[int],
    answer: Any,
    log_probs: Callable[[Any], Any],
) -> list[Scored]:
    """Returns what a call of the model says of each request.

    Args:
      batch: the requests.
      counts: how many rows each has.
      answer: the scores and the states of all rows.
      log_probs: checks scores. If it refuses all together, none are checked.

    Raises:
      ValueError: if there are not as many of them as rows.
    """
    scores, states = answer
    scores = np.asarray(scores)
    if scores.ndim != 2 or len(scores) != sum(counts) or len(states) != sum(counts):
        raise ValueError(
            f"A model gives [B, V] scores and B states for B={sum(counts)} rows, got"
            f" scores of shape {scores.shape} and {len(states)} states."
        )
    is_checked = True
    try:
        scores = log_probs(scores)
    except ValueError:  # Whose fault it is will be found one by one.
        is_checked = False
    ends = list(itertools.accumulate(counts))
    return [
        Scored(
            running,
            scores[end - count : end],
            states[end - count : end],
            is_checked,
        )
        for running, count, end in zip(batch, counts, ends, strict=True)
    ]
