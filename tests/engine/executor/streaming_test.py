"""Tests for streaming: sessions side by side."""

import random

import pytest

from oasr.engine import config as engine_config
from oasr.engine import request as requests
from oasr.engine.decode import base
from oasr.engine.decode import detokenize
from oasr.engine.executor import building
from oasr.engine.executor import rendering
from oasr.engine.executor import streaming
from tests.engine import invariants
from tests.engine.executor import fakes


class CheckedExecutor(streaming.StreamingExecutor):
    """Checks every output beside the one before it."""

    def __init__(self, *parts):
        super().__init__(*parts)
        self._before = {}

    def step(self):
        outputs = super().step()
        for output in outputs:
            before = self._before.pop(output.request_id, None)
            invariants.check_output(output, before=before)
            if not output.finished:
                self._before[output.request_id] = output
        return outputs


@pytest.fixture
def model():
    return fakes.EchoModel()


@pytest.fixture
def executor(model):
    # No tokenizer: ids show as numbers, parted by blanks.
    config = engine_config.EngineConfig(seconds_per_frame=1.0)
    renderer = rendering.Renderer(detokenize.Detokenizer(), config)
    return CheckedExecutor(model, fakes.EchoStreamingStrategy(), renderer)


def request(name, inputs=None, **options):
    return requests.Request(name, inputs, requests.DecodingOptions(**options))


def test_a_session_gives_partials_and_a_last_output(executor):
    executor.add(request("a"))
    assert executor.step() == []
    executor.feed_chunk("a", [5, 6])
    [partial] = executor.step()
    assert (partial.text, partial.stable_text, partial.finished) == ("5 6", "5", False)
    assert (partial.tokens, partial.finish_reason) == ([[5, 6]], None)
    executor.feed_chunk("a", [7])
    executor.finalize("a")
    [last] = executor.step()
    assert (last.text, last.stable_text, last.finished) == ("5 6 7", "5 6 7", True)
    assert last.finish_reason == "stop"
    assert not executor.has_unfinished()
    assert "a" not in executor


def test_the_inputs_of_a_request_are_its_first_chunk(executor):
    executor.add(request("a", [5]))
    executor.feed_chunk("a", [6])
    [partial] = executor.step()
    assert partial.text == "5 6"


def test_only_sessions_with_news_have_an_output(executor):
    executor.add(request("a"))
    executor.add(request("b", [5]))
    assert [output.request_id for output in executor.step()] == ["b"]
    executor.feed_chunk("a", [])
    assert [(o.request_id, o.text) for o in executor.step()] == [("a", "")]


def test_n_best_and_words_come_with_the_last_output(executor):
    executor.add(request("a", [5, 6], n_best=2, word_timestamps=True))
    [partial] = executor.step()
    assert partial.nbest_texts is None
    assert [word.word for word in partial.words] == ["5", "6"]
    executor.finalize("a")
    [last] = executor.step()
    assert last.nbest_texts == ["5 6", "5"]
    assert [word.word for word in last.words] == ["5", "6"]


def test_chunks_of_all_sessions_go_to_the_model_together(executor, model):
    for name in "ab":
        executor.add(request(name, [5]))
        executor.feed_chunk(name, [6])
    executor.step()
    assert model.batches == [[[5], [5]], [[6], [6]]]


@pytest.mark.parametrize("stage", ["model", "scores", "decoding"])
def test_a_session_that_fails_ends_alone(executor, stage):
    for name, chunk in (("a", [5]), ("b", stage), ("c", [6])):
        executor.add(request(name))
        executor.feed_chunk(name, [4])
        executor.feed_chunk(
            name, [stage] if stage == "decoding" and name == "b" else chunk
        )
        executor.feed_chunk(name, [7])
    outputs = {output.request_id: output for output in executor.step()}
    assert outputs["a"].text == "4 5 7"
    assert outputs["c"].text == "4 6 7"
    assert outputs["b"].finish_reason == "error"
    assert outputs["b"].error.startswith(f"{stage}: ")
    assert "b" not in executor
    assert "a" in executor
    executor.feed_chunk("a", [8])
    [output] = executor.step()
    assert output.text == "4 5 7 8"


def test_what_cannot_be_rendered_is_an_error_of_that_session(executor):
    executor.add(request("a", ["x"]))
    executor.add(request("b", [5]))
    failed, partial = executor.step()
    assert failed.error.startswith("rendering: TypeError")
    assert partial.text == "5"


def test_interleaved_sessions_are_as_if_alone(executor):
    rng = random.Random(1)
    inputs = {
        f"r{n}": rng.choices(range(3, 99), k=rng.randrange(30)) for n in range(20)
    }
    expected = {name: " ".join(map(str, ids)) for name, ids in inputs.items()}
    waiting, outputs = {name: list(ids) for name, ids in inputs.items()}, {}
    stable = dict.fromkeys(inputs, "")
    for name in inputs:
        executor.add(request(name))
    while executor.has_unfinished():
        for name in rng.sample(sorted(waiting), min(5, len(waiting))):
            chunk, waiting[name] = waiting[name][:4], waiting[name][4:]
            executor.feed_chunk(name, chunk)
            if not waiting[name]:
                del waiting[name]
                executor.finalize(name)
        for output in executor.step():
            assert output.text.startswith(stable[output.request_id])
            assert output.text.startswith(output.stable_text)
            assert output.stable_text.startswith(stable[output.request_id])
            stable[output.request_id] = output.stable_text
            outputs[output.request_id] = output.text
    assert outputs == expected


def test_an_aborted_session_is_gone(executor):
    executor.add(request("a", [5]))
    assert executor.abort("a")
    assert not executor.abort("a")
    assert executor.step() == []
    with pytest.raises(ValueError, match=r"No open request 'a'; open are \[\]"):
        executor.feed_chunk("a", [6])


def test_a_finalized_session_takes_no_chunks(executor):
    executor.add(request("a", [5]))
    executor.finalize("a")
    executor.finalize("a")
    with pytest.raises(ValueError, match="'a' was finalized"):
        executor.feed_chunk("a", [6])
    with pytest.raises(ValueError, match=r"No open request 'b'; open are \['a'\]"):
        executor.finalize("b")


def test_a_model_that_gives_another_number_of_scores_is_told(executor, model):
    model.scores = lambda inputs: [[5]]
    for name in "ab":
        executor.add(request(name, [4]))
    assert [output.text for output in executor.step()] == ["5", "5"]
    model.scores = lambda inputs: []
    executor.feed_chunk("a", [4])
    [output] = executor.step()
    assert output.error == "model: 1 request(s) need as many results, got 0."


def test_an_interrupted_model_loses_no_chunk(executor, model):
    executor.add(request("a", [5]))
    executor.feed_chunk("a", [6])
    original, model.scores = model.scores, interrupted
    with pytest.raises(KeyboardInterrupt):
        executor.step()
    model.scores = original
    executor.finalize("a")
    assert [output.text for output in executor.step()] == ["5 6"]


def test_a_stream_interrupted_in_a_chunk_ends_with_an_error(executor, monkeypatch):
    executor.add(request("a", [5]))
    executor.add(request("b"))
    with monkeypatch.context() as patched:
        patched.setattr(fakes.EchoStream, "feed", interrupted)
        with pytest.raises(KeyboardInterrupt):
            executor.step()
    executor.feed_chunk("b", [7])
    broken, fine = executor.step()
    assert broken.error.startswith("decoding: InterruptedError: ")
    assert fine.text == "7"
    assert "a" not in executor


def test_a_last_output_is_not_lost_when_a_later_one_is_interrupted(executor):
    for name in "ab":
        executor.add(request(name, [5]))
        executor.finalize(name)
    original = executor._renderer.final
    executor._renderer.final = lambda asked, *args, **kwargs: (
        interrupted() if asked.request_id == "b" else original(asked, *args, **kwargs)
    )
    with pytest.raises(KeyboardInterrupt):
        executor.step()
    executor._renderer.final = original
    assert [output.text for output in executor.step()] == ["5", "5"]


def interrupted(*args):
    raise KeyboardInterrupt


def test_frames_behind_the_last_are_an_error(executor, monkeypatch):
    monkeypatch.setattr(
        fakes.EchoStream,
        "_hypothesis",
        lambda self, ids: base.Hypothesis(tuple(ids), 0.0, (2,) * len(ids)),
    )
    executor.add(request("a", [5]))
    executor.feed_chunk("a", [6])
    [output] = executor.step()
    assert "last emission frame is 2, and there are 2 frames" in output.error


def test_whole_requests_run_beside_open_sessions(executor):
    executor.add(request("open", [5]))
    outputs = executor.run(
        [request("a", [6, 7]), request("b", "model"), request("c", [8])]
    )
    assert [output.text for output in outputs] == ["6 7", "", "8"]
    assert outputs[1].error.startswith("model: ")
    assert [output.text for output in executor.step()] == ["5"]


def test_no_more_whole_requests_go_to_the_model_than_a_batch_has(model):
    config = engine_config.EngineConfig(mode="streaming", max_batch_size=2)
    renderer = rendering.Renderer(detokenize.Detokenizer(), config)
    executor = building.build_executor(
        config, model, fakes.EchoStreamingStrategy(), renderer
    )
    outputs = executor.run([request(f"r{number}", [number + 4]) for number in range(5)])
    assert [output.text for output in outputs] == ["4", "5", "6", "7", "8"]
    assert model.batches == [[[4], [5]], [[6], [7]], [[8]]]


def test_a_session_that_its_model_has_aborted_harms_no_other(executor, model):
    def scores(inputs):
        if executor.abort("b"):
            executor.add(request("d", [7]))
        return list(inputs)

    model.scores = scores
    for name, chunk in (("a", [5]), ("b", [4]), ("c", [6])):
        executor.add(request(name, chunk))
        executor.finalize(name)
    assert [(o.request_id, o.text) for o in executor.step()] == [("a", "5"), ("c", "6")]
    assert "b" not in executor
    assert [(o.request_id, o.text) for o in executor.step()] == [("d", "7")]
