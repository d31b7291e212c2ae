"""What may follow in Whisper's transcripts: its timestamp rules, and suppression.

Shapes: R rows, V labels. The vocabulary is text, the end of text, other control
tokens, timestamps, in this order.
"""

from collections.abc import Sequence

import numpy as np

from oasr.engine.decode import token_search

Float32 = token_search.Float32

SECONDS_PER_TIMESTAMP = 0.02


class Suppression:
    """Some tokens never follow, others not first.

    Args:
      ids: never.
      first_ids: not first.
    """

    def __init__(self, ids: Sequence[int], first_ids: Sequence[int] = ()) -> None:
        self._ids = np.array(sorted(set(ids)), np.int64)
        self._first_ids = np.array(sorted({*ids, *first_ids}), np.int64)

    def __call__(
        self, histories: Sequence[Sequence[int]], log_probs: Float32
    ) -> Float32:
        """Returns `[R, V]` with -inf for what may not follow."""
        # All rows have as many tokens.
        ids = self._ids if histories[0] else self._first_ids
        allowed = log_probs.copy()
        allowed[:, ids[ids < log_probs.shape[1]]] = -np.inf
        return allowed


class TimestampRules:
    """Timestamps come in pairs except at the end, and never decrease.

    A transcript begins with one. Where all timestamps together are more probable than
    any single other token, one must follow.

    Args:
      end_id: of the end of text; smaller ids are text.
      first_id: of the timestamp of 0 s.
      max_initial: the latest timestamp to begin with, in seconds; None for any.
    """

    def __init__(self, end_id: int, first_id: int, max_initial: float | None) -> None:
        self._end_id = end_id
        self._first_id = first_id
        self._max_initial = (
            None if max_initial is None else round(max_initial / SECONDS_PER_TIMESTAMP)
        )

    def __call__(
        self, histories: Sequence[Sequence[int]], log_probs: Float32
    ) -> Float32:
        """Returns `[R, V]` with -inf for what may not follow."""
        allowed = log_probs.copy()
        for ids, row in zip(histories, allowed, strict=True):
            self._forbid(ids, row)
        times = allowed[:, self._first_id :]
        others = allowed[:, : self._first_id]
        forced = _log_sum(times) > others.max(axis=1)
        others[forced] = -np.inf
        return allowed

    def _forbid(self, ids: Sequence[int], row: Float32) -> None:
        """Forbids what may not follow `ids`."""
        first = self._first_id
        if not ids:
            row[:first] = -np.inf
            if self._max_initial is not None:
                row[first + self._max_initial + 1 :] = -np.inf
            return
        ends_in_time = ids[-1] >= first
        # The first of all opens a segment as the second of a pair does.
        opens = ends_in_time and (len(ids) < 2 or ids[-2] >= first)
        if opens:
            row[first:] = -np.inf
        elif ends_in_time:
            row[: self._end_id] = -np.inf
        latest = max((i for i in ids if i >= first), default=None)
        if latest is not None:
            # A segment may begin where the last ended, and has some length.
            least = latest if ends_in_time and not opens else latest + 1
            row[first:least] = -np.inf


def _log_sum(log_probs: Float32) -> Float32:
    if log_probs.shape[1] == 0:
        return np.full(len(log_probs), -np.inf, np.float32)
    highest = log_probs.max(axis=1, keepdims=True)
    highest[highest == -np.inf] = 0
    with np.errstate(divide="ignore"):
        sums = np.log(np.exp(log_probs - highest).sum(axis=1))
    total: Float32 = sums + highest[:, 0]
    return total
