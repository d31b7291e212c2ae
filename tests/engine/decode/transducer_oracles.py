"""Transducer searches from their definitions, each hypothesis scored from scratch.

Blank is 0.
"""

import itertools
import math
import os

import numpy as np

from tests.engine import models


def prediction(model, ids):
    """Returns `[P]` behind `ids`."""
    if isinstance(model, models.Stateless):
        context = (0,) * model.context_size + tuple(ids)
        return model.predict(np.array([context[-model.context_size :]]))[0]
    state = model.start()
    for token_id in (0, *ids):
        [vector], [state] = model.advance(np.array([token_id]), [state])
    return vector


def row(model, frame, ids):
    """Returns `[V]` log-probabilities on a frame behind `ids`."""
    return model.join(frame[None], prediction(model, ids)[None])[0].tolist()


def greedy(model, frames, most):
    """Returns ids, score, frames and confidences."""
    ids, score, emitted, confidences = [], 0.0, [], []
    for t, frame in enumerate(frames):
        for _ in range(most):
            log_probs = row(model, frame, ids)
            best = max(range(len(log_probs)), key=log_probs.__getitem__)
            score += log_probs[best]
            if best == 0:
                break
            ids.append(best)
            emitted.append(t)
            confidences.append(math.exp(log_probs[best]))
    return ids, score, emitted, confidences


def alignments(model, frames, labels):
    """Yields (ids, log-probability, frames, confidences) of each of V ** T ways."""
    for way in itertools.product(range(labels), repeat=len(frames)):
        ids, score, emitted, confidences = [], 0.0, [], []
        for t, label in enumerate(way):
            log_prob = row(model, frames[t], ids)[label]
            score += log_prob
            if label:
                ids.append(label)
                emitted.append(t)
                confidences.append(math.exp(log_prob))
        yield tuple(ids), score, emitted, confidences


def all_hypotheses(model, frames, labels):
    """Returns ids -> (log-probability, frames and confidences of the best way)."""
    ways = {}
    for ids, *way in alignments(model, frames, labels):
        ways.setdefault(ids, []).append(way)
    return {
        ids: (
            math.log(math.fsum(math.exp(score) for score, _, _ in found)),
            *max(found, key=lambda way: way[0])[1:],
        )
        for ids, found in ways.items()
    }


def modified_beam(model, frames, beam_size):
    """Yields, before and after each frame, ids -> log-probability of what is live."""
    live = {(): 0.0}
    yield live
    for frame in frames:
        pairs = [
            (score + log_prob, ids if label == 0 else (*ids, label))
            for ids, score in live.items()
            for label, log_prob in enumerate(row(model, frame, ids))
        ]
        live = {}
        for score, ids in sorted(pairs, key=lambda pair: -pair[0])[:beam_size]:
            live[ids] = float(np.logaddexp(live[ids], score)) if ids in live else score
        yield live


def shared_length(rows):
    """Returns how many ids all of `rows` begin with."""
    return len(os.path.commonprefix(list(rows)))
