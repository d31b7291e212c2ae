"""Tiny models that write token by token, and searches written from the definition."""

import itertools
import math

import numpy as np


def log_softmax(logits):
    shifted = logits - logits.max()
    return shifted - np.log(np.exp(shifted).sum())


class State:
    """What a row has read; it may go on once."""

    def __init__(self, history):
        self.history = history
        self.used = False

    def use(self):
        assert not self.used, "a state is not used again"
        self.used = True
        return self.history


class HistoryModel:
    """Random scores, the same for the same history; inputs are lengths of audio.

    The input "model" fails when it is encoded, "nan" gives NaN at the third token,
    "late" fails there. The label 0 hardly ever comes among the first `shortest` tokens.
    """

    def __init__(self, labels=6, seed=0, sharpness=2.0, shortest=0):
        self.labels = labels
        self.shortest = shortest
        self.seed = seed
        self.sharpness = sharpness
        self.batches = []

    def encode(self, inputs):
        if "model" in inputs:
            raise RuntimeError("no memory")
        return [Encoded(given) for given in inputs]

    def prefill(self, encoded, prompts):
        pairs = zip(encoded, prompts, strict=True)
        histories = [(audio, *prompt.tolist()) for audio, prompt in pairs]
        lengths = [len(history) for history in histories]
        states = [
            State((n, history)) for n, history in zip(lengths, histories, strict=True)
        ]
        return np.stack([self.log_probs(*s.history) for s in states]), states

    def step(self, states, ids):
        self.batches.append(len(states))
        for state in states:
            start, history = state.history
            if history[0].given == "late" and len(history) == start + 1:
                raise RuntimeError("no memory")
        histories = [
            (start, (*history, int(token_id)))
            for (start, history), token_id in zip(
                [state.use() for state in states], ids, strict=True
            )
        ]
        scores = np.stack([self.log_probs(*history) for history in histories])
        return scores, [State(history) for history in histories]

    def select(self, states, rows):
        histories = [state.use() for state in states]
        return [State(histories[row]) for row in rows]

    def log_probs(self, start, history):
        audio, *ids = history
        if audio.given == "nan" and len(history) == start + 2:
            return np.full(self.labels, np.nan, np.float32)
        entropy = [self.seed, len(audio), *ids]
        logits = np.random.default_rng(entropy).normal(size=self.labels)
        if len(history) - start < self.shortest:
            logits[0] = -50
        return log_softmax(self.sharpness * logits).astype(np.float32)

    def after(self, audio, prompt, ids):
        """Returns `[V]` log-probabilities behind a prompt and some tokens."""
        return self.log_probs(1 + len(prompt), (Encoded(audio), *prompt, *ids))


class Encoded:
    """Audio of some length."""

    def __init__(self, given):
        self.given = given

    def __len__(self):
        return self.given if isinstance(self.given, int) else 2


def exhaustive(after, labels, *, end_ids, max_new_tokens, n_best):
    """Returns the best (ids, score) of all there are, best first.

    Args:
      after: gives `[V]` log-probabilities behind some tokens.
      labels: V.
      end_ids: tokens that end a sequence.
      max_new_tokens: where one is cut off.
      n_best: how many to return.
    """
    others = [i for i in range(labels) if i not in end_ids]
    best = {}
    for count in range(max_new_tokens + 1):
        for ids in itertools.product(others, repeat=count):
            score = sum(float(after(ids[:k])[i]) for k, i in enumerate(ids))
            if count < max_new_tokens:
                last = after(ids)
                best[ids] = score + max(float(last[i]) for i in end_ids)
            else:
                best[ids] = score
    found = [(ids, score) for ids, score in best.items() if score > -math.inf]
    return sorted(found, key=lambda one: (-one[1], one[0]))[:n_best]


def greedy(after, *, end_ids, max_new_tokens):
    """Returns the best token of each step, and the score."""
    ids, score = [], 0.0
    while len(ids) < max_new_tokens:
        log_probs = after(tuple(ids))
        token_id = int(log_probs.argmax())
        score += float(log_probs[token_id])
        if token_id in end_ids:
            break
        ids.append(token_id)
    return tuple(ids), score
