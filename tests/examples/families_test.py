"""Tests for the examples: each prints a transcript, alternatives and words."""

import re

import pytest

from examples import aed
from examples import ctc
from examples import ctc_aed_rescoring
from examples import llm
from examples import paraformer
from examples import transducer


@pytest.mark.parametrize(
    ("example", "hypotheses", "times"),
    [
        (aed, 3, ["0.00-0.32", "0.32-0.64"]),
        (ctc, 3, ["0.04-0.08", "0.08-0.24"]),
        (ctc_aed_rescoring, 3, ["0.04-0.08", "0.08-0.24"]),
        # Fires half into frame 3, and at the end of frame 7.
        (paraformer, 1, ["0.00-0.14", "0.14-0.32"]),
        (transducer, 3, ["0.04-0.08", "0.08-0.20"]),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_an_example_prints_what_it_found(example, hypotheses, times, capsys):
    example.main()
    page = capsys.readouterr().out
    assert "transcript  hello world\n" in page
    scores = re.findall(r"^n-best +(-[\d.]+)  \w+", page, re.MULTILINE)
    assert len(scores) == hypotheses
    assert sorted(scores, key=float, reverse=True) == scores
    words = re.findall(r"^word +([\d.-]+)  0\.\d\d  (\w+)$", page, re.MULTILINE)
    assert words == list(zip(times, ["hello", "world"], strict=True))


def test_the_stream_of_the_transducer_grows(capsys):
    transducer.main()
    partials = re.findall(r"^partial +(.*)$", capsys.readouterr().out, re.MULTILINE)
    assert partials == ["hello", "hello", "hello world"]


def test_the_chat_model_streams_what_it_answers(capsys):
    llm.main()
    page = capsys.readouterr().out
    partials = re.findall(r"^partial +(.*)$", page, re.MULTILINE)
    assert partials == ["hello", "hello world", "hello world"]
    assert "transcript  hello world\n" in page
    assert len(re.findall(r"^n-best +-[\d.]+  hello", page, re.MULTILINE)) == 3
    # Three places of audio; and of the two ends of turns one is in the prompt, as the
    # other was typed.
    (prompt, again) = re.findall(r"^prompt +\[(.*)\]$", page, re.MULTILINE)
    ids = prompt.split(", ")
    assert prompt == again
    assert ids.count(ids[6]) == 3
    assert ids.count("28") == 1
