"""Tests for invariants: a good output passes, and each broken rule is named."""

import dataclasses

import pytest

from oasr import engine
from oasr.engine.request import WordTiming
from tests.engine import invariants

WORDS = [WordTiming("1", 0.0, 0.5, 0.5), WordTiming("2", 0.5, 1.0, 1.0)]
GOOD = engine.RequestOutput(
    request_id="a",
    text="1 2",
    tokens=[[1, 2], [1]],
    scores=[-1.0, -2.5],
    nbest_texts=["1 2", "1"],
    finished=True,
    timestamps=[(0.0, 0.5), (0.5, 1.0)],
    words=WORDS,
    nbest_words=[WORDS, [WordTiming("1", 0.0, 0.5, 0.5)]],
    confidence=0.75,
    finish_reason="stop",
)
REQUEST = engine.Request("a", None, {"n_best": 2, "word_timestamps": True})
PARTIAL = dataclasses.replace(
    GOOD,
    tokens=[[1, 2]],
    scores=[-1.0],
    nbest_texts=None,
    nbest_words=None,
    finished=False,
    finish_reason=None,
    stable_text="1",
)
ENDPOINT = dataclasses.replace(
    GOOD, finished=False, finish_reason="endpoint", stable_text="1 2"
)
FAILED = engine.RequestOutput.failed("a", "model: no memory")


def render(ids):
    return " ".join(map(str, ids))


def check(output, **known):
    known = {"request": REQUEST, "render": render, "seconds": 1.0, **known}
    invariants.check_output(output, **known)


def word(text="1", start=0.0, end=0.5, confidence=0.5):
    return WordTiming(text, start, end, confidence)


@pytest.mark.parametrize("output", [GOOD, PARTIAL, ENDPOINT, FAILED])
def test_good_outputs_pass(output):
    check(output)
    invariants.check_output(output)


@pytest.mark.parametrize(
    ("changes", "rule"),
    [
        ({"request_id": "b"}, "request_id"),
        ({"finished": False}, "finish_reason"),
        ({"error": "model: x"}, "an error is the end"),
        ({"tokens": [], "scores": []}, "there is a hypothesis"),
        ({"tokens": [(1, 2), [1]]}, "a row of tokens is a list"),
        ({"tokens": [[1, 2.0], [1]]}, "ids are integers"),
        ({"tokens": [[1, 2], [1, 2]]}, "distinct rows"),
        ({"scores": [-1.0]}, "a score for each row"),
        ({"scores": [-1, -2]}, "scores are floats"),
        ({"scores": [-1.0, float("nan")]}, "scores are numbers"),
        ({"scores": [-2.0, -1.0]}, "best first"),
        ({"nbest_texts": ["1 2"]}, "a text for each row"),
        ({"nbest_texts": ["1", "1 2"]}, "the first text is the transcript"),
        ({"nbest_texts": ["1 2", "2"]}, "texts are those of the rows"),
        ({"text": "1 3", "nbest_texts": ["1 3", "1"]}, "texts are those of the rows"),
        ({"nbest_texts": None}, "texts when asked"),
        ({"words": None}, "words when asked"),
        ({"confidence": 1.5}, "confidences are in"),
        ({"confidence": float("nan")}, "confidences are in"),
        ({"timestamps": [(0.0, 0.5)]}, "a span for each token"),
        ({"timestamps": [(0.0, 0.5), (0.5, 1.1)]}, "times are in the audio"),
        ({"timestamps": [(0.5, 0.4), (0.5, 1.0)]}, "times are in the audio"),
        ({"timestamps": [(-0.1, 0.5), (0.5, 1.0)]}, "times are in the audio"),
        ({"timestamps": [(0.5, 0.5), (0.4, 1.0)]}, "times never run backwards"),
        ({"timestamps": [(0.0, 0.9), (0.4, 0.8)]}, "times never run backwards"),
        ({"words": [word(), word("2", 0.4, 2.0)]}, "times are in the audio"),
        ({"words": [word("1", 0.2), word("2", 0.1, 1.0)]}, "times never run backwards"),
        ({"words": [word(), word("")]}, "a word has characters"),
        ({"words": [word("1 2")]}, "a word has no whitespace"),
        ({"words": [word("2"), word("1")]}, "every character is in a word"),
        ({"words": [word(), word("3")]}, "words are parts of the text"),
        ({"words": [word(), word()]}, "words are parts of the text"),
        ({"words": [word()]}, "every character is in a word"),
        ({"words": []}, "every character is in a word"),
        ({"words": [word(), word("2", confidence=-0.1)]}, "confidences are in"),
        ({"nbest_words": None}, "words of all when asked"),
        ({"nbest_words": [WORDS]}, "words of each text"),
        ({"nbest_words": [WORDS[:1], WORDS[:1]]}, "the first words are the words"),
        ({"nbest_words": [WORDS, WORDS]}, "words are parts of the text"),
        ({"nbest_words": [WORDS, []]}, "every character is in a word"),
        ({"nbest_words": [WORDS, [word(end=2.0)]]}, "times are in the audio"),
        ({"stable_text": "2"}, "stable text is text"),
        ({"stable_text": "1"}, "at the end all is stable"),
    ],
)
def test_each_rule_is_kept(changes, rule):
    with pytest.raises(AssertionError, match=rule):
        check(dataclasses.replace(GOOD, **changes))


@pytest.mark.parametrize(
    ("changes", "rule"),
    [
        ({"tokens": [[1, 2], [1]], "scores": [-1.0, -2.0]}, "best hypothesis only"),
        ({"nbest_texts": ["1 2"]}, "best hypothesis only"),
        ({"stable_text": None}, "a stream says what is stable"),
        ({"text": "2", "tokens": [[2]]}, "stable text stays"),
        ({"stable_text": ""}, "stable text stays"),
    ],
)
def test_partials_follow_one_another(changes, rule):
    check(PARTIAL, before=PARTIAL)
    changed = dataclasses.replace(PARTIAL, **changes)
    with pytest.raises(AssertionError, match=rule):
        check(changed, before=PARTIAL)


@pytest.mark.parametrize(
    ("changes", "rule"),
    [
        ({"finished": True}, "finish_reason"),
        ({"nbest_texts": None, "nbest_words": None}, "texts when asked"),
        ({"stable_text": "1"}, "at the end all is stable"),
    ],
)
def test_the_end_of_an_utterance_is_like_an_end(changes, rule):
    with pytest.raises(AssertionError, match=rule):
        check(dataclasses.replace(ENDPOINT, **changes))


def test_partials_without_times_have_no_words():
    early = dataclasses.replace(PARTIAL, timestamps=None, words=None)
    check(early)
    for changes in ({"timestamps": None}, {"words": None}):
        with pytest.raises(AssertionError, match="words when asked"):
            check(dataclasses.replace(PARTIAL, **changes))


def test_nothing_comes_behind_the_last_output():
    with pytest.raises(AssertionError, match="nothing comes behind"):
        check(PARTIAL, before=GOOD)


@pytest.mark.parametrize(
    ("changes", "rule"),
    [
        ({"error": "no memory"}, "names its stage"),
        ({"error": "elsewhere: no memory"}, "names its stage"),
        ({"error": "model: "}, "says why"),
        ({"text": "1"}, "has no text"),
        ({"words": []}, "no fields of a transcript"),
    ],
)
def test_a_failed_output_says_why_and_nothing_else(changes, rule):
    with pytest.raises(AssertionError, match=rule):
        check(dataclasses.replace(FAILED, **changes))


def test_more_rows_than_were_asked_for_are_too_many():
    request = engine.Request("a", None, {"word_timestamps": True})
    with pytest.raises(AssertionError, match="no more rows than asked"):
        check(GOOD, request=request)
