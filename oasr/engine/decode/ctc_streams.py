"""CTC chunk by chunk, over the native searches.

Shapes: T frames of a chunk, V labels.
"""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy import typing as npt

from oasr._native import ctc_prefix_beam
from oasr.engine import endpointing
from oasr.engine.decode import base
from oasr.engine.decode import streams

# Frames whose best labels are found at once: what is behind the end of an utterance is
# looked at again for the next one, and a chunk may hold a thousand of them.
_LOOK_AHEAD = 64


def hypothesis(found: ctc_prefix_beam.Hypothesis) -> base.Hypothesis:
    """Returns what a native search found as the strategies say it."""
    return base.Hypothesis(found.ids, found.score, found.frames, found.confidences)


def greedy(log_probs: npt.NDArray[np.float32], *, blank_id: int) -> base.Hypothesis:
    """Returns the best label of each frame, repeats merged, blanks dropped.

    A token's frame is the first of its run, its confidence the run's highest
    posterior. The score is that of the one path.

    Args:
      log_probs: `[T, V]`, at least one frame.
      blank_id: the label that stands for no token.
    """
    return hypothesis(ctc_prefix_beam.greedy(log_probs, blank_id=blank_id))


class CtcStream(streams.EndpointingStream):
    """A stream that tells blank frames by their best label, whatever its search makes.

    Args:
      blank_id: the label that stands for no token.
    """

    def __init__(self, blank_id: int) -> None:
        self._blank_id = blank_id
        self._heard = 0  # Frames.
        self._blanks = 0  # How many of the last of them are blank.
        self._is_said = False

    def feed_until(
        self, scores: npt.NDArray[np.float32], rules: endpointing.EndpointRules
    ) -> tuple[bool, int]:
        """Advances over `[T, V]` log-probabilities, at most to the end of speech."""
        for count, blank in enumerate(self._blank_frames(scores), start=1):
            self._heard += 1
            self._blanks = self._blanks + 1 if blank else 0
            self._is_said = self._is_said or not blank
            if rules.end(
                frames=self._heard, blanks=self._blanks, is_said=self._is_said
            ):
                self.feed(scores[:count])
                return True, count
        self.feed(scores)
        return False, len(scores)

    def _blank_frames(self, scores: npt.NDArray[np.float32]) -> Iterator[bool]:
        """Yields for each of `[T, V]` log-probabilities whether the frame is blank."""
        for first in range(0, len(scores), _LOOK_AHEAD):
            best = scores[first : first + _LOOK_AHEAD].argmax(axis=1)
            yield from (best == self._blank_id).tolist()


class BeamStream(CtcStream):
    """A prefix beam that is fed.

    Args:
      beam: the search, of which nothing was heard.
      n_best: how many hypotheses to return at the end, at most its beam size.
      blank_id: the label that stands for no token.
    """

    def __init__(
        self, beam: ctc_prefix_beam.CtcPrefixBeam, n_best: int, *, blank_id: int
    ) -> None:
        super().__init__(blank_id)
        self._beam = beam
        self._n_best = n_best

    def feed(self, scores: npt.NDArray[np.float32]) -> None:
        """Advances over `[T, V]` log-probabilities."""
        if len(scores):
            self._beam.feed(scores)

    def partial(self) -> streams.Partial:
        """Returns the best prefix, and how much of it every live one begins with."""
        return streams.Partial(hypothesis(self._beam.best()), self._beam.stable_length)

    def finish(self) -> Sequence[base.Hypothesis]:
        """Returns the n-best list, best first."""
        return [hypothesis(found) for found in self._beam.n_best(self._n_best)]


class GreedyStream(CtcStream):
    """The best label of each frame, a run over two chunks merged."""

    def __init__(self, blank_id: int) -> None:
        super().__init__(blank_id)
        self._labels: int | None = None
        self._last_label = blank_id
        self._frame = 0
        self._score = 0.0
        self._ids: list[int] = []
        self._frames: list[int] = []
        self._confidences: list[float] = []

    def feed(self, scores: npt.NDArray[np.float32]) -> None:
        """Takes the best labels of `[T, V]` log-probabilities."""
        if len(scores) == 0:
            return
        if self._labels not in (None, scores.shape[1]):
            raise ValueError(
                f"A chunk has {scores.shape[1]} labels; those before had"
                f" {self._labels}."
            )
        self._labels = scores.shape[1]
        found = greedy(scores, blank_id=self._blank_id)
        # A run that began in the chunk before goes on: its token is there already.
        repeats = found.frames[:1] == (0,) and found.ids[0] == self._last_label
        if repeats:
            highest = max(self._confidences[-1], found.confidences[0])
            self._confidences[-1] = highest
        self._ids += found.ids[repeats:]
        self._frames += [self._frame + frame for frame in found.frames[repeats:]]
        self._confidences += found.confidences[repeats:]
        self._score += found.score
        self._frame += len(scores)
        self._last_label = int(scores[-1].argmax())

    def partial(self) -> streams.Partial:
        """Returns the tokens so far, which are all final.

        The run of the last may go on, and with it its confidence.
        """
        count = len(self._ids)
        return streams.Partial(self._hypothesis(), count, max(count - 1, 0))

    def finish(self) -> Sequence[base.Hypothesis]:
        """Returns the one hypothesis."""
        return [self._hypothesis()]

    def _hypothesis(self) -> base.Hypothesis:
        return base.Hypothesis(
            tuple(self._ids), self._score, tuple(self._frames), tuple(self._confidences)
        )
