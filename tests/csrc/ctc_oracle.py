"""CTC from its definition: all paths of tiny matrices, and the textbook beam.

Shapes: T frames, V labels. A path is a label for each frame. Scores are natural
logarithms; of equal hypotheses that with the lower ids is first.
"""

from collections.abc import Callable
import functools
import itertools
import math

import numpy as np

Ids = tuple[int, ...]


def log_add(a, b):
    """Returns log(exp(a) + exp(b))."""
    high, low = max(a, b), min(a, b)
    return high if low == -math.inf else high + math.log1p(math.exp(low - high))


def random_log_probs(rng, frames, labels, *, sharpness=1.0, impossible=0.0):
    """Returns `[frames, labels]` of which a share is -inf, though no whole row."""
    logits = rng.normal(size=(frames, labels)) * sharpness
    spared = rng.integers(labels, size=(frames, 1)) == np.arange(labels)
    logits[(rng.random(logits.shape) < impossible) & ~spared] = -np.inf
    return (logits - np.logaddexp.reduce(logits, axis=1, keepdims=True)).astype(
        np.float32
    )


def runs(path, blank_id):
    """Returns (id, first frame, end frame) of each run of a token in `path`."""
    frame, found = 0, []
    for label, members in itertools.groupby(path):
        end = frame + len(list(members))
        if label != blank_id:
            found.append((label, frame, end))
        frame = end
    return found


def path_score(log_probs, path):
    steps = zip(log_probs, path, strict=True)
    return math.fsum(float(row[label]) for row, label in steps)


def paths_by_ids(log_probs, blank_id) -> dict[Ids, list[tuple[float, Ids]]]:
    """Returns the (score, path) of all possible paths by the ids they leave."""
    frames, labels = log_probs.shape
    found: dict[Ids, list[tuple[float, Ids]]] = {}
    for path in itertools.product(range(labels), repeat=frames):
        score = path_score(log_probs, path)
        if score > -math.inf:
            ids = tuple(run[0] for run in runs(path, blank_id))
            found.setdefault(ids, []).append((score, path))
    return found


def total(scored_paths):
    """Returns the log-probability of all of some (score, path)."""
    return float(np.logaddexp.reduce([score for score, _ in scored_paths]))


def emissions(log_probs, path, blank_id):
    """Returns the frames and the confidences of the tokens of `path`."""
    found = runs(path, blank_id)
    frames = tuple(first for _, first, _ in found)
    highest = [max(log_probs[first:end, label]) for label, first, end in found]
    return frames, tuple(min(1.0, math.exp(value)) for value in highest)


def forward(log_probs, ids, blank_id):
    """Returns the log-likelihood of `ids` over all its alignments."""
    states = [blank_id]
    for token in ids:
        states += [token, blank_id]
    # From a token to the next, unless they are equal, blank may be skipped.
    skips = [
        k >= 3 and k % 2 == 1 and states[k] != states[k - 2] for k in range(len(states))
    ]
    alpha = np.full(len(states), -np.inf)
    for frame, row in enumerate(np.asarray(log_probs, dtype=np.float64)):
        if frame == 0:
            alpha[:2] = row[states[:2]]
            continue
        one = np.concatenate([[-np.inf], alpha[:-1]])
        two = np.concatenate([[-np.inf, -np.inf], alpha[:-2]])[: len(states)]
        two = np.where(skips, two, -np.inf)
        alpha = np.logaddexp(np.logaddexp(alpha, one), two) + row[states]
    return float(np.logaddexp.reduce(alpha[-2:]))


def prefix_beam(
    log_probs,
    *,
    blank_id: int,
    beam_size: int,
    earned: Callable[[Ids], float] = lambda ids: 0.0,
    may_extend: Callable[[np.ndarray, int], bool] = lambda row, label: True,
) -> list[tuple[Ids, float]]:
    """Returns (ids, log-probability) of the prefixes that survive, best first.

    Every label is tried behind every prefix (Hannun et al., 2014).

    Args:
      log_probs: `[T, V]`.
      blank_id: the label that stands for no token.
      beam_size: how many prefixes survive a frame.
      earned: what is added to the logarithm of a prefix to rank it.
      may_extend: whether a label of a row may make a prefix that is not in the beam.
    """
    beam: dict[Ids, tuple[float, float]] = {(): (0.0, -math.inf)}
    for row in np.asarray(log_probs):
        after: dict[Ids, list[list[float]]] = {}
        for ids, (in_blank, in_label) in beam.items():
            both = log_add(in_blank, in_label)
            ends = after.setdefault(ids, [[], []])
            ends[0].append(both + float(row[blank_id]))
            if ids:
                ends[1].append(in_label + float(row[ids[-1]]))
            for label in range(len(row)):
                longer = (*ids, label)
                if label == blank_id:
                    continue
                if longer in beam or may_extend(row, label):
                    before = in_blank if ids and label == ids[-1] else both
                    ends = after.setdefault(longer, [[], []])
                    ends[1].append(before + float(row[label]))
        summed = {ids: (_sum(ends[0]), _sum(ends[1])) for ids, ends in after.items()}
        ranked = sorted(
            (-log_add(*ends) - earned(ids), ids) for ids, ends in summed.items()
        )
        beam = {ids: summed[ids] for rank, ids in ranked[:beam_size] if rank < math.inf}
    return [(ids, log_add(*ends)) for ids, ends in beam.items()]


def _sum(logarithms):
    return functools.reduce(log_add, logarithms, -math.inf)
