"""Real recordings, beside faster-whisper on the same model.

The folder is `OASR_FIELD_DATA`, with the recordings in `audio`.
"""

import os
import pathlib
import re

import faster_whisper
import pytest

from oasr import engine
from oasr.features import audio
from tests.models import whisper_model

_FOLDER = os.environ.get("OASR_FIELD_DATA", "")
pytestmark = pytest.mark.skipif(
    not _FOLDER, reason="OASR_FIELD_DATA names no folder of recordings"
)
_ENGLISH = ("libri_0", "libri_1", "libri_8k")
_OTHERS = ("aishell_BAC009S0724W0121", "zhen_0", "zhen_1", "zhen_2", "zhen_3")


def read(name):
    path = pathlib.Path(_FOLDER, "audio", f"{name}.flac")
    if not path.exists():
        pytest.skip(f"the field data has no audio/{name}.flac")
    return audio.read(path)


def said(name):
    """Returns the words of a recording, as its publisher wrote them."""
    path = pathlib.Path(_FOLDER, "audio", "libri_trans.txt")
    for line in path.read_text(encoding="utf-8").splitlines():
        file, _, text = line.partition(" ")
        if file == f"{name.removeprefix('libri_')}.wav":
            return words(text)
    raise AssertionError(f"libri_trans.txt has no {name}")


def words(text):
    return re.findall(r"[a-z']+", text.lower())


def distance(hypothesis, reference):
    """Returns the edit distance of two lists of words, by its definition."""
    row = list(range(len(reference) + 1))
    for i, word in enumerate(hypothesis, start=1):
        before, row[0] = row[0], i
        for j, other in enumerate(reference, start=1):
            best = min(row[j] + 1, row[j - 1] + 1, before + (word != other))
            before, row[j] = row[j], best
    return row[-1]


@pytest.fixture(scope="module")
def asr():
    directory = whisper_model.directory()
    return engine.ASREngine.from_checkpoint(directory, model=whisper_model.model())


@pytest.fixture(scope="module")
def reference():
    return faster_whisper.WhisperModel(
        str(whisper_model.directory()),
        device="cpu",
        compute_type="int8",
        cpu_threads=2,
    )


def transcribe(asr, heard, **options):
    [output] = asr.transcribe([engine.Request("a", heard, options)])
    assert output.error is None
    return output


def test_no_more_words_are_wrong_than_of_faster_whisper(asr, reference):
    ours, theirs = 0, 0
    for name in _ENGLISH:
        heard, expected = read(name), said(name)
        output = transcribe(asr, heard, word_timestamps=True)
        segments, _ = reference.transcribe(heard.samples, word_timestamps=True)
        ours += distance(words(output.text), expected)
        theirs += distance(words("".join(s.text for s in segments)), expected)
    assert ours <= theirs


@pytest.mark.parametrize("name", [*_ENGLISH, *_OTHERS])
def test_every_recording_has_a_transcript(asr, name):
    heard = read(name)
    output = transcribe(asr, heard, n_best=3, word_timestamps=True)
    assert output.duration == pytest.approx(heard.seconds)
    assert output.nbest_texts[0] == output.text
    assert len(set(output.nbest_texts)) == len(output.nbest_texts) <= 3
    shown = "".join(word.word for word in output.words)
    assert shown == "".join(output.text.split())
    times = [t for word in output.words for t in (word.start, word.end)]
    assert times == sorted(times)
    assert all(0 <= time <= heard.seconds for time in times)
    place = 0
    for segment in output.segments or []:
        place = output.text.index(segment.text, place) + len(segment.text)
        assert 0 <= segment.start < segment.end <= heard.seconds
