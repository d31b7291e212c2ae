"""Beam search over the tokens of one request.

Shapes: R rows, V labels.
"""

from collections.abc import Sequence
import math
import os

import numpy as np

from oasr.engine.decode import streams
from oasr.engine.decode import token_search


class BeamSearch(token_search.TokenSearch):
    """The best rows of all, at each step.

    Of the continuations in order, those that end are done until as many go on as the
    beam is wide. It ends when no row that goes on can become one of the best.

    Args:
      limits: when it ends, and what it gives.
      beam_size: how many rows go on.
    """

    def __init__(self, limits: token_search.Limits, beam_size: int) -> None:
        super().__init__(limits)
        self._beam_size = max(beam_size, limits.n_best)

    def partial(self) -> streams.Partial:
        """Returns the best row, and how much of it all that may be best share."""
        rows = [*self.live, *self.done]
        best = min(rows, key=token_search.rank)
        shared = os.path.commonprefix([row.ids for row in rows])
        return streams.Partial(best.hypothesis(), len(shared))

    def _choose(self, log_probs: token_search.Float32) -> tuple[list[int], list[int]]:
        live: list[token_search.Row] = []
        rows, ids = [], []
        for row, token_id in self._ranked(log_probs):
            log_prob = float(log_probs[row, token_id])
            if token_id in self._limits.end_ids:
                before = self.live[row]
                ended = token_search.Row(
                    before.ids, before.score + log_prob, before.confidences
                )
                self.done.append(ended)
            elif len(live) < self._beam_size:
                live.append(self.live[row].extended(token_id, log_prob))
                rows.append(row)
                ids.append(token_id)
            if len(live) == self._beam_size:
                break
        self.done.sort(key=token_search.rank)
        del self.done[self._beam_size :]
        self.live = [] if self._is_settled(live) else live
        return rows, ids

    def _ranked(self, log_probs: token_search.Float32) -> list[tuple[int, int]]:
        """Returns the best continuations: rows and tokens, best first."""
        scores = np.array([row.score for row in self.live])[:, None]
        totals = (scores + log_probs.astype(np.float64)).reshape(-1)
        # Enough for a full beam if all rows end in every way; with all that are equal.
        count = self._beam_size + len(self.live) * len(self._limits.end_ids)
        lowest = -math.inf
        if count < len(totals):
            lowest = np.partition(totals, len(totals) - count)[len(totals) - count]
        places = np.flatnonzero((totals >= lowest) & (totals > -math.inf))
        if len(places) == 0:
            raise token_search.impossible()
        places = places[np.lexsort((places, -totals[places]))]
        rows, ids = np.divmod(places, log_probs.shape[1])
        return list(zip(rows.tolist(), ids.tolist(), strict=True))

    def _is_settled(self, live: Sequence[token_search.Row]) -> bool:
        if len(self.done) < self._beam_size:
            return False
        return all(row.score <= self.done[-1].score for row in live)
