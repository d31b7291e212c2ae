"""CTC searches: greedy, and prefix beams whole or in chunks.

`csrc/decoders/` states what they guarantee. Shapes: T frames, V labels. Scores are
natural logarithms. `log_probs` is `[T, V]` float32; contiguous arrays are read in
place, must not change during the call, and the lock of the interpreter is let go.
All functions raise `ValueError`, naming the place, for another dtype or rank, a NaN,
an infinity, a row that is all -inf, and options out of range; `TypeError` for what is
no array. No frames leave the empty hypothesis with a score of 0.
"""

from collections.abc import Sequence

import numpy as np
from numpy import typing as npt

class Hypothesis:
    """What a CTC search finds.

    Attributes:
      ids: labels, repeats merged and blanks dropped.
      score: log-probability of the paths that were kept; greedy search has one.
      boosted: `score`, and what phrases in `ids` earned.
      frames: for each id the frame, from 0, at which the best path enters it.
      confidences: for each id its highest posterior until that path leaves it.
    """

    @property
    def ids(self) -> tuple[int, ...]: ...
    @property
    def score(self) -> float: ...
    @property
    def boosted(self) -> float: ...
    @property
    def frames(self) -> tuple[int, ...]: ...
    @property
    def confidences(self) -> tuple[float, ...]: ...

class ContextGraph:
    """Phrases that a search is asked to prefer. Immutable.

    A hypothesis ranks by its score, and for every occurrence of a phrase the
    phrase's boost times its length. While searching, an end that a phrase may yet
    complete earns the boost times the tokens it has.
    """

    def __init__(self, phrases: Sequence[tuple[Sequence[int], float]]) -> None:
        """Takes (ids, boost per token, above 0) for each phrase."""

class CtcPrefixBeam:
    """The state of one prefix beam search, for one thread at a time.

    However the frames are cut into chunks, the results are the same to the last bit.

    Attributes:
      stable_length: how many ids all live hypotheses begin with; those are final.
      frames: how many frames were fed.
      node_count: how many nodes hold the live hypotheses.
    """

    def __init__(
        self,
        *,
        blank_id: int = 0,
        beam_size: int = 10,
        candidates_per_frame: int | None = None,
        candidate_margin: float | None = None,
        context: ContextGraph | None = None,
    ) -> None:
        """Makes the search of an utterance of which nothing was heard.

        Args:
          blank_id: the label that stands for no token.
          beam_size: how many prefixes survive a frame.
          candidates_per_frame: how many labels of a frame, the best besides blank,
            may make new prefixes; by default all that can matter.
          candidate_margin: how far below the best label of the frame, in nats, a
            label may be to make new prefixes; by default as far as can matter.
          context: phrases to prefer.
        """

    def feed(self, log_probs: npt.NDArray[np.float32]) -> None:
        """Advances over the next frames; at an error those before the row count."""

    def best(self) -> Hypothesis:
        """Returns the best hypothesis, as if the utterance ended here."""

    def n_best(self, n: int) -> list[Hypothesis]:
        """Returns at most the `n` best, at most `beam_size`, best first."""

    @property
    def stable_length(self) -> int: ...
    @property
    def frames(self) -> int: ...
    @property
    def node_count(self) -> int: ...

def greedy(log_probs: npt.NDArray[np.float32], *, blank_id: int = 0) -> Hypothesis:
    """Returns the best label of each frame, the lowest of equals."""

def search(
    log_probs: npt.NDArray[np.float32],
    *,
    n_best: int = 1,
    blank_id: int = 0,
    beam_size: int = 10,
    candidates_per_frame: int | None = None,
    candidate_margin: float | None = None,
    context: ContextGraph | None = None,
) -> list[Hypothesis]:
    """Returns at most the `n_best` best hypotheses of an utterance, best first."""
