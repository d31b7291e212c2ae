"""When each token of a window was said, and how probable it was.

Shapes: N ids of a text, H texts.
"""

from collections.abc import Sequence
import dataclasses
import math
from typing import Any

import numpy as np

from oasr.models import ctranslate2_whisper_vocabulary as vocabularies

# Of the filter over attention, in frames, as openai-whisper's `timing.py` has it.
_MEDIAN_WIDTH = 7
_LEAST_PROBABILITY = 1e-30

Span = tuple[float, float]


@dataclasses.dataclass(frozen=True)
class Aligned:
    """The text of a window with times.

    Attributes:
      ids: `[N]`, of text.
      spans: `[N]`, where each begins and ends, in frames of 20 ms of the window.
      confidences: `[N]`, its probability behind those before it.
    """

    ids: tuple[int, ...]
    spans: tuple[Span, ...] = ()
    confidences: tuple[float, ...] = ()

    @property
    def score(self) -> float:
        """The log-probability of the text."""
        return sum(math.log(max(p, _LEAST_PROBABILITY)) for p in self.confidences)


class Aligner:
    """Asks the runtime what its alignment heads look at.

    Args:
      runtime: a `ctranslate2.models.Whisper`.
      vocabulary: of the same model.
    """

    def __init__(self, runtime: Any, vocabulary: vocabularies.Vocabulary) -> None:
        self._runtime = runtime
        self._vocabulary = vocabulary

    def align(
        self, encoded: Any, start: Sequence[int], ids: Sequence[int], size: int
    ) -> Aligned:
        """Returns one text of a window with its times.

        Args:
          encoded: of the window.
          start: the prompt, without what was said before and without timestamps.
          ids: `[N]`, of text.
          size: how much of the window is audio, in frames of the spectrogram.
        """
        if not ids:
            return Aligned(())
        [found] = self._runtime.align(
            encoded,
            list(start),
            [list(ids)],
            size,
            median_filter_width=_MEDIAN_WIDTH,
        )
        return Aligned(
            tuple(ids),
            self._spans(ids, found.alignments, size / 2),
            tuple(min(1.0, max(0.0, p)) for p in found.text_token_probs),
        )

    def _spans(
        self, ids: Sequence[int], path: Sequence[tuple[int, int]], frames: float
    ) -> tuple[Span, ...]:
        """Returns the spans of tokens along a path of (token, frame) pairs."""
        tokens, times = np.array(path).T
        # A token begins where the path reaches it, and ends where the next one begins.
        begins = times[np.searchsorted(tokens, np.arange(len(ids) + 1))]
        bounds = np.minimum(begins, frames).tolist()
        spans = [(bounds[k], bounds[k + 1]) for k in range(len(ids))]
        return tuple(self._without_marks(ids, spans))

    def _without_marks(self, ids: Sequence[int], spans: list[Span]) -> list[Span]:
        """Returns spans in which punctuation, which is not said, takes no time."""
        for k, token_id in enumerate(ids):
            if k and self._vocabulary.is_closing_mark(token_id):
                spans[k] = (spans[k - 1][1], spans[k - 1][1])
        following = spans[-1][1]
        for k, token_id in reversed(list(enumerate(ids))):
            if self._vocabulary.is_opening_mark(token_id):
                spans[k] = (following, following)
            following = spans[k][0]
        return spans
