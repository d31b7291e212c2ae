"""Tests for sentence_postprocess, against FunASR's own."""

import random

import pytest

from oasr import tokenizers
from tests import conftest
from tests.tokenizers import funasr_reference as reference


@pytest.mark.parametrize(
    ("words", "sentence", "real_words"),
    [
        ([], "", []),
        (["<s>", "<unk>", "<OOV>", "</s>"], "", []),
        (["hello", "world"], "hello world", ["hello", "world"]),
        (
            ["\u4f60", "hello", "\u597d"],
            "\u4f60hello\u597d",
            ["\u4f60", "hello", "\u597d"],
        ),
        (["i", "b", "m", "is"], "IBM is", ["IBM", "is"]),
        (["he@@", "llo", "\U0001f600"], "hello \U0001f600", ["hello", "\U0001f600"]),
        ([b"he@@", "\u4f60".encode(), "llo"], "\u4f60hello", ["\u4f60", "hello"]),
    ],
)
def test_sentence(words, sentence, real_words):
    assert tokenizers.sentence_postprocess(words) == (sentence, real_words)


def test_times_of_merged_words():
    words = ["\u6211", "\u7231", "py@@", "thon"]  # Reported case 108.
    spans = [[0, 100], [100, 200], [200, 300], [300, 400]]
    assert tokenizers.sentence_postprocess(words, spans) == (
        "\u6211 \u7231 python",
        [[0, 100], [100, 200], [200, 400]],
        ["\u6211", "\u7231", "python"],
    )


def test_marks_have_no_time():
    words = ["\u7b54", "\u6848", "\u662f", "1", ".", "5"]  # Reported case 094.
    spans = [[i, i + 1] for i in range(6)]
    sentence, times, real_words = tokenizers.sentence_postprocess(words, spans)
    assert (len(words), len(times), real_words) == (6, 5, words)
    assert tokenizers.sentence_postprocess(words)[0] == "\u7b54\u6848\u662f1.5"
    assert sentence == "\u7b54 \u6848 \u662f 1 . 5"


def test_sentences_and_words_are_those_of_funasr():
    rng = random.Random(1)
    for _ in range(2_000 * conftest.SCALE):
        words = reference.random_words(rng)
        expected = reference.sentence_postprocess(words)
        assert tokenizers.sentence_postprocess(words) == expected, words


def test_times_are_those_of_funasr_and_so_is_their_lack():
    rng = random.Random(2)
    refused = 0
    for _ in range(2_000 * conftest.SCALE):
        words = reference.random_words(rng)
        count = rng.choice([len(words), len(words) + 2, rng.randrange(14)])
        spans = [(10 * i, 10 * i + rng.randrange(9)) for i in range(count)]
        try:
            expected = reference.sentence_postprocess(words, spans)
        except IndexError:
            refused += 1
            message = f"time_stamp has {count} spans, too few for the"
            with pytest.raises(IndexError, match=message):
                tokenizers.sentence_postprocess(words, spans)
        else:
            assert tokenizers.sentence_postprocess(words, spans) == expected, words
    assert refused > 50
