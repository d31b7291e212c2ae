"""Tests for srt, which pysubs2 reads back."""

import pysubs2
import pytest

from oasr import engine
from oasr import formats
from oasr.formats import cues
from tests import conftest
from tests.formats import transcripts

JOINER = "\u2060"


def written(output):
    writer = formats.build_format("srt")
    return writer.header() + writer.render(output)


def read_back(output):
    """Returns what pysubs2 reads: times in milliseconds, and lines."""
    found = pysubs2.SSAFile.from_string(written(output), format_="srt")
    return [
        (
            event.start,
            event.end,
            [line.replace(JOINER, "") for line in event.text.split("\\N")],
        )
        for event in found
    ]


def shown(output):
    return [(cue.start, cue.end, list(cue.lines)) for cue in cues.from_output(output)]


def test_the_form_is_that_of_the_format():
    output = transcripts.output((" ever", 3661.0014, 3661.5), (" tried", 3663, 3664))
    assert written(output) == (
        "1\n01:01:01,001 --> 01:01:01,834\never\n\n"
        "2\n01:01:03,000 --> 01:01:04,000\ntried\n\n"
    )


def test_no_words_are_an_empty_file():
    assert written(transcripts.output()) == ""


@pytest.mark.parametrize("seed", range(200 * conftest.SCALE))
@pytest.mark.parametrize("source", ["output", "segments"])
def test_a_reader_reads_what_was_shown(source, seed):
    output = getattr(transcripts, f"random_{source}")(seed)
    assert read_back(output) == shown(output)


@pytest.mark.parametrize(
    ("word", "line"),
    [
        ("<b>", f"<{JOINER}b>"),
        ("</i>x", f"<{JOINER}/i>x"),
        ("{\\an8}", f"{{{JOINER}\\an8}}"),
        ("a\\Nb", f"a\\{JOINER}Nb"),
        ("-->", f"--{JOINER}>"),
        ("a<3", "a<3"),
        ("&amp;", "&amp;"),
        ("C:\\x", "C:\\x"),
        ("{a}", "{a}"),
        ("0:00:01,5", f"0:00:01{JOINER},5"),
        ("12:30.5", "12:30.5"),
    ],
)
def test_what_looks_like_a_tag_is_text(word, line):
    output = transcripts.output((word, 0, 1))
    assert written(output).split("\n")[2] == line
    assert read_back(output) == [(0, 1000, [word])]


def test_two_times_in_a_text_are_no_cue():
    output = transcripts.spoken("from 00:00:01,000 --> 00:00:02,000 on", 0.4)
    assert read_back(output) == shown(output)


@pytest.mark.parametrize("text", ["1984", "see you in 1984", "2", "00:00"])
def test_numbers_are_text(text):
    output = transcripts.spoken(text, 1.2)
    assert read_back(output) == shown(output)


def test_a_number_is_text_where_that_of_the_next_cue_could_be():
    last = transcripts.output((" " + "x" * 42, 0, 1), (" 1984", 1, 2))
    assert read_back(last) == [(0, 2000, ["x" * 42, "1984"])]


def test_segments_are_shown_where_there_are_no_words():
    parts = [(" Ever tried. Ever failed.", 0.5, 2.5), (" No matter", 3.0, 5.0)]
    assert written(transcripts.segmented(*parts)) == (
        # 10 of the 21 characters are those of the first sentence, so of 2 s 0.952.
        "1\n00:00:00,500 --> 00:00:01,368\nEver tried.\n\n"
        "2\n00:00:01,452 --> 00:00:02,500\nEver failed.\n\n"
        "3\n00:00:03,000 --> 00:00:05,000\nNo matter\n\n"
    )


def test_words_or_segments_are_needed():
    with pytest.raises(ValueError, match="has no words"):
        written(engine.RequestOutput("a", text="hello"))


def test_where_nothing_is_said_nothing_is_needed():
    assert written(engine.RequestOutput("a", text="")) == ""
