"""Tiny deterministic models, whose inputs stand for audio: `[T, D]` or recorded scores.

Shapes as in `oasr.models`.
"""

import numpy as np

from oasr.models import paraformer
from oasr.models import rescoring


def log_softmax(logits):
    """Returns log-probabilities of the last axis, float32."""
    logits = np.asarray(logits, dtype=np.float64)
    top = logits.max(axis=-1, keepdims=True)
    sums = np.exp(logits - top).sum(axis=-1, keepdims=True)
    return (logits - top - np.log(sums)).astype(np.float32)


def audio(seed, frames, size=4):
    """Returns `[T, D]` random frames."""
    return np.random.default_rng(seed).normal(size=(frames, size)).astype(np.float32)


class _Joiner:
    """Encoder and joiner of a transducer."""

    def __init__(self, seed, labels, size, sharp, blank_bias):
        self._random = np.random.default_rng(seed)
        self._from_frame = self._random.normal(size=(size, labels)) * sharp
        self._from_prediction = self._random.normal(size=(size, labels)) * sharp
        self._bias = np.zeros(labels)
        self._bias[0] = blank_bias
        self.joined = 0  # Rows so far.

    def encode(self, inputs):
        return [np.asarray(given) for given in inputs]

    def join(self, frames, predictions):
        self.joined += len(frames)
        sums = frames @ self._from_frame + predictions @ self._from_prediction
        # Flat enough that no two labels are equal by saturation.
        return log_softmax(3 * np.tanh(sums / 4) + self._bias)


class Stateless(_Joiner):
    """Predicts from the last two ids."""

    context_size = 2

    def __init__(self, seed=0, labels=4, size=4, sharp=1.0, blank_bias=0.0):
        super().__init__(seed, labels, size, sharp, blank_bias)
        self._embedding = self._random.normal(size=(self.context_size, labels, size))

    def predict(self, contexts):
        places = range(self.context_size)
        return sum(self._embedding[k, contexts[:, k]] for k in places)


class Recurrent(_Joiner):
    """Predicts from all ids; a state is a vector."""

    def __init__(self, seed=0, labels=4, size=4, sharp=1.0, blank_bias=0.0):
        super().__init__(seed, labels, size, sharp, blank_bias)
        self._size = size
        self._embedding = self._random.normal(size=(labels, size))
        self._again = self._random.normal(size=(size, size))

    def start(self):
        return np.zeros(self._size)

    def advance(self, ids, states):
        after = np.tanh(np.stack(states) @ self._again + self._embedding[ids])
        return after, list(after)


class Paraformer:
    """Says what it is given: `OneShot` fields as a mapping, or anything else."""

    def one_shot(self, inputs):
        return [
            paraformer.OneShot(**given) if isinstance(given, dict) else given
            for given in inputs
        ]


class Rescoring:
    """Hears its inputs, `[T, V]` scores; two attention decoders look at their sum."""

    end_id = 0

    def __init__(self, seed=0, labels=4):
        shape = (2, labels, labels, labels)
        self._weights = np.random.default_rng(seed).normal(size=shape)
        self.asked = []  # (direction, number of hypotheses) of each call.

    def encode(self, inputs):
        return [
            rescoring.Encoded(scores=given, memory=np.exp(given).sum(axis=0))
            for given in inputs
        ]

    def join(self, memories):
        return np.sum(memories, axis=0)

    def left_to_right(self, memory, hypotheses):
        self.asked.append(("left_to_right", len(hypotheses)))
        return [self._forced(0, memory, ids) for ids in hypotheses]

    def right_to_left(self, memory, hypotheses):
        self.asked.append(("right_to_left", len(hypotheses)))
        return [self._forced(1, memory, ids[::-1]) for ids in hypotheses]

    def _forced(self, decoder, memory, ids):
        """Each id given the one before it, the end symbol first and last."""
        steps = zip((self.end_id, *ids), (*ids, self.end_id), strict=True)
        return np.array(
            [
                log_softmax(memory @ self._weights[decoder, before])[token_id]
                for before, token_id in steps
            ]
        )


class LeftToRight:
    """A rescoring model with one attention decoder."""

    def __init__(self, seed=0, labels=4):
        both = Rescoring(seed, labels)
        self.encode, self.left_to_right = both.encode, both.left_to_right
