"""A model and a strategy that do as they are told."""

import numpy as np

from oasr.engine.decode import base
from oasr.engine.decode import streams


class EchoModel:
    """Gives the inputs as scores; fails on the input "model"."""

    def __init__(self):
        self.batches = []

    def scores(self, inputs):
        self.batches.append(list(inputs))
        if any(isinstance(given, str) and given == "model" for given in inputs):
            raise RuntimeError("no memory")
        return list(inputs)


class EchoStrategy(base.DecodeStrategy):
    """Decodes a list of ids to itself; fails on "scores", "decoding", "none"."""

    def __init__(self, honoured=("n_best", "word_timestamps")):
        self._honoured = frozenset(honoured)

    def honours(self, mode):
        return self._honoured

    def prepare(self, scores):
        if scores == "scores":
            raise ValueError("Row 3 is bad.")
        return scores

    def decode(self, scores, options):
        if "decoding" in scores:
            raise IndexError("out of range")
        pairs = zip(scores, options, strict=True)
        return [self._n_best(ids, asked.n_best) for ids, asked in pairs]

    def _n_best(self, ids, n_best):
        if ids == "none":
            return []
        if ids == "unrenderable":
            return [base.Hypothesis(("x",), 0.0)]
        rows = [tuple(ids[: len(ids) - k]) for k in range(min(n_best, len(ids) + 1))]
        return [
            base.Hypothesis(
                row, -float(k), tuple(range(len(row))), tuple(np.full(len(row), 0.5))
            )
            for k, row in enumerate(rows)
        ]


class UnalignedStrategy(EchoStrategy):
    """Knows no frames."""

    def decode(self, scores, options):
        return [[base.Hypothesis(tuple(ids), 0.0)] for ids in scores]


class EchoStream(streams.DecodeStream):
    """Gives out what it is fed; the last id may still change; fails on "decoding"."""

    def __init__(self, n_best):
        self._n_best = n_best
        self._ids = []

    def feed(self, scores):
        if "decoding" in scores:
            raise IndexError("out of range")
        self._ids.extend(scores)

    def partial(self):
        return streams.Partial(self._hypothesis(self._ids), max(len(self._ids) - 1, 0))

    def finish(self):
        rows = range(min(self._n_best, len(self._ids) + 1))
        return [self._hypothesis(self._ids[: len(self._ids) - k], -k) for k in rows]

    def _hypothesis(self, ids, score=0):
        return base.Hypothesis(
            tuple(ids), float(score), tuple(range(len(ids))), (0.5,) * len(ids)
        )


class EchoStreamingStrategy(EchoStrategy, streams.StreamingStrategy):
    """The streams of `EchoStrategy`."""

    def new_stream(self, options):
        return EchoStream(options.n_best)
