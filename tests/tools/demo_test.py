"""Tests for the demo: it transcribes what is said."""

import io

import pytest
import rich.console

from oasr.features import audio
from tools import demo

TEXT = "Ever tried. Ever failed. No matter. Try again. Fail again. Fail better."


@pytest.fixture(scope="module")
def output():
    return demo.transcribe(audio.read(demo._CLIP))


def test_the_demo_transcribes_what_is_said(output):
    assert output.text == TEXT
    assert output.nbest_texts[0] == TEXT
    assert len(output.nbest_texts) == len(set(map(tuple, output.tokens))) == 3


def test_its_words_are_those_of_the_text_in_the_time_of_the_audio(output):
    assert [word.word for word in output.words] == TEXT.split()
    edges = [edge for word in output.words for edge in (word.start, word.end)]
    assert edges == sorted(edges)
    assert 0 <= edges[0]
    assert edges[-1] <= output.duration
    assert all(0 <= word.confidence <= 1 for word in output.words)


def test_all_of_it_is_shown(output):
    page = io.StringIO()
    demo.show(output, rich.console.Console(file=page, width=200))
    assert page.getvalue().count(TEXT) == 2
    assert "matter." in page.getvalue()
    assert "confidence" in page.getvalue()


def test_the_demo_ends_well(capsys):
    assert demo.main() == 0
    page = capsys.readouterr().out
    assert page.startswith("10.0 seconds of speech, Whisper tiny.en on the CPU:")
    assert TEXT in page
