"""The live hypotheses of a beam: ids that share their beginnings.

A prefix is one object as long as any live hypothesis needs it, so that equal ids are
the same object, and what no hypothesis needs any more leaves no memory behind.
"""

from collections.abc import Sequence
import dataclasses
import math
from typing import TypeAlias
import weakref

from oasr.engine.decode import base
from oasr.engine.decode import transducer_network as networks

# The emission before, the frame and the posterior of a token; None before the first.
Emissions: TypeAlias = "tuple[Emissions, int, float] | None"


class Prefix:
    """Some ids, as the last of them behind those before.

    Args:
      parent: the ids before, None for no ids at all.
      token_id: the last id.

    Attributes:
      length: how many ids there are.
      prediction: what the predictor says behind them, while they are live.
    """

    __slots__ = (
        "__weakref__",
        "_children",
        "length",
        "parent",
        "prediction",
        "token_id",
    )

    def __init__(self, parent: "Prefix | None" = None, token_id: int = -1) -> None:
        self.parent = parent
        self.token_id = token_id
        self.length: int = parent.length + 1 if parent else 0
        self.prediction: networks.Prediction | None = None
        self._children: weakref.WeakValueDictionary[int, Prefix] | None = None

    def child(self, token_id: int) -> "Prefix":
        """Returns the prefix with one more id."""
        if self._children is None:
            self._children = weakref.WeakValueDictionary()
        found = self._children.get(token_id)
        if found is None:
            found = self._children[token_id] = Prefix(self, token_id)
        return found

    def ids(self) -> tuple[int, ...]:
        """Returns all of its ids."""
        found, prefix = [], self
        while prefix.parent is not None:
            found.append(prefix.token_id)
            prefix = prefix.parent
        return tuple(reversed(found))


@dataclasses.dataclass(frozen=True, eq=False, slots=True)
class Live:
    """A hypothesis of a beam.

    Attributes:
      prefix: its ids.
      score: log-probability of all ways to it that were kept.
      path_score: that of the best way.
      emissions: where the best way emitted its ids.
    """

    prefix: Prefix
    score: float
    path_score: float
    emissions: Emissions

    def merged(self, other: "Live") -> "Live":
        """Returns both as one; `other` has the same ids."""
        better = other if other.path_score > self.path_score else self
        low, high = sorted((self.score, other.score))
        total = high + math.log1p(math.exp(low - high))
        return Live(self.prefix, total, better.path_score, better.emissions)

    def hypothesis(self) -> base.Hypothesis:
        """Returns it as the strategies say it."""
        frames, confidences = [], []
        emissions = self.emissions
        while emissions is not None:
            emissions, frame, confidence = emissions
            frames.append(frame)
            confidences.append(confidence)
        return base.Hypothesis(
            self.prefix.ids(),
            self.score,
            tuple(reversed(frames)),
            tuple(reversed(confidences)),
        )


def common_prefix(found: Sequence[Prefix]) -> Prefix:
    """Returns the longest prefix that all of them begin with."""
    shared = found[0]
    for other in found[1:]:
        while shared is not other:
            if shared.length >= other.length:
                shared = _parent(shared)
            else:
                other = _parent(other)
    return shared


def _parent(prefix: Prefix) -> Prefix:
    assert prefix.parent is not None  # All of a beam begin with no ids.
    return prefix.parent
