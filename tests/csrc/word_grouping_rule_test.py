"""Tests for word_grouping: the rule on random text, and long inputs."""

import random
import sys

import numpy as np
import pytest

from oasr._native import word_grouping
from tests.csrc import word_grouping_oracle as oracle

# Each class, what the clusters of each script are made of, and all whitespace.
FRAGMENTS = [
    *"aé1-_£+😀\u200b\ufffd\ud83d\ude00\x00",
    *"。，、.,!?)]}»”…་။",
    *"([{«“「『¿¡",
    *"你々〇かカー゛ｶﾞกัำລາខ្មမြိབོ한글각",
    *"\u0301\u3099\u200d\u200c\ufe0f\u0600🇩🇪👩👧🏽क्षि़",
    *"  \n\t\r\x1c\x85\xa0\u1680\u2009\u2028\u3000",
]


def encode(text):
    return text.encode("utf-8", "surrogatepass")


def spans(text, ends):
    lends = np.ones(len(ends), dtype=bool)
    return word_grouping.word_spans(encode(text), np.array(ends), lends)


def random_text(rng, length):
    """Returns fragments, with now and then any code point at all."""
    characters = rng.choices(FRAGMENTS, k=length)
    return "".join(
        chr(rng.randrange(sys.maxunicode + 1)) if rng.random() < 0.1 else character
        for character in characters
    )


def random_tokens(rng, size, count):
    """Returns `count` piece ends, anywhere in `size` bytes, and lending flags."""
    ends = [*sorted(rng.choices(range(size + 1), k=count - 1)), size]
    return ends, [rng.random() < 0.7 for _ in ends]


@pytest.mark.parametrize("seed", range(20))
def test_words_and_tokens_follow_the_rule(seed):
    rng = random.Random(seed)
    for _ in range(300):
        text = random_text(rng, rng.randrange(16))
        data = encode(text)
        ends, lends = random_tokens(rng, len(data), rng.randrange(1, 16))
        words = word_grouping.word_spans(data, np.array(ends), np.array(lends))
        tokens = oracle.word_tokens(text, ends, lends)
        assert words == [(w, own[0], own[-1]) for w, own in tokens], ascii(text)


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("sure", [True, False])
def test_times_and_confidences_follow_the_rule(seed, sure):
    rng = random.Random(seed)
    for _ in range(200):
        text = random_text(rng, rng.randrange(12))
        data = encode(text)
        ends, lends = random_tokens(rng, len(data), rng.randrange(1, 12))
        times = [sorted(rng.choices(range(100), k=2)) for _ in ends]
        starts, stops = np.array(times, dtype=np.float64).T.copy()
        # Sums of such fractions are exact in any order.
        confidences = np.array([rng.randrange(65) / 64 for _ in ends]) if sure else None
        arrays = (np.array(lends), starts, stops, confidences)
        expected = oracle.group(text, ends, lends, starts, stops, confidences)
        assert word_grouping.group_words(data, np.array(ends), *arrays) == expected


@pytest.mark.parametrize("seed", range(5))
def test_str_pieces_group_as_their_bytes(seed):
    rng = random.Random(seed)
    pieces = [random_text(rng, rng.randrange(4)) for _ in range(200)]
    data = [encode(piece) for piece in pieces]
    ends = np.cumsum([len(piece) for piece in data])
    lends = np.array([rng.random() < 0.7 for _ in pieces])
    rest = (lends, np.arange(200.0), np.arange(200.0) + 1, np.full(200, 0.5))
    expected = word_grouping.group_words(b"".join(data), ends, *rest)
    assert word_grouping.group_pieces(pieces, *rest) == expected


@pytest.mark.parametrize("seed", range(5))
def test_words_are_the_text_without_its_whitespace(seed):
    text = random_text(random.Random(seed), 5000)
    words = [word for word, _, _ in spans(text, [len(encode(text))])]
    assert "".join(words) == "".join(text.split())
    assert not any(c.isspace() for c in "".join(words))


@pytest.mark.parametrize(
    ("piece", "words"),
    [
        pytest.param("", 0, id="empty pieces"),
        pytest.param(" ", 0, id="blanks"),
        pytest.param("a", 1, id="one word"),
        pytest.param("你", 100_000, id="a word each"),
        pytest.param("\u0301", 1, id="one cluster"),
        pytest.param("(", 1, id="opening marks"),
        pytest.param(".", 1, id="closing marks"),
        pytest.param("🇩", 1, id="flags"),
        pytest.param("👩\u200d", 1, id="joined emoji"),
        pytest.param("क्", 1, id="one conjunct"),
        pytest.param("\u0600", 1, id="prepended"),
    ],
)
def test_a_hundred_thousand_tokens(piece, words):
    # Anything quadratic here takes longer than a test may.
    ends = np.arange(1, 100_001) * len(encode(piece))
    assert len(spans(piece * 100_000, ends)) == words


def test_one_piece_may_write_all_words():
    text = "你" * 100_000
    words = spans(text, [0, *[len(encode(text))] * 100_001])
    assert words[0] == ("你", 0, 1)
    assert words[1:-1] == [("你", 1, 1)] * 99_998
    assert words[-1] == ("你", 1, 100_001)
