"""Scores for the CTC benchmark, real and made, and the likelihood of a result.

Shapes: T frames, V labels; blank is label 0.
"""

from collections.abc import Sequence
import json
import pathlib

import numpy as np
from numpy import typing as npt

Float32 = npt.NDArray[np.float32]


def log_softmax(logits: npt.NDArray[np.float64]) -> Float32:
    """Returns `[T, V]` log-probabilities."""
    total = np.logaddexp.reduce(logits, axis=1, keepdims=True)
    return np.ascontiguousarray(logits - total, np.float32)


def librispeech(path: str) -> Float32:
    """Returns `[371, 29]` scores of an utterance, whose file has blank last."""
    logits = np.array(json.loads(pathlib.Path(path).read_text(encoding="utf-8")))
    return log_softmax(np.roll(logits, 1, axis=1).astype(np.float64))


def synthetic(frames: int, labels: int, seed: int = 0) -> Float32:
    """Returns scores as CTC models give them: silence with peaks, some unsure.

    Logits are normal, with a deviation of 2. Every 3 to 7 frames a token peaks for 1
    or 2 frames, between them blank does, by log(V) plus 4 to 10. Half of the peaks
    have a rival within 2 of them.
    """
    rng = np.random.default_rng(seed)
    logits = rng.normal(scale=2, size=(frames, labels))
    peaks = np.zeros(frames, dtype=np.int64)
    start = int(rng.integers(3, 8))
    while start < frames:
        peaks[start : start + int(rng.integers(1, 3))] = rng.integers(1, labels)
        start += int(rng.integers(3, 8))
    height = np.log(labels) + rng.uniform(4, 10, size=frames)
    logits[np.arange(frames), peaks] += height
    unsure = np.flatnonzero((peaks > 0) & (rng.random(frames) < 0.5))
    rivals = rng.integers(1, labels, size=len(unsure))
    logits[unsure, rivals] = logits[unsure, peaks[unsure]] - rng.uniform(
        0, 2, size=len(unsure)
    )
    return log_softmax(logits)


def likelihood(log_probs: Float32, ids: Sequence[int]) -> float:
    """Returns the log-likelihood of `ids` over all alignments (forward algorithm)."""
    states = np.zeros(2 * len(ids) + 1, dtype=np.int64)
    states[1::2] = ids
    skips = np.zeros(len(states), dtype=bool)
    skips[3::2] = states[3::2] != states[1:-2:2]
    alpha = np.full(len(states), -np.inf)
    alpha[:2] = log_probs[0, states[:2]]
    for row in log_probs[1:].astype(np.float64):
        one = np.concatenate([[-np.inf], alpha[:-1]])
        two = np.concatenate([[-np.inf, -np.inf], alpha])[: len(states)]
        reached = np.logaddexp(alpha, one)
        reached = np.where(skips, np.logaddexp(reached, two), reached)
        alpha = reached + row[states]
    return float(np.logaddexp.reduce(alpha[-2:]))
