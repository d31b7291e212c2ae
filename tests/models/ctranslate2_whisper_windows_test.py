"""Tests for ctranslate2_whisper_windows, over a runtime that writes a script.

The reference is faster-whisper's loop over the same runtime.
"""

import itertools
import types

from faster_whisper import transcribe
import numpy as np
import pytest

from oasr.features import audio
from oasr.models import ctranslate2_whisper_settings as settings_of
from oasr.models import ctranslate2_whisper_windows as windows
from oasr.models import searching
from tests import conftest
from tests.models import fake_whisper
from tests.models import our_spectrogram
from tests.models.fake_whisper import at

SECOND = 16_000
SETTINGS = settings_of.Settings()
SUPPRESSED = (1, 2, 3)


def noise(seconds, seed=0):
    generator = np.random.default_rng(seed)
    samples = generator.normal(size=round(seconds * SECOND)) * 0.1
    return audio.of(samples.astype(np.float32))


def asked(**fields):
    defaults = {
        "prompt": (fake_whisper.START,),
        "end_ids": (fake_whisper.END,),
        "suppressed_ids": SUPPRESSED,
        "max_new_tokens": 448,
        "beam_size": 5,
        "max_initial_timestamp": 1.0,
    }
    return searching.Search(**{**defaults, **fields})


def go(script, heard, *, settings=SETTINGS, language=None, **fields):
    """Returns the runtime and the windows."""
    runtime = fake_whisper.FakeWhisper(script, language=language)
    utterance = windows.Utterance(
        runtime, fake_whisper.vocabulary(), settings, heard, asked(**fields)
    )
    return runtime, list(utterance.windows()), utterance


class _Tokens:
    """The vocabulary in faster-whisper's hands."""

    def token_to_id(self, name):
        return fake_whisper.IDS.get(name)

    def decode(self, ids):
        return fake_whisper.vocabulary().text(ids)

    def encode(self, text, add_special_tokens=False):
        del add_special_tokens
        return types.SimpleNamespace(ids=[ord(c) % 26 for c in text])


def reference(script, heard, **options):
    """Returns the runtime and the segments of faster-whisper."""
    model = object.__new__(transcribe.WhisperModel)
    model.logger = transcribe.get_logger()
    model.model = fake_whisper.FakeWhisper(script)
    model.feature_extractor = our_spectrogram.OurSpectrogram()
    model.hf_tokenizer = _Tokens()
    model.input_stride, model.time_precision, model.max_length = 2, 0.02, 448
    model.frames_per_second, model.tokens_per_second = 100, 50
    segments, _ = model.transcribe(
        heard.samples,
        language="en",
        beam_size=5,
        suppress_tokens=list(SUPPRESSED),
        **options,
    )
    return model.model, list(segments)


def is_timed(segment):
    """Whether faster-whisper and we agree on what a segment's times are."""
    times = [i for i in segment.tokens if i >= fake_whisper.ZERO]
    return len(times) > 1 and segment.tokens[0] == times[0] != times[-1]


@pytest.mark.parametrize("seed", range(6 * conftest.SCALE))
@pytest.mark.parametrize("previous", [True, False])
def test_windows_are_those_of_faster_whisper(seed, previous):
    script = fake_whisper.random_script(seed)
    heard = noise(150 + seed * 7.77)
    theirs, segments = reference(script, heard, condition_on_previous_text=previous)
    ours, found, _ = go(
        script,
        heard,
        settings=settings_of.Settings(condition_on_previous_text=previous),
    )
    assert [(c.window, c.prompt, c.temperature) for c in ours.calls] == [
        (c.window, c.prompt, c.temperature) for c in theirs.calls
    ]
    places = [(window, segment) for window in found for segment in window.segments]
    assert len(places) == len(segments)
    for (window, segment), expected in zip(places, segments, strict=True):
        assert window.start == expected.seek
        assert window.temperature == expected.temperature
        assert window.avg_logprob == pytest.approx(expected.avg_logprob)
        assert window.no_speech_prob == expected.no_speech_prob
        text = [i for i in expected.tokens if i < fake_whisper.END]
        assert segment.tokens == len(text)
        if is_timed(expected):
            origin = window.start / 100
            # Where a window is one segment, theirs begins with the window.
            time = origin + (expected.tokens[0] - fake_whisper.ZERO) / 50
            assert origin + segment.start / 50 == pytest.approx(time)
            assert expected.start in (pytest.approx(time), pytest.approx(origin))
            assert origin + segment.end / 50 == pytest.approx(expected.end)
    ids = [i for window in found for i in window.alternatives[0].ids]
    assert ids == [i for s in segments for i in s.tokens if i < fake_whisper.END]


@pytest.mark.parametrize("bands", [80, 128])
def test_every_size_of_model_is_given_the_bands_that_it_wants(bands):
    runtime = fake_whisper.FakeWhisper(lambda call: [at(0), 5, at(1)], n_mels=bands)
    utterance = windows.Utterance(
        runtime, fake_whisper.vocabulary(), SETTINGS, noise(31), asked()
    )
    assert len(list(utterance.windows())) == 2
    assert runtime.shapes == {(1, bands, 3000)}


def test_what_the_runtime_is_asked():
    runtime, _, _ = go(lambda call: [at(0), 5, at(1)], noise(2), max_new_tokens=7)
    [call] = runtime.calls
    assert call.prompt == (fake_whisper.START,)
    assert call.options == {
        "beam_size": 5,
        "num_hypotheses": 1,
        "max_length": 14,
        "max_initial_timestamp_index": 50,
        "suppress_tokens": [1, 2, 3],
        "return_scores": True,
        "return_no_speech_prob": True,
    }
    assert runtime.aligned == [((fake_whisper.START,), 200, 7)]


def test_a_window_begins_where_the_last_phrase_ended():
    scripts = iter([[at(0), 5, at(4), at(4), 6], [at(0), 6, at(3)]])
    _, found, _ = go(lambda call: next(scripts), noise(31))
    assert [(w.start, w.stop) for w in found] == [(0, 400), (400, 3100)]


def test_what_was_said_is_told_to_the_next_window():
    scripts = iter([[at(0), 5, at(4), at(4)], [at(0), 6, at(3)]])
    runtime, _, _ = go(
        lambda call: next(scripts),
        noise(31),
        prompt=(fake_whisper.PREVIOUS, 9, 8, fake_whisper.START),
        context_size=3,
    )
    previous = fake_whisper.PREVIOUS
    assert [call.prompt for call in runtime.calls] == [
        (previous, 9, 8, fake_whisper.START),
        (previous, 9, 8, at(0), 5, at(4), fake_whisper.START),
    ]


def test_only_the_last_223_tokens_are_told():
    words = list(range(300))
    scripts = iter([[at(0), *words, at(4), at(4)], [at(0), 6, at(3)]])
    runtime, _, _ = go(lambda call: next(scripts), noise(31), settings=BELIEVING)
    told = runtime.calls[1].prompt
    assert told == (
        fake_whisper.PREVIOUS,
        *words[300 - 222 :],
        at(4),
        fake_whisper.START,
    )


BELIEVING = settings_of.Settings(
    temperatures=(0.0,),
    compression_ratio_threshold=None,
    log_prob_threshold=None,
    no_speech_threshold=None,
)


def test_silence_is_not_listened_to():
    samples = np.zeros(120 * SECOND, np.float32)
    samples[65 * SECOND] = 1e-4
    runtime, found, _ = go(lambda call: [at(0), 5, at(1)], audio.of(samples))
    assert runtime.encoded == 0
    assert [(w.start, w.stop) for w in found] == [
        (start, start + 3000) for start in range(0, 12_000, 3000)
    ]
    samples[65 * SECOND] = 2e-4
    runtime, found, _ = go(lambda call: [at(0), 5, at(1)], audio.of(samples))
    assert runtime.encoded == 1
    assert [len(w.alternatives[0].ids) for w in found] == [0, 0, 1, 0]


@pytest.mark.parametrize("samples", [0, 1, 159])
def test_audio_shorter_than_a_frame_has_no_windows(samples):
    runtime, found, utterance = go(lambda call: [at(0), 5], noise(samples / SECOND))
    assert (found, runtime.calls, utterance.language) == ([], [], "en")


def test_pairs_at_the_start_end_some_time():
    _, found, _ = go(lambda call: [at(0), at(0), 5], noise(95))
    assert [w.start for w in found] == [0, 3000, 6000, 9000]


def test_other_temperatures_are_tried_and_the_best_is_taken():
    def script(call):
        score = -1.5 if call.temperature == 0.4 else -2.0
        word = round(call.temperature * 10)
        return fake_whisper.Result([[at(0), word, at(1)]], [score * 4 / 3])

    runtime, [window], _ = go(script, noise(1))
    assert [c.temperature for c in runtime.calls] == [0, 0.2, 0.4, 0.6, 0.8, 1.0]
    assert {c.options["num_hypotheses"] for c in runtime.calls[1:]} == {5}
    assert window.alternatives[0].ids == (4,)
    assert window.temperature == 1.0


def test_a_temperature_of_the_request_is_the_only_one():
    def script(call):
        return fake_whisper.Result([[at(0), 5, at(1)]], [-9.0])

    runtime, _, _ = go(script, noise(1), temperature=0.3, top_k=7)
    [call] = runtime.calls
    assert call.options["sampling_temperature"] == 0.3
    assert call.options["sampling_topk"] == 7
    assert (call.options["beam_size"], call.options["num_hypotheses"]) == (1, 1)


@pytest.mark.parametrize("speech", [0.1, 0.9])
def test_what_is_unlikely_and_no_speech_is_silence(speech):
    def script(call):
        return fake_whisper.Result([[at(0), 5, at(1)]], [-2.0], speech)

    runtime, [window], _ = go(script, noise(1))
    assert len(runtime.calls) == (1 if speech > 0.6 else 6)
    assert bool(window.alternatives[0].ids) == (speech < 0.6)


def test_the_language_is_found_once_and_put_behind_the_start():
    runtime, _, utterance = go(
        lambda call: [at(0), 5, at(1)],
        noise(61),
        language="de",
        languages={"en": 70, "de": 71},
        prompt=(fake_whisper.START, 80),
    )
    assert utterance.language == "de"
    prompts = [call.prompt for call in runtime.calls]
    assert all(prompt[-3:] == (fake_whisper.START, 71, 80) for prompt in prompts)
    assert runtime.aligned[0][0] == (fake_whisper.START, 71, 80)


def test_a_language_that_the_vocabulary_lacks_is_said():
    with pytest.raises(ValueError, match=r"one of \['xx', 'en'\]"):
        go(
            lambda call: [at(0), 5, at(1)],
            noise(1),
            language="xx",
            languages={"de": 71},
        )


def test_without_timestamps_windows_follow_each_other():
    runtime, found, _ = go(
        lambda call: [5, 6], noise(61), prompt=(fake_whisper.START, fake_whisper.PLAIN)
    )
    assert [w.start for w in found] == [0, 3000, 6000]
    assert [[(s.start, s.end) for s in w.segments] for w in found] == [
        [(0, 1500)],
        [(0, 1500)],
        [(0, 50)],
    ]
    suppressed = set(runtime.calls[0].options["suppress_tokens"])
    assert {at(0), at(30)} <= suppressed


def test_alternatives_are_of_the_audio_that_is_done():
    def script(call):
        if call.prompt[-1] == fake_whisper.PLAIN:
            texts = [[5], [6], [6], [7, 8]]
            return fake_whisper.Result(texts, [-0.1] * 4)
        return [at(0), 5, at(4), at(4), 9]

    runtime, found, _ = go(script, noise(8), n_best=4)
    # The window, and the first four seconds of it; then the rest, and all of that.
    first, *_ = found
    assert [a.ids for a in first.alternatives] == [(5,), (6,), (7, 8)]
    assert (first.start, first.stop) == (0, 400)
    plain = [c for c in runtime.calls if c.prompt[-1] == fake_whisper.PLAIN]
    timed = [c for c in runtime.calls if c.prompt[-1] != fake_whisper.PLAIN]
    assert plain[0].options["num_hypotheses"] == 4
    assert plain[0].window != timed[0].window
    assert all(frames == 400 for _, frames, _ in itertools.islice(runtime.aligned, 3))
