"""Tests for the demo: it decodes what was said."""

import io

import rich.console

from tools import demo

TEXT = (
    "i have a good deal of will you remember and what i have set my mind upon no doubt"
    " i shall some day achieve"
)


def test_the_demo_decodes_what_was_said():
    output = demo.decode(str(demo._RECORDING))
    assert output.text == TEXT
    assert output.nbest_texts[0] == TEXT
    assert len(output.nbest_texts) == len(set(map(tuple, output.tokens))) == 5
    assert output.scores == sorted(output.scores, reverse=True)


def test_its_words_are_those_of_the_text_in_the_time_of_the_audio():
    words = demo.decode(str(demo._RECORDING)).words
    assert [word.word for word in words] == TEXT.split()
    edges = [edge for word in words for edge in (word.start, word.end)]
    assert edges == sorted(edges)
    assert 0 <= edges[0]
    assert edges[-1] <= 371 * 0.02
    assert all(0 <= word.confidence <= 1 for word in words)


def test_all_of_it_is_shown():
    page = io.StringIO()
    demo.show(
        demo.decode(str(demo._RECORDING)), rich.console.Console(file=page, width=200)
    )
    assert page.getvalue().count(TEXT) == 2
    assert "remember" in page.getvalue()
    assert "confidence" in page.getvalue()
