"""Tests for bad models of the families: a request fails alone, its stage named."""

import numpy as np
import pytest

from oasr import engine
from tests.engine import families
from tests.engine import models

_MARK = 99.0  # The first value of audio that a faulty model spoils.


def raises(*_):
    raise RuntimeError("no memory")


class FaultyJoiner(models.Stateless):
    """Spoils what the joiner says of marked audio."""

    def __init__(self, fault):
        super().__init__(1, labels=5, blank_bias=1.0)
        self._fault = fault

    def join(self, frames, predictions):
        found = super().join(frames, predictions)
        return self._fault(found) if frames[0, 0] == _MARK else found


class FaultyEncoder(models.Stateless):
    """Spoils what the encoder says of marked audio."""

    def __init__(self, fault):
        super().__init__(1, labels=5, blank_bias=1.0)
        self._fault = fault

    def encode(self, inputs):
        return [self._fault(x) if x[0, 0] == _MARK else x for x in inputs]


class FaultyAttention(models.Rescoring):
    """Spoils what attention says of marked audio."""

    def __init__(self, fault):
        super().__init__(1, labels=5)
        self._fault = fault

    def left_to_right(self, memory, hypotheses):
        found = super().left_to_right(memory, hypotheses)
        return self._fault(found) if memory[1] > 15 else found


class FaultyCtc(models.Rescoring):
    """Raises for marked audio; else hears it."""

    def encode(self, inputs):
        if any(given[0, 1] > -1e-6 for given in inputs):
            raises()
        return super().encode(inputs)


def marked(frames):
    found = np.array(frames)
    found[0, 0] = _MARK
    return found


def certain(scores):
    """Returns scores that are sure of label 1 on every frame."""
    found = np.full_like(scores, -np.inf)
    found[:, 1] = 0.0
    return found


def changed(**fields):
    return lambda given: {**given, **fields}


def with_nan(array):
    found = np.array(array)
    found[-1, -1] = np.nan
    return found


FAULTS = [
    ("transducer", FaultyEncoder(raises), marked, "model: RuntimeError: no memory"),
    (
        "transducer",
        FaultyEncoder(with_nan),
        marked,
        "scores: The encoder's frames must",
    ),
    ("transducer", FaultyEncoder(lambda x: x[0]), marked, "scores: .* shape (4,)"),
    (
        "transducer",
        FaultyJoiner(raises),
        marked,
        "decoding: RuntimeError: no memory",
    ),
    (
        "transducer",
        FaultyJoiner(with_nan),
        marked,
        "decoding: Frame 0: The joiner's output: Scores must be finite or -inf: row 0,"
        " column 4 is nan.",
    ),
    (
        "transducer",
        FaultyJoiner(lambda x: x[0]),
        marked,
        "decoding: Frame 0: The joiner's output: Scores must have 2 dimensions",
    ),
    (
        "transducer",
        FaultyJoiner(lambda x: np.vstack([x, x])),
        marked,
        "decoding: Frame 0: The joiner's output: 1 hypotheses need as many rows of"
        " scores, got 2.",
    ),
    (
        "transducer",
        FaultyJoiner(lambda x: x * 2),
        marked,
        "decoding: Frame 0: The joiner's output: Row 0 of the scores sums to",
    ),
    (
        "transducer",
        FaultyJoiner(lambda x: np.zeros((len(x), 0), np.float32)),
        marked,
        "decoding: Frame 0: The joiner's output: Scores of shape (1, 0) have no labels",
    ),
    ("paraformer", None, lambda given: 7, "scores: one_shot must give an"),
    (
        "paraformer",
        None,
        changed(fires=[1.0]),
        "scores: 6 tokens need as many fires, got the shape (1,).",
    ),
    ("paraformer", None, changed(frame_count=3), "scores: Fires must be frames from 0"),
    (
        "paraformer",
        None,
        lambda given: {**given, "scores": with_nan(given["scores"])},
        "scores: Scores must be finite or -inf: row 5, column 4 is nan.",
    ),
    ("paraformer", None, lambda given: {}, "model: TypeError: "),
    (
        "ctc_aed_rescoring",
        FaultyCtc(1, labels=5),
        certain,
        "model: RuntimeError: no me",
    ),
    ("ctc_aed_rescoring", None, with_nan, "scores: Scores must be finite or -inf: row"),
    (
        "ctc_aed_rescoring",
        FaultyAttention(raises),
        certain,
        "decoding: RuntimeError: no memory",
    ),
    (
        "ctc_aed_rescoring",
        FaultyAttention(lambda rows: [row * np.nan for row in rows]),
        certain,
        "decoding: left_to_right, hypothesis 0: a log-probability is at most 0, got",
    ),
    (
        "ctc_aed_rescoring",
        FaultyAttention(lambda rows: [row[1:] for row in rows]),
        certain,
        "decoding: left_to_right, hypothesis 0: expected 2 log-probabilities, one per",
    ),
]


@pytest.mark.parametrize(("family", "model", "spoil", "error"), FAULTS)
def test_a_request_with_a_bad_model_output_fails_alone(family, model, spoil, error):
    inputs = families.FAMILIES[family].inputs
    requests = [
        engine.Request("a", inputs(1)),
        engine.Request("bad", spoil(inputs(2))),
        engine.Request("b", inputs(3)),
    ]
    # What is spoiled has no length that could be compared with times.
    with families.build(family, model=model) as asr:
        asr._count_frames = lambda given: None
        outputs = asr.transcribe(requests)
    with families.build(family) as asr:
        expected = asr.transcribe([requests[0], requests[2]])
    assert [outputs[0], outputs[2]] == expected
    assert outputs[1].finish_reason == "error"
    start, _, rest = error.partition(".*")
    assert outputs[1].error.startswith(start)
    assert rest in outputs[1].error


@pytest.mark.parametrize("fault", [raises, with_nan, lambda x: x[0]])
def test_a_stream_with_a_bad_model_output_fails_alone(fault):
    frames = families.FAMILIES["transducer"].inputs(1)
    with families.build("transducer", "streaming", model=FaultyJoiner(fault)) as asr:
        for name in ("a", "bad", "b"):
            asr.add_request(engine.Request(name, frames[:10]))
        assert [output.error for output in asr.step()] == [None] * 3
        for name in ("a", "bad", "b"):
            rest = frames[10:]
            asr.feed_chunk(name, marked(rest) if name == "bad" else rest)
        outputs = {output.request_id: output for output in asr.step()}
        assert outputs["bad"].error.startswith("decoding: ")
        assert not outputs["a"].finished
        with pytest.raises(ValueError, match="No open request 'bad'"):
            asr.feed_chunk("bad", frames)
        for name in ("a", "b"):
            asr.finalize(name)
        lasts = asr.step()
    with families.build("transducer") as asr:
        [whole] = asr.transcribe([engine.Request("a", frames)])
    assert [last.text for last in lasts] == [whole.text] * 2


class BadStates(models.Recurrent):
    """Gives what it is told for its predictions and states."""

    def __init__(self, fault):
        super().__init__(1, labels=5)
        self._fault = fault

    def advance(self, ids, states):
        return self._fault(*super().advance(ids, states))


class BadPredictions(models.Stateless):
    """Gives what it is told for its predictions."""

    def __init__(self, fault):
        super().__init__(1, labels=5)
        self._fault = fault

    def predict(self, contexts):
        return self._fault(super().predict(contexts))


@pytest.mark.parametrize(
    ("model", "error"),
    [
        (BadPredictions(raises), "decoding: RuntimeError: no memory"),
        (BadPredictions(with_nan), "The predictor's output must be finite, and row 0"),
        (BadPredictions(lambda x: x[0]), "output must be [N, P], got the shape (4,)"),
        (BadPredictions(lambda x: x[:0]), "must have 1 rows, one for each hypothesis"),
        (BadPredictions(lambda x: x.astype(str)), "must be of a float type, got <U"),
        (BadStates(raises), "decoding: RuntimeError: no memory"),
        (BadStates(lambda x, states: x), "advance must return predictions and states"),
        (BadStates(lambda x, states: (x, [])), "a state for each of 1 ids, gave 0."),
    ],
)
def test_a_bad_predictor_is_named(model, error):
    frames = families.FAMILIES["transducer"].inputs(1)
    with families.build("transducer", model=model) as asr:
        [output] = asr.transcribe([engine.Request("a", frames)])
    assert output.error.startswith("decoding: ")
    assert error in output.error


class Folding(models.Stateless):
    """Takes any id."""

    def predict(self, contexts):
        return super().predict(contexts % 4)


def test_blank_outside_the_joiners_labels_is_an_error():
    frames = families.FAMILIES["transducer"].inputs(1)
    with families.build("transducer", model=Folding(), blank_id=9) as asr:
        [output] = asr.transcribe([engine.Request("a", frames)])
    assert output.error == (
        "decoding: Frame 0: The joiner's output: blank_id 9 is outside the 4 labels of"
        " the scores; expected one of 0 to 3."
    )


@pytest.mark.parametrize("family", ["ctc", "ctc_aed_rescoring", "transducer"])
def test_empty_audio_is_an_empty_transcript(family):
    empty = families.FAMILIES[family].inputs(1)[:0]
    with families.build(family) as asr:
        [output] = asr.transcribe([engine.Request("a", empty)])
    assert (output.text, output.tokens, output.error) == ("", [[]], None)
