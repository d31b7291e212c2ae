"""CTC prefix beam search: prefixes ranked by the probability of all their paths.

A path gives each frame a label; merging its repeats and dropping its blanks leaves a
prefix. Per prefix the search keeps, in log space, the probability of the paths that
end in blank and of those that end in its last token (Graves, Hannun), and beside
these sums the best single path of either end, which says at which frame each token
was emitted.

Shapes: T frames, V labels, K prefixes in the beam, C labels that may extend them.
"""

import dataclasses
import math
from typing import TypeAlias

import numpy as np
from numpy import typing as npt

from oasr.engine.decode import base
from oasr.engine.decode import prefix_tree

Float64 = npt.NDArray[np.float64]
Int64 = npt.NDArray[np.int64]

# The emissions of one path, last first: (those before, frame, log posterior).
Path: TypeAlias = "tuple[Path, int, float] | None"


@dataclasses.dataclass
class _Ends:
    """Paths by prefix, all with the same kind of last label.

    Attributes:
      total: `[K]` log-probability of all of them.
      best: `[K]` log-probability of the best.
      paths: the best's emissions.
    """

    total: Float64
    best: Float64
    paths: list[Path]

    def take(self, places: Int64) -> "_Ends":
        paths = [self.paths[place] for place in places.tolist()]
        return _Ends(self.total[places], self.best[places], paths)


@dataclasses.dataclass
class _Beam:
    """The prefixes that survived, as nodes of a tree, and their paths."""

    nodes: Int64
    in_blank: _Ends
    in_label: _Ends

    def either(self) -> _Ends:
        """Returns the paths of both ends together."""
        blank, label = self.in_blank, self.in_label
        use_label = label.best >= blank.best
        paths = [
            label.paths[k] if use else blank.paths[k]
            for k, use in enumerate(use_label.tolist())
        ]
        return _Ends(
            np.logaddexp(blank.total, label.total),
            np.where(use_label, label.best, blank.best),
            paths,
        )


def search(
    log_probs: npt.NDArray[np.float32],
    *,
    blank_id: int,
    beam_size: int,
    candidates_per_frame: int | None = None,
) -> list[base.Hypothesis]:
    """Returns the prefixes that survive to the end, best first.

    A hypothesis' score is the log-probability of all its paths that were kept; its
    frames are those at which the best of them enters each token, its confidences the
    highest posterior of the token's run in that path. Equal scores are ordered by
    ids.

    Args:
      log_probs: `[T, V]`, no row all -inf.
      blank_id: the label that stands for no token.
      beam_size: how many prefixes survive a frame.
      candidates_per_frame: how many labels of a frame, blank aside, may extend a
        prefix; by default as many as can matter, `beam_size + 1`.
    """
    tree = prefix_tree.PrefixTree()
    beam = _Beam(
        np.array([tree.root]),
        in_blank=_Ends(np.zeros(1), np.zeros(1), [None]),
        in_label=_Ends(np.full(1, -np.inf), np.full(1, -np.inf), [None]),
    )
    # Of the labels that extend one prefix, all but its last token rank as their
    # posteriors do, so the first beam_size + 1 hold whatever can survive.
    limit = candidates_per_frame or beam_size + 1
    for frame, row in enumerate(log_probs):
        beam = _advance(beam, tree, frame, row, blank_id, beam_size, limit)
    return _ranked(beam, tree)


def _advance(
    beam: _Beam,
    tree: prefix_tree.PrefixTree,
    frame: int,
    row: npt.NDArray[np.float32],
    blank_id: int,
    beam_size: int,
    limit: int,
) -> _Beam:
    """Returns the best prefixes one frame later."""
    lasts, either = tree.tokens(beam.nodes), beam.either()
    labels = _candidates(row, blank_id, limit, lasts)
    posteriors = row[labels].astype(np.float64)  # [C]
    # A repeat extends a prefix only behind a blank; elsewhere it merges.
    behind_blank = labels == lasts[:, None]  # [K, C]
    grown = posteriors + np.where(
        behind_blank, beam.in_blank.total[:, None], either.total[:, None]
    )
    stay_blank = _Ends(
        either.total + row[blank_id], either.best + row[blank_id], either.paths
    )
    stay_label = _repeat(beam.in_label, lasts, row)
    for parent, child in zip(*tree.links(beam.nodes), strict=True):
        column = int(np.searchsorted(labels, lasts[child]))
        source = beam.in_blank if behind_blank[parent, column] else either
        _merge(stay_label, child, source, parent, posteriors[column], frame)
        grown[parent, column] = -np.inf  # Counted where the child is.

    stays = np.logaddexp(stay_blank.total, stay_label.total)
    chosen = _best(np.concatenate([stays, grown.ravel()]), beam, tree, labels, beam_size)
    stay = chosen[chosen < len(lasts)]
    rows, columns = np.divmod(chosen[chosen >= len(lasts)] - len(lasts), len(labels))
    entered = _enter(beam.in_blank, either, behind_blank, posteriors, rows, columns, frame)
    return _Beam(
        np.append(beam.nodes[stay], tree.extend(beam.nodes[rows], labels[columns])),
        in_blank=_joined(stay_blank.take(stay), _nothing(len(rows))),
        in_label=_joined(stay_label.take(stay), entered),
    )


def _candidates(
    row: npt.NDArray[np.float32], blank_id: int, limit: int, lasts: Int64
) -> Int64:
    """Returns the labels that may extend a prefix: the best, and last tokens."""
    count = min(limit + 1, len(row))  # Blank may be one of them.
    threshold = np.partition(row, len(row) - count)[len(row) - count]
    best = np.flatnonzero(row >= threshold)
    best = best[(best != blank_id) & (row[best] > -np.inf)]
    if len(best) > limit:
        best = best[np.argsort(-row[best], kind="stable")[:limit]]
    # A last token leads from a prefix to one that may be in the beam already.
    return np.union1d(best, lasts[lasts >= 0])
