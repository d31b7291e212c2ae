"""Tests for verbose_json: the object of OpenAI's transcription service."""

import dataclasses
import json
import math
import zlib

import pytest

from oasr import engine
from oasr import formats
from oasr.engine import request as requests
from tests import conftest
from tests.formats import transcripts

# Of the service's published description.
SEGMENT_FIELDS = [
    "id",
    "seek",
    "start",
    "end",
    "text",
    "tokens",
    "temperature",
    "avg_logprob",
    "compression_ratio",
    "no_speech_prob",
]


def read_back(output, **settings):
    line = formats.build_format("verbose_json", **settings).render(output)
    assert line.endswith("\n")
    assert line.count("\n") == 1
    assert "NaN" not in line
    return json.loads(line)


def test_all_fields_are_there():
    segment = requests.Segment(
        text="Ever tried.",
        start=30.0004,
        end=32.5,
        tokens=[50, 51],
        avg_logprob=-0.25,
        no_speech_prob=0.125,
        temperature=0.2,
        window_start=30.0,
    )
    words = [
        requests.WordTiming("Ever", 30.1, 30.5, 0.75),
        requests.WordTiming("tried.", 30.5, 31.0),
    ]
    output = engine.RequestOutput(
        "a",
        text="Ever tried.",
        segments=[segment],
        words=words,
        language="en",
        duration=61.23456,
    )
    ratio = len(b"Ever tried.") / len(zlib.compress(b"Ever tried."))
    assert read_back(output) == {
        "task": "transcribe",
        "language": "english",
        "duration": 61.235,
        "text": "Ever tried.",
        "segments": [
            {
                "id": 0,
                "seek": 3000,
                "start": 30.0,
                "end": 32.5,
                "text": "Ever tried.",
                "tokens": [50, 51],
                "temperature": 0.2,
                "avg_logprob": -0.25,
                "compression_ratio": ratio,
                "no_speech_prob": 0.125,
            }
        ],
        "words": [
            {"word": "Ever", "start": 30.1, "end": 30.5, "probability": 0.75},
            {"word": "tried.", "start": 30.5, "end": 31.0, "probability": None},
        ],
    }


def test_what_is_not_known_is_null_or_left_out():
    assert read_back(engine.RequestOutput("a", text="hello")) == {
        "task": "transcribe",
        "language": None,
        "duration": None,
        "text": "hello",
        "segments": [],
    }
    found = read_back(transcripts.segmented(("hello", 0, 1)))["segments"][0]
    assert list(found) == SEGMENT_FIELDS
    assert (
        found["temperature"] is found["avg_logprob"] is found["no_speech_prob"] is None
    )


def test_words_are_set_out_as_cues_where_there_are_no_segments():
    found = read_back(transcripts.spoken("Ever tried. No matter.", 0.5))
    assert [(s["id"], s["start"], s["end"], s["text"]) for s in found["segments"]] == [
        (0, 0.0, 1.0, "Ever tried."),
        (1, 1.0, 2.0, "No matter."),
    ]
    assert all(list(segment) == SEGMENT_FIELDS for segment in found["segments"])
    assert [segment["tokens"] for segment in found["segments"]] == [[], []]
    assert [word["word"] for word in found["words"]] == [
        "Ever",
        "tried.",
        "No",
        "matter.",
    ]


def test_the_compression_ratio_is_that_of_the_window():
    parts = [(" no no no no", 0, 5), (" no no no", 5, 9), (" yes", 30, 31)]
    output = transcripts.segmented(*parts)
    last = dataclasses.replace(output.segments[2], window_start=30.0)
    output = dataclasses.replace(output, segments=[*output.segments[:2], last])
    windows = [b"no no no no no no no"] * 2 + [b"yes"]
    assert [one["compression_ratio"] for one in read_back(output)["segments"]] == [
        len(text) / len(zlib.compress(text)) for text in windows
    ]


def test_the_task_is_as_asked():
    output = engine.RequestOutput("a", text="hello")
    assert read_back(output, task="translate")["task"] == "translate"


def test_what_is_no_number_is_null():
    output = transcripts.segmented(("hello", 0, 1))
    odd = dataclasses.replace(output.segments[0], avg_logprob=-math.inf)
    found = read_back(dataclasses.replace(output, segments=[odd]))
    assert found["segments"][0]["avg_logprob"] is None


def test_times_that_are_none_are_refused():
    with pytest.raises(ValueError, match="A time of a transcript is nan"):
        read_back(engine.RequestOutput("a", text="a", duration=math.nan))


@pytest.mark.parametrize("seed", range(100 * conftest.SCALE))
@pytest.mark.parametrize("source", ["output", "segments"])
def test_a_reader_reads_the_text_and_its_parts(source, seed):
    output = getattr(transcripts, f"random_{source}")(seed)
    found = read_back(output)
    assert found["text"] == output.text
    assert [one["id"] for one in found["segments"]] == list(
        range(len(found["segments"]))
    )
    shown = "".join(one["text"] for one in found["segments"])
    assert "".join(shown.split()) == "".join(output.text.split())
    assert all(one["start"] <= one["end"] for one in found["segments"])
    if output.words is not None:
        assert [word["word"] for word in found["words"]] == [
            word.word for word in output.words
        ]
