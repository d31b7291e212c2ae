"""Tests for jsonl: all of an output, as JSON has it."""

import dataclasses
import json
import math

from oasr import engine
from oasr import formats
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


def test_text_is_utf_8_as_it_is():
    assert '"text": "你好 😀 é"' in written(engine.RequestOutput("a", text="你好 😀 é"))


def test_line_breaks_do_not_break_the_line():
    text = 'a\nb\r"c\\'
    assert json.loads(written(engine.RequestOutput("a", text=text)))["text"] == text


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
