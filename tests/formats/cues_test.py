"""Tests for cues: what is shown when, and how it is broken into lines."""

import itertools
import unicodedata

import pytest

from oasr.formats import cues
from oasr.formats import lines
from tests import conftest
from tests.formats import transcripts

SEEDS = range(300 * conftest.SCALE)


def texts(output):
    return [list(cue.lines) for cue in cues.from_output(output)]


def test_no_words_are_no_cues():
    assert cues.from_output(transcripts.output()) == []


def test_a_short_text_is_one_line():
    (cue,) = cues.from_output(transcripts.spoken("ever tried", 0.5))
    assert cue == cues.Cue(0, 1000, ("ever tried",))


def test_two_lines_part_at_the_end_of_a_phrase():
    text = "i have set my mind upon it, no doubt i shall some day achieve"
    assert texts(transcripts.spoken(text)) == [
        ["i have set my mind upon it,", "no doubt i shall some day achieve"]
    ]


def test_two_lines_are_of_about_the_same_width_else():
    text = "what i have set my mind upon i shall some day achieve"
    assert texts(transcripts.spoken(text)) == [
        ["what i have set my mind upon", "i shall some day achieve"]
    ]


def test_words_of_no_width_do_not_fill_a_line_without_end():
    words = [("\u200b", k / 1000, k / 1000) for k in range(2000)]
    found = [line for cue in texts(transcripts.output(*words)) for line in cue]
    assert "".join(found) == "\u200b" * 2000
    assert max(map(len, found)) == lines.MAX_CELLS


def test_a_cue_ends_with_its_last_phrase_when_it_is_full():
    text = "one two three four five six seven eight nine ten eleven twelve, one two"
    text += " three four five six seven eight"
    assert texts(transcripts.spoken(text, 0.1)) == [
        ["one two three four five six seven", "eight nine ten eleven twelve,"],
        ["one two three four five six seven eight"],
    ]


def test_a_cue_ends_with_a_sentence():
    assert texts(transcripts.spoken("Ever tried. Ever failed.", 0.5)) == [
        ["Ever tried."],
        ["Ever failed."],
    ]


def test_a_sentence_too_short_to_read_does_not_end_a_cue():
    assert texts(transcripts.spoken("Yes. No. I do not know.", 0.2)) == [
        ["Yes. No. I do not know."]
    ]


def test_a_pause_ends_a_cue():
    output = transcripts.output((" ever", 0, 0.3), (" tried", 1.3, 1.5))
    assert cues.from_output(output) == [
        cues.Cue(0, 833, ("ever",)),
        cues.Cue(1300, 2133, ("tried",)),
    ]


def test_no_cue_lasts_over_seven_seconds():
    found = cues.from_output(transcripts.spoken("a b c d e f g h i j", 1.0))
    assert [cue.lines for cue in found] == [("a b c d e f g",), ("h i j",)]


def test_a_full_cue_ends_with_its_last_segment_where_no_mark_ends_a_phrase():
    parts = [
        (" had given her a lovely child whose place was", 0.0, 2.0),
        (" on that same bosom", 2.0, 3.0),
        (" to connect her parent forever", 3.0, 4.0),
    ]
    assert texts(transcripts.segmented(*parts)) == [
        ["had given her a lovely child", "whose place was on that same bosom"],
        ["to connect her parent forever"],
    ]
    marked = [(parts[0][0] + ",", 0.0, 2.0), *parts[1:]]
    assert texts(transcripts.segmented(*marked))[0] == [
        "had given her a lovely",
        "child whose place was,",
    ]


def test_segments_that_end_within_a_phrase_are_shown_together():
    parts = [
        (" forever with", 0.0, 1.0),
        (" the race and descent of mortals,", 1.0, 3.0),
    ]
    assert texts(transcripts.segmented(*parts)) == [
        ["forever with the race", "and descent of mortals,"]
    ]


def test_a_word_that_lasts_longer_is_shown_as_long_as_any_cue():
    (cue,) = cues.from_output(transcripts.segmented(("Thanks.", 1.0, 29.0)))
    assert (cue.start, cue.end) == (1000, 8000)


def test_scripts_without_blanks_are_shown_without():
    words = [(letter, k * 0.1, k * 0.1 + 0.1) for k, letter in enumerate("我" * 60)]
    assert texts(transcripts.output(*words)) == [["我" * 21, "我" * 21], ["我" * 18]]


def test_a_short_cue_is_shown_until_the_next_begins():
    output = transcripts.output((" Ever", 0, 0.1), (" tried.", 1.1, 1.2))
    first, second = cues.from_output(output)
    assert first.end == 833
    assert second.end == 1100 + 833
    near = transcripts.output((" " + "a" * 42, 0, 0.1), (" " + "b" * 42, 0.1, 0.2))
    more = transcripts.output(
        *((f" {c * 42}", k * 0.1, k * 0.1 + 0.1) for k, c in enumerate("abcd"))
    )
    assert len(cues.from_output(near)) == 1
    assert [(c.start, c.end) for c in cues.from_output(more)] == [(0, 116), (200, 1033)]


def test_a_gap_stands_between_two_cues():
    found = cues.from_output(transcripts.spoken("Ever tried. Ever failed.", 0.5))
    assert [(cue.start, cue.end) for cue in found] == [(0, 916), (1000, 2000)]


def test_a_gap_gets_half_of_the_time_where_there_is_hardly_any():
    words = [(f" {letter * 42}", k * 0.03, k * 0.03) for k, letter in enumerate("abcd")]
    times = [
        (cue.start, cue.end) for cue in cues.from_output(transcripts.output(*words))
    ]
    assert times == [(0, 30), (60, 893)]


def test_a_sentence_that_leaves_no_time_for_a_gap_does_not_end_a_cue():
    assert texts(transcripts.spoken("Ever tried. Ever failed.", 0.45)) == [
        ["Ever tried. Ever failed."]
    ]


def test_words_at_one_time_are_shown_one_after_the_other():
    words = [(f" {letter * 42}", 5.0, 5.0) for letter in "abcdef"]
    times = [
        (cue.start, cue.end) for cue in cues.from_output(transcripts.output(*words))
    ]
    assert times == [(5000, 5001), (5001, 5002), (5002, 5835)]


def test_a_word_wider_than_a_line_is_whole():
    assert texts(transcripts.output((" " + "x" * 100, 0, 2))) == [["x" * 100]]


@pytest.mark.parametrize(
    ("seconds", "milliseconds"),
    [(0.0004, 0), (0.0006, 1), (1.2345678, 1235), (7200, 7200000)],
)
def test_times_are_rounded_once(seconds, milliseconds):
    (cue,) = cues.from_output(transcripts.output(("a", seconds, seconds + 2)))
    assert cue.start == milliseconds


def cells(text):
    """The width of a text by its definition in Unicode, for text without joiners."""
    wide = {"W": 2, "F": 2}
    return sum(
        0
        if unicodedata.category(c) in ("Mn", "Me", "Cf")
        else wide.get(unicodedata.east_asian_width(c), 1)
        for c in text
    )


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("source", ["output", "segments"])
def test_cues_show_the_text_in_its_order_and_time(source, seed):
    output = getattr(transcripts, f"random_{source}")(seed)
    found = cues.from_output(output)
    plain = " ".join(output.text.split())
    for line in itertools.chain(*(cue.lines for cue in found)):
        assert line
        assert plain.startswith(line)
        plain = plain[len(line) :].removeprefix(" ")
    assert plain == ""
    for cue, after in itertools.zip_longest(found, found[1:]):
        assert 0 <= cue.start < cue.end
        lasts = cue.end - cue.start
        assert lasts <= cues.MAX_SECONDS * 1000
        if after is None:
            assert lasts >= cues.MIN_MILLISECONDS
            continue
        room = after.start - cue.start
        assert after.start - cue.end >= min(cues.MIN_GAP_MILLISECONDS, room // 2)
        if lasts < cues.MIN_MILLISECONDS:
            assert room < cues.MIN_MILLISECONDS + cues.MIN_GAP_MILLISECONDS


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("source", ["output", "segments"])
def test_lines_are_two_and_no_wider_than_a_line(source, seed):
    output = getattr(transcripts, f"random_{source}")(seed)
    for cue in cues.from_output(output):
        assert len(cue.lines) in (1, 2)
        for line in cue.lines:
            # A family is two cells on terminals that join it, six on others.
            if "\u200d" not in line and len(line.split()) > 1:
                assert cells(line) <= lines.MAX_CELLS


@pytest.mark.parametrize("seed", SEEDS)
def test_cues_begin_with_their_first_word(seed):
    output = transcripts.random_output(seed)
    words, free = iter(output.words), 0
    for cue in cues.from_output(output):
        shown = "".join(cue.lines).replace(" ", "")
        first = last = next(words)
        shown = shown.removeprefix(first.word)
        while shown:
            last = next(words)
            assert shown.startswith(last.word)
            shown = shown.removeprefix(last.word)
        assert cue.start == max(round(first.start * 1000), free)
        assert last.end - first.start <= cues.MAX_SECONDS or first is last
        free = cue.end
    assert next(words, None) is None
