"""NaN, infinities, impossible labels, tiny and huge values: what every search does.

Shapes: T frames, V labels.
"""

import warnings

import numpy as np
import pytest

from oasr import engine
from tests.engine import families
from tests.engine import models

LABELS = 5
SEARCHES = [
    ("offline", "greedy"),
    ("offline", "prefix_beam"),
    ("streaming", "greedy"),
    ("streaming", "prefix_beam"),
]


@pytest.fixture(autouse=True)
def _no_warnings():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def decode(scores, mode="offline", search="prefix_beam", *, form="log_probs", n_best=1):
    """Returns the last output of one utterance of the family `ctc`."""
    options = {"n_best": n_best} if search == "prefix_beam" else {}
    with families.build(
        "ctc", mode, scores=form, decode_options={"search": search}
    ) as asr:
        asr._count_frames = lambda given: None  # What is refused has no frames.
        [output] = asr.transcribe([engine.Request("a", scores, options)])
    return output


def spoiled(value, *, row=3, column=2, dtype=np.float32):
    scores = families.scores_of(1).astype(dtype)
    scores[row, column] = value
    return scores


@pytest.mark.parametrize(("mode", "search"), SEARCHES)
@pytest.mark.parametrize("form", ["log_probs", "probs", "logits"])
@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_what_is_no_score_is_refused_by_its_place(mode, search, form, value):
    scores = spoiled(value) if form != "probs" else np.exp(spoiled(value))
    output = decode(scores, mode, search, form=form)
    assert output.finish_reason == "error"
    assert output.error.startswith("scores: ")
    assert "row 3" in output.error.lower()


@pytest.mark.parametrize(("mode", "search"), SEARCHES)
@pytest.mark.parametrize(("form", "value"), [("log_probs", -np.inf), ("probs", 0.0)])
def test_a_frame_without_a_possible_label_is_refused(mode, search, form, value):
    scores = families.scores_of(1)
    scores = np.exp(scores) if form == "probs" else scores
    scores[4] = value
    output = decode(scores, mode, search, form=form)
    assert output.error.startswith("scores: Row 4 of the scores ")
    assert " sums to 0" in output.error


@pytest.mark.parametrize(("mode", "search"), SEARCHES)
@pytest.mark.parametrize("form", ["log_probs", "logits"])
def test_a_label_that_is_impossible_is_as_if_it_were_not_there(mode, search, form):
    kept = [0, 1, 3, 4]
    without = models.log_softmax(
        np.random.default_rng(2).normal(scale=2.0, size=(20, len(kept)))
    )
    scores = np.full((20, LABELS), -np.inf, np.float32)
    scores[:, kept] = without
    found = decode(scores, mode, search, form=form, n_best=4)
    expected = decode(without, mode, search, form=form, n_best=4)
    assert found.error is None
    assert found.tokens == [[kept[i] for i in row] for row in expected.tokens]
    assert found.scores == pytest.approx(expected.scores, abs=1e-4)


@pytest.mark.parametrize(("mode", "search"), SEARCHES)
@pytest.mark.parametrize("scale", [1e-45, 1e-38, 1.0, 1e30, 3e38])
def test_logits_of_any_size_have_the_best_labels(mode, search, scale):
    rng = np.random.default_rng(5)
    signs = rng.choice([-1.0, 1.0], size=(12, LABELS))
    best = rng.integers(LABELS, size=12)
    logits = (-np.abs(signs) * scale).astype(np.float32)
    logits[np.arange(12), best] = scale
    output = decode(logits, mode, search, form="logits")
    assert output.error is None
    assert all(np.isfinite(output.scores))
    if scale >= 1e30:  # All probability is with one label.
        changed = np.diff(best, prepend=-1) != 0
        assert output.tokens[0] == best[changed & (best != 0)].tolist()
        assert output.scores == [0.0]


def test_more_than_float32_holds_is_refused():
    output = decode(spoiled(1e300, dtype=np.float64), form="logits")
    assert output.error.startswith("scores: ")
    below = decode(spoiled(-1e300, dtype=np.float64), form="logits")
    assert below.error is None  # As good as impossible.


@pytest.mark.parametrize(("mode", "search"), SEARCHES)
def test_subnormal_probabilities_are_probabilities(mode, search):
    probs = np.full((6, LABELS), 1e-45, np.float32)
    probs[np.arange(6), [1, 1, 0, 2, 2, 3]] = 1.0
    output = decode(probs, mode, search, form="probs", n_best=3)
    assert output.tokens[0] == [1, 2, 3]
    # The subnormals are the only other way to write anything.
    assert output.scores[0] == 0.0
    assert all(np.isfinite(output.scores))


@pytest.mark.parametrize(("mode", "search"), SEARCHES)
def test_certain_scores_have_one_hypothesis(mode, search):
    scores = np.full((6, LABELS), -np.inf, np.float32)
    scores[np.arange(6), [1, 1, 0, 1, 2, 0]] = 0.0
    output = decode(scores, mode, search, n_best=5)
    assert output.tokens == [[1, 1, 2]]
    assert output.scores == [0.0]


# Of models that are called step by step: where their scores come from.
METHODS = {
    "aed": ("prefill", "step"),
    "ctc_aed_rescoring": ("left_to_right", "right_to_left"),
    "llm": ("prefill", "step"),
    "transducer": ("join",),
}


def spoil(answer, value):
    """Returns what a model says, with `value` among its scores."""
    if isinstance(answer, tuple):  # Scores and states.
        return spoil(answer[0], value), *answer[1:]
    if isinstance(answer, list):
        return [spoil(one, value) for one in answer]
    scores = np.array(answer, np.float32)
    scores[..., -1] = value
    return scores


@pytest.mark.parametrize("n_best", [1, 3])
@pytest.mark.parametrize("value", [np.nan, np.inf])
@pytest.mark.parametrize("family", METHODS)
def test_a_model_that_says_what_is_no_score_is_refused(family, value, n_best):
    tried = families.FAMILIES[family]
    model = tried.model()
    for name in METHODS[family]:
        said = getattr(model, name)
        setattr(model, name, lambda *given, said=said: spoil(said(*given), value))
    request = engine.Request("a", tried.inputs(2), {"n_best": n_best})
    with families.build(family, model=model) as asr:
        [output] = asr.transcribe([request])
    assert output.finish_reason == "error"
    assert output.error.partition(":")[0] in ("scores", "decoding")
    assert "nan" in output.error or "inf" in output.error
