"""Tests for ctranslate2_whisper: tiny.en on real speech, and through the engine.

The reference is faster-whisper on the same model and the same spectrogram.
"""

import dataclasses
import json
import pathlib
import shutil
import sys

import faster_whisper
import numpy as np
import pytest

from oasr import engine
from oasr import tokenizers
from oasr.features import audio
from oasr.models import base
from oasr.models import ctranslate2_whisper
from oasr.models import searching
from tests.features import clips
from tests.models import our_spectrogram
from tests.models import whisper_model

SECOND = 16_000


@pytest.fixture(scope="module")
def directory():
    return whisper_model.directory()


@pytest.fixture(scope="module")
def asr(directory):
    return engine.ASREngine.from_checkpoint(directory, model=whisper_model.model())


@pytest.fixture(scope="module")
def steady(directory):
    return engine.ASREngine.from_checkpoint(
        directory,
        model=whisper_model.steady_model(),
        decode_options={"max_new_tokens": 448},
    )


@pytest.fixture(autouse=True)
def running():
    yield
    whisper_model.steady_model().resume()
    whisper_model.steady_model().progress = None


def transcribe(asr, heard, **options):
    [output] = asr.transcribe([engine.Request("a", heard, options)])
    assert output.error is None
    return output


@pytest.fixture(scope="module")
def reference(directory):
    model = faster_whisper.WhisperModel(
        str(directory), device="cpu", compute_type="int8", cpu_threads=2
    )
    model.feature_extractor = our_spectrogram.OurSpectrogram()
    return model


def speech():
    """Returns more than a window of speech: the clip five times, with pauses."""
    clip, pause = clips.beckett(), np.zeros(SECOND // 2, np.float32)
    return np.concatenate([clip, pause] * 5)


def test_the_clip_is_what_was_said(asr):
    output = transcribe(asr, audio.read(clips.beckett_path()))
    assert output.text == clips.BECKETT
    assert output.language == "en"
    assert output.duration == pytest.approx(len(clips.beckett()) / SECOND)
    assert 0 < output.confidence < 1
    assert output.finish_reason == "stop"
    assert [s.text for s in output.segments] == [clips.BECKETT]


def test_words_are_those_of_faster_whisper(asr, reference):
    output = transcribe(asr, clips.beckett(), word_timestamps=True)
    segments, _ = reference.transcribe(
        clips.beckett(), language="en", temperature=0, word_timestamps=True
    )
    expected = [word for segment in segments for word in segment.words]
    assert [w.word for w in output.words] == [w.word.strip() for w in expected]
    for word, other in zip(output.words, expected, strict=True):
        # It cuts long words by the median of all; we at half a second.
        assert word.end == pytest.approx(other.end, abs=0.021)
        assert word.start == pytest.approx(other.start, abs=0.25)
    starts = [w.start - o.start for w, o in zip(output.words, expected, strict=True)]
    assert np.median(np.abs(starts)) <= 0.021


def test_long_audio_is_that_of_faster_whisper(directory, steady, reference):
    output = transcribe(steady, speech())
    tokenizer = steady.detokenizer.tokenizer
    suppressed = [*range(tokenizer.eot_id + 1, tokenizer.control_id("<|0.00|>"))]
    segments, _ = reference.transcribe(
        speech(),
        language="en",
        temperature=0,
        suppress_tokens=sorted({*_config(directory)["suppress_ids"], *suppressed}),
    )
    segments = list(segments)
    assert output.text == "".join(s.text for s in segments).strip()
    assert len(output.segments) == len(segments) > 1
    for ours, theirs in zip(output.segments, segments, strict=True):
        assert ours.text == theirs.text.strip()
        assert ours.end == pytest.approx(min(theirs.end, output.duration))
        assert ours.avg_logprob == pytest.approx(theirs.avg_logprob, abs=1e-4)
        assert ours.no_speech_prob == pytest.approx(theirs.no_speech_prob, abs=1e-4)
        assert ours.window_start == pytest.approx(theirs.seek / 100)
    times = [(s.start, s.end) for s in output.segments]
    assert times == sorted(times)
    assert times[-1][1] <= output.duration


def _config(directory):
    return json.loads((directory / "config.json").read_text("utf-8"))


def test_n_best_are_distinct_and_the_transcript_is_the_first(asr):
    one = transcribe(asr, clips.beckett())
    three = transcribe(asr, clips.beckett(), n_best=3, word_timestamps=True)
    assert three.text == three.nbest_texts[0] == one.text
    assert three.tokens[0] == one.tokens[0]
    assert three.scores[0] == pytest.approx(one.scores[0])
    assert len(set(three.nbest_texts)) == 3
    assert three.scores[1] >= three.scores[2]
    assert all(text.startswith("Ever tried") for text in three.nbest_texts)


def test_words_do_not_change_the_text(steady):
    plain = transcribe(steady, speech())
    timed = transcribe(steady, speech(), word_timestamps=True)
    assert timed.text == plain.text
    shown = "".join(word.word for word in timed.words)
    assert shown == "".join(timed.text.split())
    times = [t for word in timed.words for t in (word.start, word.end)]
    assert times == sorted(times)
    assert 0 <= times[0] <= times[-1] <= timed.duration


def test_a_prompt_is_read(asr):
    plain = transcribe(asr, clips.beckett())
    prompted = transcribe(asr, clips.beckett(), prompt="EVER TRIED, EVER FAILED,")
    assert prompted.text.upper() != prompted.text or prompted.text != plain.text
    assert prompted.scores != plain.scores or prompted.text != plain.text


@pytest.mark.parametrize("option", [{"language": "de"}, {"task": "translate"}])
def test_an_english_only_model_refuses_what_it_cannot(asr, option):
    with pytest.raises(ValueError, match="cannot honour"):
        transcribe(asr, clips.beckett(), **option)


@pytest.mark.parametrize(("name", "value"), [("seed", 3), ("top_p", 0.5)])
def test_what_the_runtime_has_no_means_for_is_said(asr, caplog, name, value):
    transcribe(asr, np.zeros(100, np.float32), **{name: value})
    assert f"The option {name} has no effect" in caplog.text


def test_sampled_hypotheses_are_samples(asr):
    output = transcribe(asr, clips.beckett(), temperature=1.0, n_best=3)
    assert 1 <= len(output.nbest_texts) <= 3
    assert output.segments is None or output.segments[0].temperature == 1.0


def test_max_new_tokens_cut_a_window_off(asr):
    output = transcribe(asr, clips.beckett(), max_new_tokens=4)
    assert output.text.startswith("Ever tried")
    assert len(output.tokens[0]) == 3  # Behind the timestamp.


def test_without_timestamps_text_alone_is_written(directory):
    asr = engine.ASREngine.from_checkpoint(
        directory,
        model=whisper_model.model(),
        decode_options={"timestamps": False},
    )
    output = transcribe(asr, clips.beckett(), n_best=3, word_timestamps=True)
    assert output.text.startswith("Ever tried")
    assert len(output.nbest_texts) == 3
    [segment] = output.segments
    assert segment.start == 0
    assert segment.end == pytest.approx(output.duration, abs=0.01)


EMPTY = {
    "no_samples": 0,
    "one_sample": 1,
    "a_frame_less_one": 159,
    "a_minute_of_silence": 60 * SECOND,
    "an_hour_of_silence": 3600 * SECOND,
}


@pytest.mark.parametrize("name", EMPTY)
def test_where_nothing_is_said_nothing_is_written(asr, name):
    heard = np.zeros(EMPTY[name], np.float32)
    output = transcribe(asr, heard, n_best=3, word_timestamps=True)
    assert (output.text, output.words, output.tokens) == ("", [], [[]])
    assert output.duration == pytest.approx(len(heard) / SECOND)


def test_no_dots_are_written_of_faint_noise(asr):
    generator = np.random.default_rng(0)
    heard = (generator.normal(size=40 * SECOND) * 1e-3).astype(np.float32)
    assert "." not in transcribe(asr, heard).text


def test_eight_kilohertz_and_six_channels_are_heard(asr, tmp_path):
    samples = clips.beckett()
    files = {
        "six.wav": clips.encoded(np.stack([samples] * 6, axis=1), SECOND),
        "narrow.wav": clips.encoded(samples[::2], SECOND // 2),
    }
    for name, content in files.items():
        path = tmp_path / name
        path.write_bytes(content)
        output = transcribe(asr, audio.read(path))
        assert output.text.startswith("Ever tried")
        assert output.duration == pytest.approx(len(samples) / SECOND, abs=1e-3)


def test_requests_are_answered_alone(asr):
    outputs = asr.transcribe(
        [
            engine.Request("speech", clips.beckett()),
            engine.Request("ints", np.zeros(10, np.int16)),
            engine.Request("nothing", []),
        ]
    )
    assert outputs[0].text == clips.BECKETT
    assert "float samples [S] at 16 kHz" in outputs[1].error
    assert outputs[2].text == ""


def test_progress_is_told_and_a_search_can_be_stopped(steady):
    model = whisper_model.steady_model()
    told = []
    model.progress = told.append
    whole = transcribe(steady, speech())
    seconds = len(speech()) / SECOND
    assert [one.utterance for one in told] == [0] * len(told)
    assert told[-1].done == told[-1].seconds == pytest.approx(seconds)
    assert [one.done for one in told] == sorted({one.done for one in told})

    model.progress = lambda progress: model.stop()
    part = transcribe(steady, speech())
    assert model.stopped
    assert part.text
    assert whole.text.startswith(part.text)
    assert len(part.text) < len(whole.text)
    assert part.duration == whole.duration
    assert transcribe(steady, clips.beckett()).text == ""
    model.resume()
    model.progress = None
    assert transcribe(steady, clips.beckett()).text == clips.BECKETT


def test_it_is_what_the_family_asks_for():
    base.check_model(whisper_model.model(), searching.LongAudioModel)
    assert isinstance(whisper_model.model(), searching.LongAudioModel)
    assert whisper_model.model().languages == ("en",)
    assert not whisper_model.model().is_multilingual
    assert whisper_model.model().compute_type == "int8_float32"


def copy(directory, folder, *, without=(), **contents):
    """Lays out the model's files, some left out or of another content."""
    for path in pathlib.Path(directory).iterdir():
        if path.name not in without:  # A link may not lead out of a checkpoint.
            shutil.copyfile(path, folder / path.name)
    for name, content in contents.items():
        path = folder / name.replace("_", ".")
        path.write_bytes(content)
    return folder


FAULTS = {
    "no_weights": ({"without": {"model.bin"}}, r"expected the weights .* model\.bin"),
    "no_vocabulary": (
        {"without": {"vocabulary.txt"}},
        r"expected vocabulary\.json or vocabulary\.txt, found neither",
    ),
    "another_vocabulary": ({"vocabulary_txt": b"a\nb\n"}, r"<\|endoftext\|>"),
    "no_start": ({"vocabulary_txt": b"a\n<|endoftext|>\n"}, r"<\|startoftranscript\|>"),
    "torn_weights": ({"model_bin": bytes(100)}, "no Whisper model"),
    "empty_weights": ({"model_bin": b""}, "no Whisper model"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_what_is_no_model_is_refused(directory, tmp_path, fault):
    changes, message = FAULTS[fault]
    folder = tmp_path / "model"
    folder.mkdir()
    copy(directory, folder, **changes)
    with pytest.raises(tokenizers.AssetError, match=message) as error:
        ctranslate2_whisper.CTranslate2Whisper(folder)
    assert str(folder) in str(error.value)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"threads": 0}, "threads must be a number from 1 on"),
        ({"threads": "two"}, "threads must be a number from 1 on"),
        ({"compute_type": "int3"}, "compute_type must be one of"),
    ],
)
def test_what_cannot_be_asked_is_refused(directory, options, message):
    with pytest.raises(ValueError, match=message):
        ctranslate2_whisper.CTranslate2Whisper(directory, **options)


def test_a_missing_library_is_named(directory, monkeypatch):
    monkeypatch.setitem(sys.modules, "ctranslate2", None)
    with pytest.raises(ImportError, match=r"pip install 'oasr-server\[recognizer\]'"):
        ctranslate2_whisper.CTranslate2Whisper(directory)


def test_the_engine_builds_the_model_of_a_checkpoint(directory):
    with engine.ASREngine.from_checkpoint(directory) as asr:
        assert transcribe(asr, clips.beckett()).text == clips.BECKETT


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"temperatures": ()}, "temperatures must be"),
        ({"temperatures": (-1.0,)}, "temperatures must be"),
        ({"best_of": 0}, "best_of must be"),
    ],
)
def test_settings_that_cannot_be_are_refused(settings, message):
    with pytest.raises(ValueError, match=message):
        dataclasses.replace(ctranslate2_whisper.Settings(), **settings)
