"""Transducer searches, frame by frame: whole utterances and streams use the same.

Shapes: T encoder frames, D values of a frame, N live hypotheses, V labels.
"""

import abc
from collections.abc import Sequence
import math
from typing import Any

import numpy as np
from numpy import typing as npt

from oasr.engine import endpointing
from oasr.engine.decode import base
from oasr.engine.decode import streams
from oasr.engine.decode import transducer_network as networks
from oasr.engine.decode import transducer_prefixes as prefixes

_Array = npt.NDArray[Any]


class Search(streams.EndpointingStream):
    """One utterance, of which some frames were heard.

    A frame is blank if the best hypothesis emits nothing on it or after it.

    Args:
      network: predictor and joiner.
      blank_id: the label that stands for no token.
    """

    def __init__(self, network: networks.Network, *, blank_id: int) -> None:
        self._network = network
        self._blank_id = blank_id
        self._frame = 0

    def feed(self, scores: _Array) -> None:
        """Advances over `[T, D]` encoder frames."""
        for frame in scores:
            try:
                self._advance(frame)
            except ValueError as error:
                raise ValueError(f"Frame {self._frame}: {error}") from error
            self._frame += 1

    def feed_until(
        self, scores: _Array, rules: endpointing.EndpointRules
    ) -> tuple[bool, int]:
        """Advances over `[T, D]` encoder frames, at most to the end of speech."""
        for place in range(len(scores)):
            self.feed(scores[place : place + 1])
            last = self._last_frame()
            blanks = self._frame if last is None else self._frame - 1 - last
            if rules.end(frames=self._frame, blanks=blanks, is_said=last is not None):
                return True, place + 1
        return False, len(scores)

    @abc.abstractmethod
    def _advance(self, frame: _Array) -> None:
        """Advances over one `[D]` encoder frame."""

    @abc.abstractmethod
    def _last_frame(self) -> int | None:
        """Returns where the best hypothesis emitted its last id, if it has one."""


class Greedy(Search):
    """The best label again and again, until it is blank: then the next frame.

    Args:
      network: predictor and joiner.
      blank_id: the label that stands for no token.
      max_symbols_per_frame: the next frame comes after so many tokens at the latest.
    """

    def __init__(
        self,
        network: networks.Network,
        *,
        blank_id: int,
        max_symbols_per_frame: int,
    ) -> None:
        super().__init__(network, blank_id=blank_id)
        self._most = max_symbols_per_frame
        self._prediction: networks.Prediction | None = None
        self._score = 0.0
        self._ids: list[int] = []
        self._frames: list[int] = []
        self._confidences: list[float] = []

    def partial(self) -> streams.Partial:
        """Returns the tokens so far, which are all final."""
        count = len(self._ids)
        return streams.Partial(self._hypothesis(), count, count)

    def finish(self) -> Sequence[base.Hypothesis]:
        """Returns the one hypothesis."""
        return [self._hypothesis()]

    def _advance(self, frame: _Array) -> None:
        if self._prediction is None:
            self._prediction = self._network.predictor.start()
        for _ in range(self._most):
            [row] = self._network.join(frame, [self._prediction])
            label = int(row.argmax())
            self._score += float(row[label])
            if label == self._blank_id:
                return
            self._ids.append(label)
            self._frames.append(self._frame)
            self._confidences.append(posterior(row[label]))
            [self._prediction] = self._network.predictor.extend(
                [self._prediction], [label]
            )

    def _last_frame(self) -> int | None:
        return self._frames[-1] if self._frames else None

    def _hypothesis(self) -> base.Hypothesis:
        return base.Hypothesis(
            tuple(self._ids), self._score, tuple(self._frames), tuple(self._confidences)
        )


class ModifiedBeam(Search):
    """At most one token per frame; ways to the same ids add up.

    Of all pairs of a live hypothesis and a label, the `beam_size` best survive a frame;
    those of them with equal ids then become one, whose probability is their sum. So k2
    and icefall define modified beam search, and fewer than `beam_size` may be live.
    Its frames are those of the best way to it.

    Args:
      network: predictor and joiner.
      blank_id: the label that stands for no token.
      beam_size: how many pairs survive a frame.
      n_best: how many hypotheses to return at the end, at most.
    """

    def __init__(
        self, network: networks.Network, *, blank_id: int, beam_size: int, n_best: int
    ) -> None:
        super().__init__(network, blank_id=blank_id)
        self._beam_size = beam_size
        self._n_best = n_best
        self._live = [prefixes.Live(prefixes.Prefix(), 0.0, 0.0, None)]

    def partial(self) -> streams.Partial:
        """Returns the best, and how much of it every live hypothesis begins with."""
        shared = prefixes.common_prefix([live.prefix for live in self._live])
        return streams.Partial(self._best().hypothesis(), shared.length)

    def finish(self) -> Sequence[base.Hypothesis]:
        """Returns the n-best list, best first."""
        return self._ranked()[: self._n_best]

    def _last_frame(self) -> int | None:
        emissions = self._best().emissions
        return None if emissions is None else emissions[1]

    def _best(self) -> prefixes.Live:
        highest = max(live.score for live in self._live)
        equal = [live for live in self._live if live.score == highest]
        return min(equal, key=lambda live: live.prefix.ids()) if equal[1:] else equal[0]

    def _ranked(self) -> list[base.Hypothesis]:
        found = [live.hypothesis() for live in self._live]
        return sorted(found, key=lambda hypothesis: (-hypothesis.score, hypothesis.ids))

    def _advance(self, frame: _Array) -> None:
        if self._frame == 0:
            self._live[0].prefix.prediction = self._network.predictor.start()
        log_probs = self._network.join(
            frame, [_known(one.prefix) for one in self._live]
        )
        sums = log_probs + np.array([[live.score] for live in self._live])
        grown: dict[prefixes.Prefix, prefixes.Live] = {}
        for place in best_places(sums.ravel(), self._beam_size):
            row, label = divmod(place, sums.shape[1])
            longer = self._extend(self._live[row], label, float(log_probs[row, label]))
            known = grown.get(longer.prefix)
            grown[longer.prefix] = known.merged(longer) if known else longer
        self._predict([prefix for prefix in grown if prefix.prediction is None])
        for live in self._live:
            if live.prefix not in grown:  # Its prediction is not needed again.
                live.prefix.prediction = None
        self._live = list(grown.values())

    def _extend(
        self, live: prefixes.Live, label: int, log_prob: float
    ) -> prefixes.Live:
        prefix, emissions = live.prefix, live.emissions
        if label != self._blank_id:
            prefix = prefix.child(label)
            emissions = (emissions, self._frame, posterior(log_prob))
        return prefixes.Live(
            prefix, live.score + log_prob, live.path_score + log_prob, emissions
        )

    def _predict(self, new: Sequence[prefixes.Prefix]) -> None:
        if not new:
            return
        before = [_known(prefix.parent) for prefix in new]
        ids = [prefix.token_id for prefix in new]
        after = self._network.predictor.extend(before, ids)
        for prefix, prediction in zip(new, after, strict=True):
            prefix.prediction = prediction


def best_places(values: npt.NDArray[np.float64], count: int) -> list[int]:
    """Returns where the highest values above -inf are, the first of equals first.

    Args:
      values: one-dimensional.
      count: how many places to return, at most.
    """
    least = -math.inf
    if count < len(values):
        least = np.partition(values, len(values) - count)[len(values) - count]
    places = np.flatnonzero((values >= least) & (values > -math.inf))
    order = np.argsort(-values[places], kind="stable")[:count]
    found: list[int] = places[order].tolist()
    return found


def posterior(log_prob: float) -> float:
    """Returns the probability; rows may sum to a little more than one."""
    return min(1.0, math.exp(log_prob))


def _known(prefix: prefixes.Prefix | None) -> networks.Prediction:
    """Returns the prediction of a prefix that is live."""
    assert prefix is not None
    assert prefix.prediction is not None
    return prefix.prediction
