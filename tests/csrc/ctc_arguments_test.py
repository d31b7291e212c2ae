"""Tests for ctc_prefix_beam: what its arguments may be."""

import numpy as np
import pytest

from oasr._native import ctc_prefix_beam
from tests.csrc import ctc_oracle

SEARCHES = [
    pytest.param(ctc_prefix_beam.greedy, id="greedy"),
    pytest.param(ctc_prefix_beam.search, id="search"),
]


def scores(frames=4, labels=40):
    return ctc_oracle.random_log_probs(np.random.default_rng(0), frames, labels)


def with_value(frame, label, value):
    changed = scores()
    changed[frame, label] = value
    return changed


def facts(found):
    hypothesis = found[0] if isinstance(found, list) else found
    return hypothesis.ids, hypothesis.score, hypothesis.frames


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize(
    ("log_probs", "message"),
    [
        (
            with_value(2, 0, np.nan),
            r"log_probs\[2, 0\] is -?nan; expected the logarithm",
        ),
        (with_value(2, 39, np.nan), r"log_probs\[2, 39\] is -?nan; expected"),
        (with_value(0, 17, np.inf), r"log_probs\[0, 17\] is inf; expected the log"),
        (
            with_value(3, slice(None), -np.inf),
            r"log_probs\[3\] is -inf for every label",
        ),
        (
            scores().astype(np.float64),
            "log_probs is of dtype float64; expected float32",
        ),
        (scores().astype(">f4"), "log_probs is of dtype >f4; expected float32"),
        (np.zeros((2, 3), np.int32), "log_probs is of dtype int32; expected float32"),
        (scores()[0], r"log_probs has 1 dimensions; expected 2, \[T, V\]"),
        (scores()[np.newaxis], "log_probs has 3 dimensions; expected 2"),
        (np.zeros((3, 0), np.float32), "log_probs has no labels"),
    ],
)
def test_bad_scores_are_named(search, log_probs, message):
    with pytest.raises(ValueError, match=message):
        search(log_probs)


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("label", range(0, 40, 3))
@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_a_bad_value_is_found_wherever_it_is(search, label, value):
    with pytest.raises(ValueError, match=rf"log_probs\[1, {label}\] is"):
        search(with_value(1, label, value))


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("blank_id", [-1, 40, 2**40])
def test_blank_must_be_a_label(search, blank_id):
    with pytest.raises(ValueError, match=f"blank_id is {blank_id}; expected 0 to"):
        search(scores(), blank_id=blank_id)


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize(
    "view",
    [
        pytest.param(lambda s: s[:, ::2], id="strided"),
        pytest.param(lambda s: s[::-1], id="reversed"),
        pytest.param(np.asfortranarray, id="column by column"),
    ],
)
def test_arrays_that_are_not_contiguous_are_read_right(search, view):
    viewed = view(scores())
    assert facts(search(viewed)) == facts(search(np.ascontiguousarray(viewed)))


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("log_probs", [None, [[0.0]], "scores"])
def test_only_arrays_are_taken(search, log_probs):
    with pytest.raises(TypeError):
        search(log_probs)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"beam_size": 0}, "beam_size is 0; expected 1 to"),
        ({"beam_size": 2**31}, "beam_size is 2147483648; expected 1 to"),
        ({"candidates_per_frame": 0}, "candidates_per_frame is 0; expected at least 1"),
        ({"candidate_margin": -1.0}, "candidate_margin is -1.0.*; expected at least 0"),
        ({"candidate_margin": np.nan}, "candidate_margin is nan"),
        ({"n_best": 0}, "n is 0; expected 1 to 10"),
        ({"n_best": 11}, "n is 11; expected 1 to 10"),
    ],
)
def test_bad_options_are_named(options, message):
    with pytest.raises(ValueError, match=message):
        ctc_prefix_beam.search(scores(), **options)


def test_labels_may_not_change_between_chunks():
    beam = ctc_prefix_beam.CtcPrefixBeam()
    beam.feed(scores())
    with pytest.raises(ValueError, match="log_probs has 39 labels; expected 40, as"):
        beam.feed(scores(labels=39))


def test_frames_before_a_bad_row_count_as_fed():
    beam = ctc_prefix_beam.CtcPrefixBeam()
    with pytest.raises(ValueError, match=r"log_probs\[2, 5\] is"):
        beam.feed(with_value(2, 5, np.inf))
    assert beam.frames == 2
    beam.feed(scores()[2:])
    whole = ctc_prefix_beam.search(scores(), n_best=10)
    assert [facts(h) for h in beam.n_best(10)] == [facts(h) for h in whole]
