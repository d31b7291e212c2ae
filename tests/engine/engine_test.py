"""Tests for engine: a deployment from scores to transcripts."""

import dataclasses
import itertools
import json
import math

import numpy as np
import pytest

from oasr import engine
from oasr import tokenizers
from oasr.engine.decode import registry
from tests.engine import invariants
from tests.engine.executor import fakes

TABLE = "<blank> 0\n▁hi 1\n▁yo 2\nu 3\n𠀀 4\n"


@pytest.fixture
def config(tmp_path):
    path = tmp_path / "units.txt"
    path.write_text(TABLE, encoding="utf-8")
    spec = tokenizers.TokenizerSpec(
        "symbol_table", {"table": str(path)}, {"special_ids": [0]}
    )

    def make(**fields):
        settings = {"tokenizer": spec, "seconds_per_frame": 0.04, "scores": "probs"}
        return engine.EngineConfig(**{**settings, **fields})

    return make


def probs(path, labels=5):
    """Returns probabilities in which `path` is likely."""
    found = np.full((len(path), labels), 0.1 / (labels - 1))
    found[np.arange(len(path)), path] = 0.9
    return found


def texts(outputs):
    return [(output.request_id, output.text, output.error) for output in outputs]


def test_scores_become_text(config):
    requests = [
        engine.Request("a", probs([1, 1, 0, 2, 3])),
        engine.Request("b", probs([])),
        engine.Request("c", probs([4])),
    ]
    with invariants.CheckedEngine(config()) as asr:
        outputs = asr.transcribe(requests)
    assert texts(outputs) == [("a", "hi you", None), ("b", "", None), ("c", "𠀀", None)]
    assert outputs[0].tokens == [[1, 2, 3]]
    assert outputs[0].timestamps == [
        pytest.approx((0, 0.04)),
        pytest.approx((0.04, 0.16)),
        pytest.approx((0.16, 0.2)),
    ]
    assert outputs[0].confidence == pytest.approx(0.9)
    assert outputs[0].nbest_texts is None


@pytest.mark.parametrize("mode", ["offline", "streaming"])
def test_confidences_are_posteriors_case_116(config, mode):
    scores = np.empty((2, 5))
    for frame, log_prob in enumerate((-0.1, -0.2)):
        scores[frame] = math.log((1 - math.exp(log_prob)) / 4)
        scores[frame, 1 + frame] = log_prob
    with invariants.CheckedEngine(config(mode=mode, scores="log_probs")) as asr:
        asked = {"word_timestamps": True}
        [output] = asr.transcribe([engine.Request("a", scores, asked)])
    assert output.confidence == pytest.approx(0.861784)
    assert 0 <= min(word.confidence for word in output.words)


def test_n_best_and_words_are_given_when_asked(config):
    asked = {"n_best": 4, "word_timestamps": True}
    with invariants.CheckedEngine(config()) as asr:
        (output,) = asr.transcribe([engine.Request("a", probs([1, 2, 3]), asked)])
    assert len(output.tokens) == len(output.nbest_texts) == len(output.scores) == 4
    assert output.nbest_texts[0] == output.text == "hi you"
    assert len({tuple(row) for row in output.tokens}) == 4
    assert output.scores == sorted(output.scores, reverse=True)
    assert [word.word for word in output.words] == ["hi", "you"]


def test_recordings_are_read_by_name(config, tmp_path):
    np.savez(tmp_path / "scores.npz", x=probs([1]), y=probs([2, 3]))
    (tmp_path / "scores.json").write_text(json.dumps(probs([4]).tolist()))
    names = ["scores.npz:x", "scores.npz:y", "scores.json", "absent.npy"]
    requests = [engine.Request(name, str(tmp_path / name)) for name in names]
    with invariants.CheckedEngine(config()) as asr:
        outputs = asr.transcribe(requests)
    assert [output.text for output in outputs] == ["hi", "you", "𠀀", ""]
    assert outputs[3].error == f"model: {tmp_path / 'absent.npy'}: no such file."


def test_a_request_with_bad_scores_fails_alone(config):
    requests = [
        engine.Request("a", probs([1])),
        engine.Request("logits", probs([1]) * 7),
        engine.Request("flat", probs([1])[0]),
        engine.Request("nan", probs([1, 2]) * [[1], [np.nan]]),
        engine.Request("b", probs([2, 3])),
    ]
    with invariants.CheckedEngine(config()) as asr:
        outputs = asr.transcribe(requests)
    assert [output.text for output in outputs] == ["hi", "", "", "", "you"]
    errors = {o.request_id: o.error for o in outputs if o.finish_reason == "error"}
    assert errors == {
        "logits": "scores: Row 0 of the scores sums to 7, not to 1 within 0.001, as"
        " probs: these look like logits; set scores='logits'.",
        "flat": "scores: Scores must have 2 dimensions, [T, V]; got shape (5,).",
        "nan": "scores: Scores must be finite or -inf: row 1, column 0 is nan.",
    }


@pytest.mark.parametrize("max_batch_size", [1, 2, 3, 100])
def test_batches_do_not_show(config, max_batch_size):
    model = fakes.EchoModel()
    made = config(max_batch_size=max_batch_size)
    paths = [[1], [2, 3], [4], [1, 0, 1], []]
    with invariants.CheckedEngine(made, model) as asr:
        outputs = asr.transcribe(
            engine.Request(str(k), probs(path)) for k, path in enumerate(paths)
        )
    assert [output.text for output in outputs] == ["hi", "you", "𠀀", "hi hi", ""]
    assert max(map(len, model.batches)) == min(max_batch_size, len(paths))


def test_the_queue_is_worked_off_by_steps(config):
    with invariants.CheckedEngine(config(max_batch_size=2)) as asr:
        assert not asr.has_unfinished_requests()
        assert asr.step() == []
        for name, path in (("a", [1]), ("b", [2]), ("c", [4])):
            asr.add_request(engine.Request(name, probs(path)))
        assert asr.has_unfinished_requests()
        assert [o.text for o in asr.transcribe([engine.Request("d", probs([3]))])] == [
            "u"
        ]
        assert [o.request_id for o in asr.step()] == ["a", "b"]
        assert [o.request_id for o in asr.step()] == ["c"]
        assert not asr.has_unfinished_requests()


def test_an_aborted_request_is_not_run(config):
    with invariants.CheckedEngine(config()) as asr:
        asr.add_request(engine.Request("a", probs([1])))
        asr.add_request(engine.Request("b", probs([2])))
        assert asr.abort_request("a")
        assert not asr.abort_request("a")
        assert not asr.abort_request("never")
        assert [o.request_id for o in asr.step()] == ["b"]


def test_ids_of_unfinished_requests_are_unique(config):
    message = (
        r"^Request id 'a' is taken by an unfinished request; ids must be unique\.$"
    )
    one = engine.Request("a", probs([1]))
    with invariants.CheckedEngine(config()) as asr:
        asr.add_request(one)
        for call in (
            lambda: asr.add_request(one),
            lambda: asr.transcribe([one]),
            lambda: asr.transcribe([engine.Request("b", probs([1]))] * 2),
        ):
            with pytest.raises(ValueError, match=message.replace("'a'", "'[ab]'")):
                call()
        asr.step()
        assert texts(asr.transcribe([one])) == [("a", "hi", None)]


@pytest.mark.parametrize(
    ("options", "fields", "message"),
    [
        (
            {"task": "translate"},
            {},
            "asks for task='translate', which the family 'ctc'",
        ),
        ({"language": "de"}, {}, "asks for language='de', which the family 'ctc'"),
        ({"prompt": "x"}, {}, "asks for prompt='x', which the family 'ctc'"),
        (
            {"word_timestamps": True},
            {"seconds_per_frame": None},
            "asks for word_timestamps=True, which needs EngineConfig.seconds_per_frame",
        ),
    ],
)
def test_what_cannot_be_honoured_is_refused_before_anything_runs(
    config, options, fields, message
):
    model = fakes.EchoModel()
    requests = [
        engine.Request("a", probs([1])),
        engine.Request("b", probs([1]), options),
    ]
    with invariants.CheckedEngine(config(**fields), model) as asr:
        with pytest.raises(ValueError, match=f"^Request 'b' {message}"):
            asr.transcribe(requests)
        with pytest.raises(ValueError, match=f"^Request 'b' {message}"):
            asr.add_request(requests[1])
        assert not asr.has_unfinished_requests()
    assert model.batches == []


def test_a_closed_engine_takes_no_requests(config):
    asr = invariants.CheckedEngine(config())
    asr.add_request(engine.Request("a", probs([1])))
    asr.close()
    asr.close()
    assert not asr.has_unfinished_requests()
    for call in (
        asr.step,
        lambda: asr.transcribe([engine.Request("b", probs([1]))]),
        lambda: asr.add_request(engine.Request("c", probs([1]))),
        lambda: asr.transcribe([]),
        asr.__enter__,
    ):
        with pytest.raises(ValueError, match="This engine is closed"):
            call()


def test_legacy_paths_count_without_a_spec(config, tmp_path):
    legacy = {"unit_table": tmp_path / "units.txt", "sentencepiece_model": "no.model"}
    with invariants.CheckedEngine(config(tokenizer=None, **legacy)) as asr:
        # The ids 1 and 2 are special to the historical reader.
        assert asr.transcribe([engine.Request("a", probs([1, 3]))])[0].text == "u"
    with invariants.CheckedEngine(config(**{**legacy, "unit_table": "absent"})) as asr:
        assert asr.transcribe([engine.Request("a", probs([1, 3]))])[0].text == "hiu"


def test_without_a_tokenizer_ids_are_text(config):
    with invariants.CheckedEngine(config(tokenizer=None)) as asr:
        assert asr.detokenizer.tokenizer is None
        (output,) = asr.transcribe([engine.Request("a", probs([3, 4]))])
    assert output.text == "3 4"


def test_a_wide_head_is_allowed_and_a_blank_outside_it_is_not(config):
    with invariants.CheckedEngine(config()) as asr:
        (output,) = asr.transcribe([engine.Request("a", probs([1, 7], labels=8))])
    assert (output.text, output.tokens) == ("hi", [[1, 7]])
    with invariants.CheckedEngine(config(blank_id=8)) as asr:
        (output,) = asr.transcribe([engine.Request("a", probs([1], labels=8))])
    assert output.error.startswith("scores: blank_id 8 is outside the 8 labels")


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"family": "ctx"}, "Unknown decode family 'ctx'"),
        (
            {"mode": "streaming", "family": "echo"},
            r"Family 'echo' decodes in the modes \['offline'\], not in 'streaming'",
        ),
        ({"decode_options": {"beam": 3}}, "'beam' is unknown; valid are"),
    ],
)
def test_a_deployment_that_cannot_be_is_refused(config, fields, message, monkeypatch):
    monkeypatch.setattr(registry, "_registered_families", {})
    registry.register_decode_strategy("echo", lambda setup: fakes.EchoStrategy())
    with pytest.raises(ValueError, match=message):
        invariants.CheckedEngine(config(**fields))


def test_a_stream_grows_by_chunks_and_ends_as_the_whole(config):
    path = [1, 1, 0, 2, 3, 3, 0, 4]
    with invariants.CheckedEngine(config()) as asr:
        (whole,) = asr.transcribe([engine.Request("a", probs(path))])
    with invariants.CheckedEngine(config(mode="streaming")) as asr:
        asr.add_request(engine.Request("a", None))
        partials = []
        for start in range(0, len(path), 3):
            asr.feed_chunk("a", probs(path[start : start + 3]))
            partials += asr.step()
        asr.finalize("a")
        (last,) = asr.step()
        assert not asr.has_unfinished_requests()
    assert [partial.text for partial in partials] == ["hi", "hi you", "hi you𠀀"]
    for partial, later in itertools.pairwise([*partials, last]):
        assert not partial.finished
        assert later.text.startswith(partial.stable_text)
    assert dataclasses.replace(last, stable_text=None) == whole


@pytest.mark.parametrize(
    "call", [lambda asr: asr.feed_chunk("a", []), lambda asr: asr.finalize("a")]
)
def test_chunks_need_a_streaming_deployment(config, call):
    with invariants.CheckedEngine(config()) as asr:
        with pytest.raises(
            ValueError, match=r"EngineConfig\.mode='streaming'; this one"
        ):
            call(asr)
        asr.close()
        with pytest.raises(ValueError, match="This engine is closed"):
            call(asr)


@pytest.mark.parametrize("given", [None, {}, "ctc", engine.EngineConfig])
def test_what_is_no_config_is_refused(given):
    with pytest.raises(
        TypeError, match=r"^Expected an oasr\.engine\.EngineConfig, got"
    ):
        invariants.CheckedEngine(given)


class Attribute:
    """Has `scores`, which cannot be called."""

    scores = ()


@pytest.mark.parametrize("model", [object(), "x.npz", fakes.EchoModel, Attribute(), 0])
def test_what_is_no_model_is_refused_at_once(config, model):
    with pytest.raises(TypeError, match=r"^A model is an object with scores\(inputs\)"):
        invariants.CheckedEngine(config(), model)


class SaysStreaming(fakes.EchoStrategy):
    """Says that it runs in streaming mode, and has no streams."""

    modes = frozenset({"offline", "streaming"})


def test_a_family_that_has_no_streams_is_refused_when_they_are_asked(
    config, monkeypatch
):
    monkeypatch.setattr(registry, "_registered_families", {})
    registry.register_decode_strategy("says", lambda setup: SaysStreaming())
    with invariants.CheckedEngine(config(family="says"), fakes.EchoModel()) as asr:
        assert asr.transcribe([engine.Request("a", [1])])[0].text == "hi"
    with pytest.raises(TypeError, match=r"family 'says' says .* no StreamingStrategy"):
        invariants.CheckedEngine(config(family="says", mode="streaming"))


def test_a_third_partys_family_is_driven_alike(config, monkeypatch):
    monkeypatch.setattr(registry, "_registered_families", {})
    registry.register_decode_strategy("echo", lambda setup: fakes.EchoStrategy())
    with invariants.CheckedEngine(config(family="echo"), fakes.EchoModel()) as asr:
        outputs = asr.transcribe(
            [engine.Request("a", [1, 3]), engine.Request("b", "decoding")]
        )
    assert texts(outputs) == [
        ("a", "hiu", None),
        ("b", "", "decoding: IndexError: out of range"),
    ]
