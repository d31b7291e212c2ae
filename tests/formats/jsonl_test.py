"""Tests for jsonl: all of an output, as JSON has it."""

import dataclasses
import json
import math

import pytest

from oasr import engine
from oasr import formats
from oasr.engine import request as requests
from tests import conftest
from tests.formats import transcripts


def written(output):
    line = formats.build_format("jsonl").render(output)
    assert line.endswith("\n")
    assert line.count("\n") == 1
    return line


def test_the_fields_are_those_of_the_output():
    output = transcripts.output(
        (" how", 0.04, 0.08),
        (" 你", 0.08, 0.2),
        tokens=[[3], [4, 5]],
        scores=[-0.25, -1.5],
        nbest_texts=["how 你", "who"],
        finished=True,
        finish_reason="stop",
        confidence=0.5,
        timestamps=[(0.04, 0.2)],
    )
    found = json.loads(written(output))
    assert list(found) == [f.name for f in dataclasses.fields(engine.RequestOutput)]
    assert found["words"] == [
        {"word": "how", "start": 0.04, "end": 0.08, "confidence": 0.5},
        {"word": "你", "start": 0.08, "end": 0.2, "confidence": 0.5},
    ]
    assert found["timestamps"] == [[0.04, 0.2]]
    assert found["tokens"] == [[3], [4, 5]]
    assert found["nbest_texts"] == ["how 你", "who"]


def test_segments_and_the_words_of_each_hypothesis_are_there():
    segment = requests.Segment(text="你 好", start=0.5, end=1.25, tokens=[3, 4])
    words = [
        [requests.WordTiming("你", 0.5, 1.0, 0.25), requests.WordTiming("好", 1, 1.25)],
        [requests.WordTiming("泥", 0.5, 1.25, 0.125)],
    ]
    output = engine.RequestOutput(
        "a",
        text="你 好",
        segments=[segment],
        nbest_words=words,
        language="zh",
        duration=2.5,
    )
    found = json.loads(written(output))
    assert found["segments"] == [
        {
            "text": "你 好",
            "start": 0.5,
            "end": 1.25,
            "tokens": [3, 4],
            "avg_logprob": None,
            "no_speech_prob": None,
            "temperature": None,
            "window_start": 0.0,
        }
    ]
    assert found["nbest_words"] == [
        [
            {"word": "你", "start": 0.5, "end": 1.0, "confidence": 0.25},
            {"word": "好", "start": 1, "end": 1.25, "confidence": None},
        ],
        [{"word": "泥", "start": 0.5, "end": 1.25, "confidence": 0.125}],
    ]
    assert (found["language"], found["duration"]) == ("zh", 2.5)


@pytest.mark.parametrize("seed", range(100 * conftest.SCALE))
@pytest.mark.parametrize("source", ["output", "segments"])
def test_a_reader_reads_all_of_it(source, seed):
    output = getattr(transcripts, f"random_{source}")(seed)
    assert json.loads(written(output)) == dataclasses.asdict(output)


def test_text_is_utf_8_as_it_is():
    assert '"text": "你好 😀 é"' in written(engine.RequestOutput("a", text="你好 😀 é"))


def test_line_breaks_do_not_break_the_line():
    text = 'a\nb\r"c\\\v\f\x1c\x1d\x1e\x85\u2028\u2029d'
    line = written(engine.RequestOutput("a", text=text))
    assert json.loads(line)["text"] == text
    assert line.splitlines() == [line[:-1]]


def test_what_is_no_number_is_null():
    output = transcripts.output(
        ("a", 0.0, math.nan), scores=[-math.inf, -1.0], confidence=math.nan
    )
    line = written(output)
    assert "NaN" not in line
    assert "Infinity" not in line
    found = json.loads(line)
    assert found["scores"] == [None, -1.0]
    assert found["confidence"] is None
    assert found["words"][0]["end"] is None


def test_one_that_failed_says_why():
    found = json.loads(written(engine.RequestOutput.failed("a", "scores: none")))
    assert found["error"] == "scores: none"
    assert found["finish_reason"] == "error"
    assert found["text"] == ""
