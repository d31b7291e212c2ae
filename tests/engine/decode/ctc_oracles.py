"""CTC from its definition: every path, one by one."""

import itertools
import math

import numpy as np


def merged(path, blank_id):
    """Returns (label, first frame, last frame) of each token of a path."""
    runs, start = [], 0
    for label, run in itertools.groupby(path):
        end = start + len(list(run))
        if label != blank_id:
            runs.append((label, start, end - 1))
        start = end
    return runs


def all_paths(log_probs, blank_id):
    """Yields (ids, log-probability, runs) of each of the V ** T paths."""
    frames, labels = log_probs.shape
    for path in itertools.product(range(labels), repeat=frames):
        runs = merged(path, blank_id)
        score = sum(float(log_probs[t, label]) for t, label in enumerate(path))
        yield tuple(label for label, _, _ in runs), score, runs


def all_hypotheses(log_probs, blank_id):
    """Returns ids -> (log-probability of all paths, of the best, its runs)."""
    found = {}
    for ids, score, runs in all_paths(log_probs, blank_id):
        found.setdefault(ids, []).append((score, runs))
    return {
        ids: (
            math.log(sum(math.exp(score) for score, _ in paths)),
            *max(paths, key=lambda path: path[0]),
        )
        for ids, paths in found.items()
        if any(score > -math.inf for score, _ in paths)
    }


def confidences(log_probs, runs):
    """Returns the highest posterior of each run."""
    return [
        math.exp(max(log_probs[t, label] for t in range(first, last + 1)))
        for label, first, last in runs
    ]


def random_log_probs(seed, frames, labels, *, sharp=2.0):
    """Returns `[T, V]` float32 log-probabilities that sum to one."""
    logits = np.random.default_rng(seed).normal(scale=sharp, size=(frames, labels))
    logits -= np.log(np.exp(logits).sum(axis=1, keepdims=True))
    return logits.astype(np.float32)


def textbook_beam(log_probs, blank_id, beam_size):
    """Returns the ids of a prefix beam over all labels, and their probabilities."""
    beam = {(): (1.0, 0.0)}  # prefix -> probability ending in blank, in its token
    for row in np.exp(log_probs.astype(np.float64)):
        grown = {}
        for prefix, (blank, token) in beam.items():
            for label, p in enumerate(row):
                if label == blank_id:
                    steps = [(prefix, ((blank + token) * p, 0.0))]
                elif prefix and label == prefix[-1]:
                    steps = [(prefix, (0.0, token * p))]
                    steps.append(((*prefix, label), (0.0, blank * p)))
                else:
                    steps = [((*prefix, label), (0.0, (blank + token) * p))]
                for longer, (to_blank, to_token) in steps:
                    old = grown.get(longer, (0.0, 0.0))
                    grown[longer] = (old[0] + to_blank, old[1] + to_token)
        ranked = sorted(grown.items(), key=lambda item: (-sum(item[1]), item[0]))
        beam = dict(ranked[:beam_size])
    return [(prefix, sum(ends)) for prefix, ends in beam.items() if sum(ends) > 0]
