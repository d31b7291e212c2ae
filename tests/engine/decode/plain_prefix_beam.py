"""CTC prefix beam search: prefixes ranked by the probability of all their paths.

A path gives each frame a label; merging its repeats and dropping its blanks leaves a
prefix. Per prefix the search keeps, in log space, the probability of the paths that
end in blank and of those that end in its last token, and beside each of these sums
the best single path, which says at which frame each token was emitted.
"""

from collections.abc import Iterator
import dataclasses
import heapq
import math
import sys
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy import typing as npt

from oasr.engine.decode import base

# The emissions of a path, last first: (those before, frame, highest log posterior).
Emissions: TypeAlias = "tuple[Emissions, int, float] | None"


class _Prefix:
    """A node of the tree of prefixes; equal only to itself."""

    __slots__ = ("children", "parent", "token")

    def __init__(self, parent: "_Prefix | None", token: int) -> None:
        self.parent = parent
        self.token = token  # -1 at the root.
        self.children: dict[int, _Prefix] = {}

    def extended(self, token: int) -> "_Prefix":
        return self.children.setdefault(token, _Prefix(self, token))

    def ids(self) -> tuple[int, ...]:
        return tuple(reversed([node.token for node in self._to_root()]))

    def _to_root(self) -> Iterator["_Prefix"]:
        node = self
        while node.parent is not None:
            yield node
            node = node.parent


class _Paths(NamedTuple):
    """Paths of one prefix: their log-probability, that of the best, what it emits."""

    total: float
    best: float
    emissions: Emissions

    def then(self, log_posterior: float) -> "_Paths":
        """Returns the paths one frame longer."""
        return _Paths(
            self.total + log_posterior, self.best + log_posterior, self.emissions
        )

    def emitting(self, frame: int, log_posterior: float) -> "_Paths":
        """Returns the paths one frame longer, in which they emit a token."""
        emissions = (self.emissions, frame, log_posterior)
        return self.then(log_posterior)._replace(emissions=emissions)

    def repeating(self, log_posterior: float) -> "_Paths":
        """Returns the paths one frame longer, in which they stay on their token."""
        if self.emissions is None:  # No token to stay on.
            return _NO_PATHS
        before, frame, highest = self.emissions
        emissions = (before, frame, max(highest, log_posterior))
        return self.then(log_posterior)._replace(emissions=emissions)

    def with_(self, other: "_Paths") -> "_Paths":
        """Returns these paths and `other`; of two best paths, the first of equals."""
        better = self if self.best >= other.best else other
        return better._replace(total=_log_add(self.total, other.total))


_NO_PATHS = _Paths(-math.inf, -math.inf, None)
_LEAST = -sys.float_info.max  # The least log-probability that is not none.


@dataclasses.dataclass
class _Ends:
    """The paths of one prefix, by their last label."""

    in_label: _Paths
    in_blank: _Paths

    def either(self) -> _Paths:
        return self.in_label.with_(self.in_blank)


_Beam: TypeAlias = dict[_Prefix, _Ends]


def search(
    log_probs: npt.NDArray[np.float32],
    *,
    blank_id: int,
    beam_size: int,
    candidates_per_frame: int | None = None,
) -> list[base.Hypothesis]:
    """Returns the prefixes that survive to the end, best first.

    A hypothesis' score is the log-probability of all its paths that were kept. Its
    frames are those at which the best of them enters each token, its confidences the
    highest posterior of the token's run in that path. Equal scores are ordered by
    ids.

    Args:
      log_probs: `[T, V]`: T frames, V labels; no row all -inf.
      blank_id: the label that stands for no token.
      beam_size: how many prefixes survive a frame.
      candidates_per_frame: how many labels of a frame may extend a prefix, besides
        blank and the prefixes' last tokens; by default as many as can matter.
    """
    # Of the labels that extend one prefix, all but its last token rank as their
    # posteriors do, so the best beam_size + 1 hold whatever can survive.
    limit = candidates_per_frame or beam_size + 1
    beam = {_Prefix(None, -1): _Ends(_NO_PATHS, _Paths(0.0, 0.0, None))}
    for frame, row in enumerate(log_probs):
        best = _best_labels(row, blank_id, limit)
        # A last token leads from a prefix to one that may be in the beam already.
        labels = sorted({*best, *(p.token for p in beam if p.parent is not None)})
        posteriors = dict(zip(labels, row[labels].tolist(), strict=True))
        stays = _stay(beam, posteriors, float(row[blank_id]))
        beam = _prune(stays, _extend(beam, stays, frame, posteriors), beam_size)
    return _ranked(beam)


def _best_labels(row: npt.NDArray[np.float32], blank_id: int, limit: int) -> list[int]:
    """Returns the `limit` best labels of a frame but blank, the lowest of equals."""
    count = min(limit + 1, len(row))  # Blank may be one of them.
    threshold = np.partition(row, len(row) - count)[len(row) - count]
    best = np.flatnonzero(row >= threshold)
    best = best[(best != blank_id) & (row[best] > -np.inf)]
    ranks = np.argsort(-row[best], kind="stable")[:limit]
    labels: list[int] = best[ranks].tolist()
    return labels


def _stay(beam: _Beam, posteriors: dict[int, float], blank: float) -> _Beam:
    """Returns the beam one frame later, in which each prefix repeats or blanks."""
    return {
        prefix: _Ends(
            in_label=ends.in_label.repeating(posteriors.get(prefix.token, -math.inf)),
            in_blank=ends.either().then(blank),
        )
        for prefix, ends in beam.items()
    }


def _extend(
    beam: _Beam, stays: _Beam, frame: int, posteriors: dict[int, float]
) -> list[tuple[_Prefix, int, _Paths]]:
    """Returns (prefix, token, paths) of each longer prefix that is not in the beam.

    What leads to one that is there joins its paths in `stays`.
    """
    extensions = []
    for prefix, ends in beam.items():
        either = ends.either()
        for token, log_posterior in posteriors.items():
            # A repeat is a new token only behind a blank; elsewhere it merges.
            source = ends.in_blank if token == prefix.token else either
            grown = source.emitting(frame, log_posterior)
            child = prefix.children.get(token)
            if child is not None and child in stays:
                stays[child].in_label = stays[child].in_label.with_(grown)
            else:
                extensions.append((prefix, token, grown))
    return extensions


def _prune(
    stays: _Beam, extensions: list[tuple[_Prefix, int, _Paths]], beam_size: int
) -> _Beam:
    """Returns the `beam_size` most probable prefixes."""
    stay_totals = {prefix: ends.either().total for prefix, ends in stays.items()}
    totals = [*stay_totals.values(), *(paths.total for _, _, paths in extensions)]
    # What is impossible survives nowhere.
    cut = max(heapq.nlargest(beam_size, totals)[-1], _LEAST)
    beam = {prefix: stays[prefix] for prefix, t in stay_totals.items() if t >= cut}
    for prefix, token, paths in extensions:
        if paths.total >= cut:
            beam[prefix.extended(token)] = _Ends(paths, _NO_PATHS)
    if len(beam) > beam_size:  # Several are equal at the cut.
        beam = dict(sorted(beam.items(), key=_rank)[:beam_size])
    return beam


def _rank(item: tuple[_Prefix, _Ends]) -> tuple[float, tuple[int, ...]]:
    """Sorts the most probable first, equals by ids."""
    prefix, ends = item
    return -ends.either().total, prefix.ids()


def _ranked(beam: _Beam) -> list[base.Hypothesis]:
    return [
        _hypothesis(prefix.ids(), ends.either())
        for prefix, ends in sorted(beam.items(), key=_rank)
    ]


def _hypothesis(ids: tuple[int, ...], paths: _Paths) -> base.Hypothesis:
    frames, confidences = [], []
    emissions = paths.emissions
    while emissions is not None:
        emissions, frame, log_posterior = emissions
        frames.append(frame)
        confidences.append(min(math.exp(log_posterior), 1.0))
    return base.Hypothesis(
        ids, paths.total, tuple(reversed(frames)), tuple(reversed(confidences))
    )


def _log_add(a: float, b: float) -> float:
    """Returns log(exp(a) + exp(b))."""
    high, low = (a, b) if a >= b else (b, a)
    return high if low == -math.inf else high + math.log1p(math.exp(low - high))
