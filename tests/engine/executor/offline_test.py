"""Tests for offline: a request that fails fails alone, and says in which stage."""

import logging

import pytest

from oasr.engine import config as engine_config
from oasr.engine import request
from oasr.engine.decode import base
from oasr.engine.decode import detokenize
from oasr.engine.executor import offline
from oasr.engine.executor import rendering
from tests.engine import invariants
from tests.engine.executor import fakes


def run(inputs, *, model=None, strategy=None, options=()):
    renderer = rendering.Renderer(
        detokenize.Detokenizer(), engine_config.EngineConfig(seconds_per_frame=0.04)
    )
    executor = offline.OfflineExecutor(
        model or fakes.EchoModel(), strategy or fakes.EchoStrategy(), renderer
    )
    batch = [request.Request(f"r{k}", i, dict(options)) for k, i in enumerate(inputs)]
    outputs = executor.run(batch)
    for one, output in zip(batch, outputs, strict=True):
        invariants.check_output(output, request=one)
    return outputs


def test_outputs_are_in_the_order_of_the_requests():
    outputs = run([[5, 7], [], [9]])
    assert [output.request_id for output in outputs] == ["r0", "r1", "r2"]
    assert [output.text for output in outputs] == ["5 7", "", "9"]
    assert all(o.finished and o.finish_reason == "stop" for o in outputs)


def test_a_batch_is_scored_together():
    model = fakes.EchoModel()
    run([[5], [7]], model=model)
    assert model.batches == [[[5], [7]]]


def test_an_empty_batch_is_no_work():
    model = fakes.EchoModel()
    assert run([], model=model) == []
    assert model.batches == []


@pytest.mark.parametrize("position", [0, 1, 2])
@pytest.mark.parametrize(
    ("culprit", "error"),
    [
        ("model", "model: RuntimeError: no memory"),
        ("scores", "scores: Row 3 is bad."),
        ("decoding", "decoding: IndexError: out of range"),
        ("none", "rendering: An n-best list has at least one hypothesis, got none."),
        (
            "unrenderable",
            "rendering: TypeError: Token ids must be integers: the id at position 0 is"
            " 'x' of type str.",
        ),
    ],
)
def test_a_request_fails_alone(culprit, error, position):
    inputs = [[5], [7]]
    inputs.insert(position, culprit)
    outputs = run(inputs)
    failed = outputs.pop(position)
    assert failed == request.RequestOutput.failed(f"r{position}", error)
    assert [output.text for output in outputs] == ["5", "7"]
    assert all(output.error is None for output in outputs)


def test_failures_in_every_stage_leave_the_rest():
    inputs = ["scores", [5], "decoding", "model", [7], "none"]
    outputs = run(inputs)
    assert [o.finish_reason for o in outputs] == [
        "error",
        "stop",
        "error",
        "error",
        "stop",
        "error",
    ]
    assert [o.text for o in outputs] == ["", "5", "", "", "7", ""]


@pytest.mark.parametrize("count", [0, 1, 3])
def test_a_model_that_gives_another_number_of_scores_is_told(count):
    class Miscounting(fakes.EchoModel):
        def scores(self, inputs):
            return [[5]] * count if len(inputs) == 2 else []

    for output in run([[5], [7]], model=Miscounting()):
        assert output.error == "model: 1 request(s) need as many results, got 0."


def test_a_strategy_that_gives_another_number_of_hypotheses_is_told():
    class Miscounting(fakes.EchoStrategy):
        def decode(self, scores, options):
            return [*super().decode(scores, options), []]

    (output,) = run([[5]], strategy=Miscounting())
    assert output.error == "decoding: 1 request(s) need as many results, got 2."


def test_frames_behind_the_last_are_an_error():
    class Late(fakes.EchoStrategy):
        def decode(self, scores, options):
            return [[base.Hypothesis((5,), 0.0, (len(ids),))] for ids in scores]

    (output,) = run([[5, 7]], strategy=Late())
    assert output.error == (
        "rendering: The last emission frame is 2, and there are 2 frames, counted from"
        " 0."
    )


def test_an_interrupted_step_leaves_the_requests_in_line():
    class Interrupted(fakes.EchoModel):
        def scores(self, inputs):
            if not self.batches:
                self.batches.append(inputs)
                raise KeyboardInterrupt
            return super().scores(inputs)

    renderer = rendering.Renderer(
        detokenize.Detokenizer(), engine_config.EngineConfig()
    )
    executor = offline.OfflineExecutor(
        Interrupted(), fakes.EchoStrategy(), renderer, batch_size=2
    )
    for name in "abc":
        executor.add(request.Request(name, [5]))
    with pytest.raises(KeyboardInterrupt):
        executor.step()
    assert [output.request_id for output in executor.step()] == ["a", "b"]
    assert [output.request_id for output in executor.step()] == ["c"]
    assert not executor.has_unfinished()


def test_a_batch_of_any_size_is_taken():
    renderer = rendering.Renderer(
        detokenize.Detokenizer(), engine_config.EngineConfig()
    )
    executor = offline.OfflineExecutor(
        fakes.EchoModel(), fakes.EchoStrategy(), renderer, batch_size=10**30
    )
    executor.add(request.Request("a", [5]))
    assert [output.text for output in executor.step()] == ["5"]


def test_n_best_texts_are_aligned_with_the_rows():
    (output,) = run([[5, 7]], options={"n_best": 5})
    assert output.tokens == [[5, 7], [5], []]
    assert output.nbest_texts == ["5 7", "5", ""]


def test_words_of_a_family_without_frames_are_an_error():
    (output,) = run(
        [[5]], strategy=fakes.UnalignedStrategy(), options={"word_timestamps": True}
    )
    assert output.error.startswith("rendering: Word timings need the frame of each")


def test_failures_are_logged_with_a_traceback_unless_the_request_is_wrong(caplog):
    with caplog.at_level(logging.WARNING, logger="oasr.engine"):
        run(["scores", [5], "decoding"])
    wrong, broken = caplog.records
    assert wrong.message == "Request 'r0' failed in scores: Row 3 is bad."
    assert wrong.exc_info is None
    assert "Request 'r2' failed in decoding: IndexError" in broken.message
    assert broken.exc_info[0] is IndexError
