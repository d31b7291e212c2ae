"""Tests for vtt, which webvtt-py reads back."""

import html
import re

import pytest
import webvtt

from oasr import engine
from oasr import formats
from oasr.formats import cues
from tests import conftest
from tests.formats import transcripts


def written(output):
    writer = formats.build_format("vtt")
    return writer.header() + writer.render(output)


def milliseconds(clock):
    hours, minutes, seconds, rest = map(int, re.split("[:.]", clock))
    return ((hours * 60 + minutes) * 60 + seconds) * 1000 + rest


def read_back(output):
    """Returns what webvtt-py reads: times in milliseconds, and lines."""
    found = webvtt.from_string(written(output))
    return [
        (
            milliseconds(caption.start),
            milliseconds(caption.end),
            # The reader keeps the escapes that HTML and WebVTT share.
            [html.unescape(line) for line in caption.raw_text.split("\n")],
        )
        for caption in found
    ]


def shown(output):
    return [(cue.start, cue.end, list(cue.lines)) for cue in cues.from_output(output)]


def test_the_form_is_that_of_the_format():
    output = transcripts.output((" ever", 3661.0014, 3661.5), (" tried", 3663, 3664))
    assert written(output) == (
        "WEBVTT\n\n01:01:01.001 --> 01:01:01.834\never\n\n"
        "01:01:03.000 --> 01:01:04.000\ntried\n\n"
    )


def test_no_words_are_a_header():
    assert written(transcripts.output()) == "WEBVTT\n\n"
    assert read_back(transcripts.output()) == []


@pytest.mark.parametrize("seed", range(200 * conftest.SCALE))
@pytest.mark.parametrize("source", ["output", "segments"])
def test_a_reader_reads_what_was_shown(source, seed):
    output = getattr(transcripts, f"random_{source}")(seed)
    assert read_back(output) == shown(output)


@pytest.mark.parametrize(
    ("word", "line"),
    [
        ("<b>", "&lt;b&gt;"),
        ("-->", "--&gt;"),
        ("&amp;", "&amp;amp;"),
        ("R&B", "R&amp;B"),
        ('"Go!"', '"Go!"'),
        ("你好", "你好"),
    ],
)
def test_what_looks_like_a_tag_is_escaped(word, line):
    output = transcripts.output((word, 0, 1))
    assert written(output).split("\n")[3] == line
    assert read_back(output) == [(0, 1000, [word])]


def test_words_or_segments_are_needed():
    with pytest.raises(ValueError, match="has no words"):
        written(engine.RequestOutput("a", text="hello"))


def test_where_nothing_is_said_nothing_is_needed():
    assert written(engine.RequestOutput("a", text="")) == "WEBVTT\n\n"
