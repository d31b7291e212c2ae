"""Tests for tsv, which csv reads back."""

import csv
import io

import pytest

from oasr import engine
from oasr import formats
from tests import conftest
from tests.formats import transcripts


def written(output):
    writer = formats.build_format("tsv")
    return writer.header() + writer.render(output)


def read_back(output):
    """Returns what csv reads: times in milliseconds, and text."""
    lines = io.StringIO(written(output), newline="")
    rows = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE, strict=True)
    return [(int(row["start"]), int(row["end"]), row["text"]) for row in rows]


def test_the_form_is_that_of_whisper():
    parts = [(" Ever tried.", 0.0, 2.0004), (" Ever failed.", 2.0, 3661.0016)]
    assert written(transcripts.segmented(*parts)) == (
        "start\tend\ttext\n0\t2000\tEver tried.\n2000\t3661002\tEver failed.\n"
    )


def test_words_are_set_out_as_cues_where_there_are_no_segments():
    # What is never shown needs no time to be read: the words' times stay.
    assert read_back(transcripts.spoken("Ever tried. No matter.", 0.5)) == [
        (0, 1000, "Ever tried."),
        (1000, 2000, "No matter."),
    ]
    assert read_back(transcripts.output(("你", 0, 0.1), ("好", 0.1, 0.2))) == [
        (0, 200, "你好")
    ]


def test_segments_are_taken_before_words():
    words = transcripts.spoken("Ever tried. No matter.", 0.5).words
    both = transcripts.segmented(("Ever tried. No matter.", 0, 2), words=words)
    assert read_back(both) == [(0, 2000, "Ever tried. No matter.")]


@pytest.mark.parametrize("text", ['"Go!"', '"', "a,b", "-->", "<b>&amp;", "שלום", "😀"])
def test_text_is_as_it_is(text):
    assert read_back(transcripts.segmented((text, 0, 1))) == [(0, 1000, text)]


def test_tabs_and_line_breaks_are_blanks():
    text = "a\tb\nc\r\n\r\nd\u2028e"
    assert read_back(transcripts.segmented((text, 0, 1)))[0][2] == "a b c    d e"


@pytest.mark.parametrize("seed", range(200 * conftest.SCALE))
def test_a_reader_reads_the_segments(seed):
    output = transcripts.random_segments(seed)
    found = read_back(output)
    assert [(start, end) for start, end, _ in found] == [
        (round(one.start * 1000), round(one.end * 1000)) for one in output.segments
    ]
    assert " ".join(text for _, _, text in found).split() == [
        word for one in output.segments for word in one.text.split()
    ]


@pytest.mark.parametrize("seed", range(200 * conftest.SCALE))
def test_a_reader_reads_the_words(seed):
    output = transcripts.random_output(seed)
    found = read_back(output)
    edges = [edge for start, end, _ in found for edge in (start, end)]
    if output.words:
        first, last = output.words[0], output.words[-1]
        assert (edges[0], edges[-1]) == (
            round(first.start * 1000),
            round(last.end * 1000),
        )
    shown = " ".join(text for _, _, text in found)
    assert "".join(shown.split()) == "".join(output.text.split())


def test_nothing_said_is_a_header():
    for output in (transcripts.output(), transcripts.segmented()):
        assert written(output) == "start\tend\ttext\n"


def test_words_or_segments_are_needed():
    with pytest.raises(ValueError, match="has no words"):
        written(engine.RequestOutput("a", text="hello"))


def test_where_nothing_is_said_nothing_is_needed():
    assert written(engine.RequestOutput("a", text="")) == "start\tend\ttext\n"
