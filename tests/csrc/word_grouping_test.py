"""Tests for word_grouping: named cases."""

import numpy as np
import pytest

from oasr._native import word_grouping


def spans(pieces, special=()):
    """Returns (word, first token, last token) for each word of `pieces`."""
    data = [piece.encode("utf-8", "surrogatepass") for piece in pieces]
    ends = np.cumsum([len(piece) for piece in data], dtype=np.int64)
    lends = np.array([k not in special for k in range(len(pieces))], dtype=bool)
    return word_grouping.word_spans(b"".join(data), ends, lends)


def timed(pieces, times, confidences=None):
    starts, ends = np.array(times, dtype=np.float64).reshape(-1, 2).T
    lends = np.ones(len(pieces), dtype=bool)
    return word_grouping.group_pieces(pieces, lends, starts, ends, confidences)


@pytest.mark.parametrize(
    ("pieces", "expected"),
    [
        pytest.param([], [], id="empty"),
        pytest.param(["", ""], [], id="only empty pieces"),
        pytest.param([" ", "\n"], [], id="only blanks"),
        pytest.param(["a"], [("a", 0, 0)], id="one word"),
        pytest.param([" he", "llo"], [("hello", 0, 1)], id="word over two tokens"),
        pytest.param(["a b"], [("a", 0, 0), ("b", 0, 0)], id="two words in a token"),
        pytest.param(
            ["a", "", "o w", "b"],
            [("ao", 0, 2), ("wb", 2, 3)],
            id="lends to the first word of the next piece",
        ),
        pytest.param(
            ["", " ", "", "a", ""], [("a", 0, 4)], id="blank between lender and word"
        ),
        pytest.param(
            ["", "a  b", "", " ", ""],
            [("a", 0, 1), ("b", 1, 4)],
            id="last word takes what is left",
        ),
        pytest.param(["😀", "👍🏽a"], [("😀👍🏽a", 0, 1)], id="emoji are letters"),
        pytest.param(["Ünï\u2009x"], [("Ünï", 0, 0), ("x", 0, 0)], id="thin space"),
        pytest.param(["a\u200bb"], [("a\u200bb", 0, 0)], id="ZWSP is no space"),
        pytest.param(["a", "\u0301b"], [("a\u0301b", 0, 1)], id="piece cuts a cluster"),
        pytest.param(["a \u0301b"], [("a", 0, 0), ("\u0301b", 0, 0)], id="lone accent"),
        pytest.param(["か", "\u3099"], [("か\u3099", 0, 1)], id="kana and its mark"),
        pytest.param(
            ["コー", "ド"], [("コ", 0, 0), ("ー", 0, 0), ("ド", 1, 1)], id="kana"
        ),
        pytest.param(["\ud83d", "\ude00"], [("\ud83d\ude00", 0, 1)], id="surrogates"),
    ],
)
def test_tokens_of_words(pieces, expected):
    assert spans(pieces) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("j'ai 22,66 foo(bar)", "j'ai|22,66|foo(bar)", id="letters"),
        pytest.param("a-b_c £5 x+y", "a-b_c|£5|x+y", id="dashes and symbols"),
        pytest.param("¿qué? ¡no!", "¿qué?|¡no!", id="inverted marks"),
        pytest.param("« oui »", "«|oui|»", id="marks that stand alone"),
        pytest.param("... ?!", "...|?!", id="only marks"),
        pytest.param("你好abc世界", "你|好|abc|世|界", id="han next to letters"),
        pytest.param("你，好", "你，|好", id="closing mark joins before"),
        pytest.param("你「好」吗", "你|「好」|吗", id="opening mark joins behind"),
        pytest.param("你。」「好", "你。」|「好", id="closing then opening"),
        pytest.param("你「。」好", "你|「。」好", id="behind the first opening mark"),
        pytest.param("。你好「", "。你|好「", id="both ends of a chunk"),
        pytest.param("abc，你(x)y好", "abc，|你|(x)y|好", id="letters across marks"),
        pytest.param("a「b」c", "a「b」c", id="no mark cuts letters"),
        pytest.param("第1章", "第|1|章", id="digits are letters"),
        pytest.param("한국어를 씁니다.", "한국어를|씁니다.", id="hangul"),
        pytest.param("ພາສາ ខ្មែរ བོད་", "ພ|າ|ສ|າ|ខ្|មែ|រ|བོ|ད་", id="lao khmer tibetan"),
        pytest.param("々〇ヶ、", "々|〇|ヶ、", id="iteration mark"),
    ],
)
def test_words_of_a_text(text, expected):
    assert [word for word, _, _ in spans([text])] == expected.split("|")


@pytest.mark.parametrize(
    ("pieces", "expected"),
    [
        pytest.param(
            ["", "a", " ", " b", ""], [("a", 0, 1), ("b", 3, 4)], id="CASE-015"
        ),
        pytest.param(
            ["he", "llo", " ⁇ ", " wor", "ld"],
            [("hello", 0, 1), ("⁇", 2, 2), ("world", 3, 4)],
            id="CASE-026",
        ),
        pytest.param(
            ["", " ⁇ ", "-", "h", "e", "llo"],
            [("⁇", 0, 1), ("-hello", 2, 5)],
            id="CASE-027",
        ),
        pytest.param(
            ["he", "llo", "", "\u00a0", "w"],
            [("hello", 0, 1), ("w", 2, 4)],
            id="CASE-041",
        ),
        pytest.param(
            ["今日", "", "\ufffd"],
            [("今", 0, 0), ("日", 0, 0), ("\ufffd", 1, 2)],
            id="CASE-075",
        ),
        pytest.param(
            ["a", " \ufffd", " b"],
            [("a", 0, 0), ("\ufffd", 1, 1), ("b", 2, 2)],
            id="CASE-076",
        ),
        pytest.param(
            ["今日は", "", "副", "業"],
            [("今", 0, 0), ("日", 0, 0), ("は", 0, 0), ("副", 1, 2), ("業", 3, 3)],
            id="CASE-077",
        ),
        pytest.param(
            ["ส", "ว", "ั", "ส", "ด", "ี", "คร", "ั", "บ"],
            [
                ("ส", 0, 0),
                ("วั", 1, 2),
                ("ส", 3, 3),
                ("ดี", 4, 5),
                ("ค", 6, 6),
                ("รั", 6, 7),
                ("บ", 8, 8),
            ],
            id="CASE-078",
        ),
        pytest.param(
            ["안녕", "하세요", " 여러분"],
            [("안녕하세요", 0, 1), ("여러분", 2, 2)],
            id="CASE-079",
        ),
        pytest.param(
            ["你好", "，", "世界", "。"],
            [("你", 0, 0), ("好，", 0, 1), ("世", 2, 2), ("界。", 2, 3)],
            id="CASE-081",
        ),
        pytest.param(
            [" j'", "ai", " perdu"], [("j'ai", 0, 1), ("perdu", 2, 2)], id="CASE-082"
        ),
        pytest.param(
            ["Gr", "", "ü", "", "ß", "e", " ", "", "你", "好", " ", "", "", "", "😀"],
            [("Grüße", 0, 5), ("你", 7, 8), ("好", 9, 9), ("😀", 11, 14)],
            id="CASE-125",
        ),
    ],
)
def test_reported_cases(pieces, expected):
    assert spans(pieces) == expected


@pytest.mark.parametrize(
    ("pieces", "times", "expected"),
    [
        pytest.param([], [], [], id="empty"),
        pytest.param(
            [" Hello", ",", " world", "."],
            [(1, 2), (5, 6), (6, 7), (9, 10)],
            [("Hello,", 1, 6, None), ("world.", 6, 10, None)],
            id="CASE-080",
        ),
        pytest.param(
            [" with", " 22", "66", " £", "13", ".60"],
            [(1, 2), (4, 5), (6, 7), (9, 10), (11, 12), (12, 13)],
            [("with", 1, 2, None), ("2266", 4, 7, None), ("£13.60", 9, 13, None)],
            id="CASE-083",
        ),
        pytest.param(
            ["我", "爱", "", "python"],
            [(0, 100), (100, 200), (200, 300), (300, 400)],
            [("我", 0, 100, None), ("爱", 100, 200, None), ("python", 200, 400, None)],
            id="CASE-108",
        ),
        pytest.param(
            ["a", "b"], [(3, 4), (1, 2)], [("ab", 1, 4, None)], id="least and largest"
        ),
    ],
)
def test_times_of_words(pieces, times, expected):
    assert timed(pieces, times) == expected


def test_confidence_is_the_mean_over_the_tokens():
    confidences = np.array([0.5, 0.25, 1.0, 0.125])
    words = timed(["", "a b", "c", " d"], [(0, 1)] * 4, confidences)
    assert words == [("a", 0, 1, 0.375), ("bc", 0, 1, 0.625), ("d", 0, 1, 0.125)]


@pytest.mark.parametrize(
    ("pieces", "special", "expected"),
    [
        pytest.param(["", "", "a"], {0}, [("a", 1, 2)], id="before"),
        pytest.param(["a", "", ""], {2}, [("a", 0, 1)], id="behind"),
        pytest.param(["a", "", "b"], {1}, [("ab", 0, 2)], id="within"),
        pytest.param([""], {0}, [], id="alone"),
    ],
)
def test_special_tokens_lend_nothing(pieces, special, expected):
    assert spans(pieces, special) == expected


def test_broken_bytes_are_letters():
    text = b"\xe4\xbd \x80a\xff"
    lends = np.ones(2, dtype=bool)
    words = word_grouping.word_spans(text, np.array([1, len(text)]), lends)
    assert words == [("\ufffd\ufffd", 0, 1), ("\ufffda\ufffd", 1, 1)]
