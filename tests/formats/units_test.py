"""Tests for units: words with the blanks of their text."""

import pytest

from oasr import engine
from oasr.engine import request as requests
from oasr.formats import units
from tests.formats import transcripts


def test_blanks_are_those_of_the_text():
    output = transcripts.output(
        ("你", 0, 1), ("好", 1, 2), (" hello", 2, 3), ("\u3000\n全", 3, 4)
    )
    found = units.from_words(output)
    assert [unit.blank for unit in found] == [False, False, True, True]
    assert units.text(found) == "你好 hello 全"
    assert units.text(found[1:]) == "好 hello 全"
    assert units.text(found[2:]) == "hello 全"
    assert units.text([]) == ""


@pytest.mark.parametrize(
    ("text", "cells"),
    [("hello", 5), ("你好", 4), ("カ。", 4), ("e\u0301", 1), ("😀", 2)],
)
def test_width_is_in_cells(text, cells):
    assert units.width([units.Unit(text, False, 0, 1)]) == cells


@pytest.mark.parametrize(
    ("word", "phrase", "sentence"),
    [
        ("mind", False, False),
        ("mind,", True, False),
        ("achieve.", True, True),
        ("achieve...", True, True),
        ("achieve…", True, True),
        ('"Go!"', True, True),
        ("（好。）", True, True),
        ("好。」", True, True),
        ("界，", True, False),
        ("22,66", False, False),
        ("—", True, False),
        ("नमस्ते।", True, True),
        ('"', False, False),
        ("😀", False, False),
    ],
)
def test_marks_end_phrases(word, phrase, sentence):
    unit = units.Unit(word, True, 0, 1)
    assert (unit.ends_phrase, unit.ends_sentence) == (phrase, sentence)


def test_an_output_without_words_is_refused():
    with pytest.raises(ValueError, match="'a' has no words"):
        units.from_words(engine.RequestOutput("a", text="hello"))


@pytest.mark.parametrize("text", ["", " \n"])
def test_where_nothing_is_said_no_words_are_needed(text):
    assert units.from_words(engine.RequestOutput("a", text=text)) == []


@pytest.mark.parametrize("text", ["hello", "world", "hello there world", ""])
def test_words_of_another_text_are_refused(text):
    output = transcripts.output((" hello", 0, 1), (" world", 1, 2), text=text)
    with pytest.raises(ValueError, match=r"has the word '(hello|world)', which is not"):
        units.from_words(output)


def test_words_that_stop_short_of_the_text_are_refused():
    output = transcripts.output((" hello", 0, 1), text="hello wide world")
    with pytest.raises(ValueError, match=r"no word for the end.*'wide world'"):
        units.from_words(output)


def test_a_word_is_on_one_line():
    words = [requests.WordTiming("a\n\nb", 0, 1), requests.WordTiming("\n", 1, 2)]
    output = engine.RequestOutput("a", text="a\n\nb\n", words=words)
    assert units.from_words(output) == [units.Unit("a b", False, 0, 1)]
