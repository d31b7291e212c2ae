"""Tests for the example of recorded scores: it decodes what was said."""

import re

from examples import recorded

TEXT = (
    "i have a good deal of will you remember and what i have set my mind upon no doubt"
    " i shall some day achieve"
)


def test_it_decodes_what_was_said():
    output = recorded.decode()
    assert output.text == TEXT
    assert output.nbest_texts[0] == TEXT
    assert len(output.nbest_texts) == len(set(map(tuple, output.tokens))) == 5
    assert output.scores == sorted(output.scores, reverse=True)


def test_its_words_are_those_of_the_text_in_the_time_of_the_audio():
    words = recorded.decode().words
    assert [word.word for word in words] == TEXT.split()
    edges = [edge for word in words for edge in (word.start, word.end)]
    assert edges == sorted(edges)
    assert 0 <= edges[0]
    assert edges[-1] <= 371 * 0.02
    assert all(0 <= word.confidence <= 1 for word in words)


def test_all_of_it_is_printed(capsys):
    recorded.main()
    page = capsys.readouterr().out
    assert page.startswith(f"transcript  {TEXT}\n")
    assert len(re.findall(r"^n-best ", page, re.MULTILINE)) == 5
    assert len(re.findall(r"^word ", page, re.MULTILINE)) == len(TEXT.split())
