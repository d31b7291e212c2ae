"""Tests for timestamp_rules, against the rules stated as states of a transcript."""

import numpy as np
import pytest

from oasr.engine.decode import segments
from oasr.engine.decode import timestamp_rules
from tests import conftest
from tests.engine.decode import token_models

# Text 0 to 4, its end 5, two other control tokens, timestamps from 8 on.
END, FIRST, LABELS = 5, 8, 30
INITIAL = 0.1  # The fifth timestamp.


def state_after(ids):
    """Returns where a transcript stands beside its segments, and its last time."""
    state, time = "before", None
    for token_id in ids:
        if token_id < FIRST:
            state = "inside"
            continue
        time = token_id
        state = {"before": "opened", "opened": None, "inside": "closed"}.get(
            state, "opened"
        )
    return state, time


def may_follow(ids, token_id):
    """Returns whether the rules allow a token, one at a time."""
    state, time = state_after(ids)
    is_time = token_id >= FIRST
    if state == "before":
        return is_time and token_id <= FIRST + 5
    if state == "opened":  # A pair is never three.
        return not is_time
    if state == "inside":  # Segments have some length.
        return not is_time or token_id > time
    # Behind a segment another one begins, or the transcript ends.
    return token_id >= time if is_time else token_id >= END


def ruled(ids, log_probs):
    """Returns `[V]` log-probabilities as the rules leave them."""
    allowed = [
        float(p) if may_follow(ids, i) else -np.inf for i, p in enumerate(log_probs)
    ]
    total = sum(np.exp(p) for p in allowed[FIRST:])
    if total > max(np.exp(p) for p in allowed[:FIRST]):
        allowed[:FIRST] = [-np.inf] * FIRST
    return allowed


def transcript(source, count):
    """Returns the ids of a random transcript that keeps the rules."""
    ids = []
    for _ in range(count):
        following = [
            i for i in range(LABELS) if may_follow(ids, i) and not END <= i < FIRST
        ]
        if not following:
            break
        # Text as often as times.
        weights = [1 / 5 if i < END else 1 / (LABELS - FIRST) for i in following]
        ids.append(int(source.choice(following, p=np.array(weights) / sum(weights))))
    return ids


def scores(source, rows):
    logits = source.normal(size=(rows, LABELS)) * 2
    logits[:, FIRST:] += source.choice([-4, 0, 2], size=(rows, 1))
    return np.stack([token_models.log_softmax(row) for row in logits]).astype("f4")


@pytest.mark.parametrize("seed", range(100 * conftest.SCALE))
def test_the_rules_are_those_of_the_statement(seed):
    source = np.random.default_rng(seed)
    histories = [transcript(source, seed % 12) for _ in range(3)]
    log_probs = scores(source, 3)
    given = log_probs.copy()
    rules = timestamp_rules.TimestampRules(END, FIRST, INITIAL)
    found = rules(histories, log_probs)
    wanted = [ruled(ids, row) for ids, row in zip(histories, log_probs, strict=True)]
    np.testing.assert_array_equal(found, np.array(wanted, np.float32))
    np.testing.assert_array_equal(log_probs, given)


def test_all_states_are_tried():
    source = np.random.default_rng(0)
    states = {state_after(transcript(source, count % 12))[0] for count in range(200)}
    assert states == {"before", "opened", "inside", "closed"}


def test_a_transcript_may_begin_anywhere_without_a_limit():
    rules = timestamp_rules.TimestampRules(END, FIRST, None)
    found = rules([[]], scores(np.random.default_rng(0), 1))
    assert np.flatnonzero(np.isfinite(found[0])).tolist() == list(range(FIRST, LABELS))


def test_a_head_without_timestamps_has_nothing_to_force():
    rules = timestamp_rules.TimestampRules(END, FIRST, 1.0)
    log_probs = np.log(np.full((1, FIRST), 1 / FIRST, np.float32))
    np.testing.assert_array_equal(rules([[1]], log_probs), log_probs)


@pytest.mark.parametrize(
    ("history", "wanted"),
    [([], {0, 2, 4}), ([2], {0, 2, 3, 4}), ([2, 3], {0, 2, 3, 4})],
)
def test_suppressed_tokens_never_follow_and_others_not_first(history, wanted):
    rule = timestamp_rules.Suppression([1, 99], [3])
    found = rule([history, history], np.zeros((2, 5), np.float32))
    for row in found:
        assert set(np.flatnonzero(np.isfinite(row))) == wanted


@pytest.mark.parametrize(
    ("ids", "wanted"),
    [
        ([], []),
        ([8, 8], []),
        ([1, 2], [(0, 9, (1, 2))]),
        ([8, 1, 2], [(0, 9, (1, 2))]),
        ([8, 1, 2, 13], [(0, 2.5, (1, 2))]),
        ([9, 1, 13, 13, 2, 20], [(0.5, 2.5, (1,)), (2.5, 6, (2,))]),
        ([9, 1, 13, 15, 2], [(0.5, 2.5, (1,)), (3.5, 9, (2,))]),
        ([1, 10], [(0, 1, (1,))]),
        ([9, 1, 40, 40, 2], [(0.5, 9, (1,)), (9, 9, (2,))]),
    ],
)
def test_a_transcript_is_cut_at_its_timestamps(ids, wanted):
    cut = segments.cut(ids, FIRST, frames_per_timestamp=0.5, frame_count=9.0)
    found = [(one.start, one.end, tuple(ids[one.first : one.stop])) for one in cut]
    assert found == wanted
