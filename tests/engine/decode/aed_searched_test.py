"""Tests for aed_searched: runtimes that own their search."""

import numpy as np
import pytest

from oasr import engine
from oasr import tokenizers
from oasr.engine.decode import token_search
from oasr.models import searching
from tests.engine.decode import small_whisper


@pytest.fixture(scope="module")
def spec(tmp_path_factory):
    return small_whisper.write(tmp_path_factory.mktemp("vocabulary"))


@pytest.fixture(scope="module")
def tokenizer(spec):
    return tokenizers.build_tokenizer(spec)


class Runtime:
    """A runtime that searches by itself, over the same scores."""

    def __init__(self, model, *, spans=True):
        self.model = model
        self.spans = spans
        self.asked = []

    def search(self, inputs, asked):
        self.asked += asked
        return [self._one(*pair) for pair in zip(inputs, asked, strict=True)]

    def _one(self, audio, asked):
        if audio == "bad":
            raise RuntimeError("no memory")
        search = token_search.SampleSearch(
            token_search.Limits(
                end_ids=frozenset(asked.end_ids), max_new_tokens=asked.max_new_tokens
            )
        )
        ids = ()
        while search.live:
            log_probs = self.model.after(audio, asked.prompt, ids).copy()
            log_probs[list(asked.suppressed_ids)] = -np.inf
            search.advance(token_search.normalised(log_probs[None]))
            ids = tuple(search.live[0].ids) if search.live else ids
        (row,) = search.best()
        spans = [(3 * k, 3 * k + 3) for k in range(len(row.ids) + 1)]
        return [
            searching.Found(
                ids=[*row.ids, asked.end_ids[0]],  # As many runtimes give it.
                score=row.score,
                confidences=[*row.confidences, 1.0],
                spans=spans if self.spans and asked.alignments else (),
            )
        ]


def test_a_runtime_that_searches_gives_the_same(spec, tokenizer):
    model = small_whisper.Model(tokenizer)
    runtime = Runtime(model)
    built = small_whisper.build(spec, runtime, language="en", suppress_ids=[5, 6])
    other = small_whisper.build(spec, model, language="en", suppress_ids=[5, 6])
    for audio in range(6):
        output = small_whisper.ask(built, audio)
        wanted = small_whisper.ask(other, audio)
        assert (output.tokens, output.text) == (wanted.tokens, wanted.text)
        np.testing.assert_allclose(output.scores, wanted.scores, rtol=1e-5)
        assert output.confidence == pytest.approx(wanted.confidence, rel=1e-5)
        assert list(runtime.asked[-1].prompt) == model.prompts[-1]


def test_a_runtime_is_asked_what_the_request_asks(spec, tokenizer):
    runtime = Runtime(small_whisper.Model(tokenizer))
    built = small_whisper.build(spec, runtime, beam_size=2)
    small_whisper.ask(
        built,
        language="zh",
        task="translate",
        prompt="before",
        n_best=4,
        max_new_tokens=5,
        temperature=0.5,
        top_k=3,
        top_p=0.7,
        seed=9,
    )
    (asked,) = runtime.asked
    context = tokenizer.encode(" before", split_special_tokens=True)
    names = ("startoftranscript", "zh", "translate", "notimestamps")
    assert list(asked.prompt) == [
        *small_whisper.ids_of(tokenizer, "startofprev"),
        *context,
        *small_whisper.ids_of(tokenizer, *names),
    ]
    assert (asked.n_best, asked.beam_size, asked.max_new_tokens) == (4, 4, 5)
    assert (asked.temperature, asked.top_k, asked.top_p, asked.seed) == (0.5, 3, 0.7, 9)
    assert not asked.alignments


def test_a_runtime_times_words(spec, tokenizer):
    built = small_whisper.build(
        spec, Runtime(small_whisper.Model(tokenizer)), language="en"
    )
    output = small_whisper.ask(built, word_timestamps=True)
    assert output.timestamps[0] == pytest.approx((0, 0.06))
    assert "".join(word.word for word in output.words) == "".join(output.text.split())
    built = small_whisper.build(
        spec, Runtime(small_whisper.Model(tokenizer), spans=False), language="en"
    )
    output = small_whisper.ask(built, word_timestamps=True)
    assert output.error.startswith("rendering: Word timings need the frame of each")


def test_a_request_that_a_runtime_cannot_do_fails_alone(spec, tokenizer):
    built = small_whisper.build(spec, Runtime(small_whisper.Model(tokenizer)))
    outputs = built.transcribe(
        [
            engine.Request("a", 3, {"language": "en"}),
            engine.Request("b", "bad", {"language": "en"}),
            engine.Request("c", 3),
        ]
    )
    assert outputs[0].error is None
    assert outputs[1].error == "decoding: RuntimeError: no memory"
    assert outputs[2].error.startswith("decoding: This model owns its search")


@pytest.mark.parametrize(
    ("found", "error"),
    [
        ({"ids": [1, 2], "confidences": [0.5]}, "has as many confidences, got 1"),
        ({"ids": [1, 2], "spans": [(0, 1)]}, "has as many spans, got 1"),
        ({"ids": [1.5]}, "decoding: TypeError"),
    ],
)
def test_what_a_runtime_gives_is_checked(spec, tokenizer, found, error):
    runtime = Runtime(small_whisper.Model(tokenizer))
    runtime.search = lambda inputs, asked: [
        [searching.Found(score=0.0, **found)] for _ in inputs
    ]
    output = small_whisper.ask(small_whisper.build(spec, runtime, language="en"))
    assert error in output.error


def test_a_runtime_follows_no_timestamp_rules(spec, tokenizer):
    with pytest.raises(ValueError, match="rules at each step"):
        small_whisper.build(
            spec, Runtime(small_whisper.Model(tokenizer)), timestamps=True
        )


def test_a_model_that_does_neither_is_refused(spec):
    with pytest.raises(TypeError, match=r"IncrementalModel.*SearchingModel"):
        small_whisper.build(spec, object(), language="en")


class LongRuntime(Runtime):
    """A runtime that takes audio of any length."""

    ignores = frozenset({"top_p"})

    def frame_count(self, inputs):
        return inputs + 0.5


def test_a_runtime_of_long_audio_follows_timestamps_unless_told_not_to(spec, tokenizer):
    for timestamps, expected in ((None, True), (True, True), (False, False)):
        runtime = LongRuntime(small_whisper.Model(tokenizer))
        built = small_whisper.build(
            spec, runtime, language="en", timestamps=timestamps, suppress_ids=[5]
        )
        small_whisper.ask(built, prompt="before")
        (asked,) = runtime.asked
        names = ["startoftranscript", "en", "transcribe"]
        names += [] if expected else ["notimestamps"]
        start = small_whisper.ids_of(tokenizer, *names)
        context = tokenizer.encode(" before", split_special_tokens=True)
        assert asked.context_size == 1 + len(context)
        assert list(asked.prompt[asked.context_size :]) == start
        assert asked.max_initial_timestamp == 1.0
        first = tokenizer.control_id("<|0.00|>")
        assert (first in asked.suppressed_ids) == (not expected)
        assert 5 in asked.suppressed_ids


def test_a_runtime_of_long_audio_finds_the_language(spec, tokenizer):
    runtime = LongRuntime(small_whisper.Model(tokenizer))
    built = small_whisper.build(spec, runtime)
    small_whisper.ask(built)
    small_whisper.ask(built, language="zh")
    free, given = runtime.asked
    start = small_whisper.ids_of(tokenizer, "startoftranscript", "transcribe")
    assert list(free.prompt) == start
    assert free.languages["zh"] == tokenizer.control_id("<|zh|>")
    assert tokenizer.control_id("<|zh|>") in given.prompt
    assert not given.languages


def test_a_runtime_of_long_audio_says_how_long_it_is(spec, tokenizer):
    runtime = LongRuntime(small_whisper.Model(tokenizer))
    output = small_whisper.ask(small_whisper.build(spec, runtime, language="en"), 100)
    assert output.duration == pytest.approx(100.5 * 0.02)
    assert output.language == "en"


def test_what_a_runtime_ignores_is_said(spec, tokenizer, caplog):
    runtime = LongRuntime(small_whisper.Model(tokenizer))
    built = small_whisper.build(spec, runtime, language="en")
    small_whisper.ask(built, top_p=0.5, temperature=0.5)
    assert "The option top_p has no effect" in caplog.text
