"""Tests for unicode: every code point, and clusters on random strings."""

import collections
import itertools
import random
import unicodedata

import pytest
import regex
import unicodedataplus as ucd

from oasr._native import word_grouping
from tests.csrc import word_grouping_oracle as oracle

CODE_POINTS = range(0x110000)
# `regex` may know a later Unicode; assigned characters keep these properties.
_CLASSES = {
    "open": regex.compile(r"[\p{Ps}\p{Pi}¿¡]"),
    "close": regex.compile(r"[\p{Pe}\p{Pf}\p{Po}--[¿¡]]", regex.V1),
    "spaceless": regex.compile(
        r"[\p{Han}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}\p{Tibetan}"
        r"\p{scx=Hiragana}\p{scx=Katakana}]"
    ),
    "letter": regex.compile(r"(?s:.)"),
}


def clusters(text):
    data = text.encode("utf-8", "surrogatepass")
    edges = [0, *word_grouping.grapheme_ends(data)]
    return [
        data[start:end].decode("utf-8", "surrogatepass")
        for start, end in itertools.pairwise(edges)
    ]


@pytest.fixture(scope="module")
def characters_by_break():
    """Returns the characters of each class that clusters depend on."""
    groups = collections.defaultdict(list)
    for character in map(chr, CODE_POINTS):
        groups[oracle.break_letter(character)].append(character)
    return list(groups.values())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("", [], id="empty"),
        pytest.param("ab", ["a", "b"], id="ascii"),
        pytest.param("\r\n\n\r", ["\r\n", "\n", "\r"], id="CR LF"),
        pytest.param("\n\u0301a", ["\n", "\u0301", "a"], id="mark after control"),
        pytest.param("e\u0301\u0302a", ["e\u0301\u0302", "a"], id="marks"),
        pytest.param("각ᄀ각", ["각", "ᄀ각"], id="hangul"),
        pytest.param("🇩🇪🇫🇷🇮", ["🇩🇪", "🇫🇷", "🇮"], id="flags"),
        pytest.param("🇩\u200d🇪🇫", ["🇩\u200d", "🇪🇫"], id="joiner parts a flag"),
        pytest.param("👩‍👩‍👧👍🏽", ["👩‍👩‍👧", "👍🏽"], id="emoji sequences"),
        pytest.param(
            "👩\u200d\u0301👧", ["👩\u200d\u0301", "👧"], id="mark behind ZWJ"
        ),
        pytest.param("a\u200d👧", ["a\u200d", "👧"], id="joiner without emoji"),
        pytest.param("क्षि", ["क्षि"], id="conjunct"),
        pytest.param("क्\u200dष", ["क्\u200dष"], id="conjunct over ZWJ"),
        pytest.param("क्\u200cष", ["क्\u200c", "ष"], id="ZWNJ ends a conjunct"),
        pytest.param("क़्ष", ["क़्ष"], id="conjunct over nukta"),
        pytest.param("काष", ["का", "ष"], id="vowel ends a conjunct"),
        pytest.param("\u0600🇩🇪", ["\u0600🇩🇪"], id="prepend before a flag"),
        pytest.param("\u0600\u0600\n", ["\u0600\u0600", "\n"], id="prepend at end"),
        pytest.param("\ud83d\ude00", ["\ud83d", "\ude00"], id="surrogates"),
        pytest.param("🫰\u200d\U0001fc00", ["🫰\u200d\U0001fc00"], id="future emoji"),
        pytest.param("\U000e0fff\u0301", ["\U000e0fff", "\u0301"], id="reserved"),
        pytest.param("สวัสดี", ["ส", "วั", "ส", "ดี"], id="thai"),
    ],
)
def test_clusters(text, expected):
    assert clusters(text) == expected
    assert oracle.clusters(text) == expected


@pytest.mark.parametrize("seed", range(8))
def test_clusters_are_those_of_uax_29(seed, characters_by_break):
    rng = random.Random(seed)
    for _ in range(2000):
        groups = rng.choices(characters_by_break, k=rng.randrange(1, 12))
        text = "".join(map(rng.choice, groups))
        assert clusters(text) == oracle.clusters(text), ascii(text)


def test_every_character_joins_as_its_class_does():
    contexts = ["a{}", "{}a", "👩{}👩", "क्{}ष", "क{}्ष", "{}्ष", "🇩{}🇪", "ᄀ{}ᆨ"]
    for character in map(chr, CODE_POINTS):
        if oracle.break_letter(character) == ".":
            assert clusters(f"\u0600{character}a") == [f"\u0600{character}", "a"]
            continue
        for context in contexts:
            text = context.format(character)
            assert clusters(text) == oracle.clusters(text), ascii(text)


def test_spaces_are_those_of_python():
    spaces = [c for c in CODE_POINTS if word_grouping.is_space(c)]
    assert spaces == [c for c in CODE_POINTS if chr(c).isspace()]


def test_marks_are_those_of_python():
    """Of what Python's own version of Unicode assigns; it may be an older one."""
    classes = {"Ps": "open", "Pi": "open", "Pe": "close", "Pf": "close", "Po": "close"}
    for code_point in range(0x110000):
        category = unicodedata.category(chr(code_point))
        if category in ("Cn", "Cs"):
            continue
        expected = classes.get(category)
        if code_point in (0xA1, 0xBF):
            expected = "open"
        found = word_grouping.word_class(code_point)
        assert (found if found in ("open", "close") else None) == expected


def test_word_classes_are_those_of_unicode():
    wrong = []
    for code_point in CODE_POINTS:
        character = chr(code_point)
        expected = next(k for k, v in _CLASSES.items() if v.fullmatch(character))
        if ucd.category(character) == "Cn":
            expected = "letter"
        if word_grouping.word_class(code_point) != expected:
            wrong.append((hex(code_point), expected))
    assert wrong == []


@pytest.mark.parametrize("code_point", [0x110000, 0xFFFFFFFF])
def test_values_beyond_unicode_are_letters(code_point):
    assert word_grouping.word_class(code_point) == "letter"
    assert not word_grouping.is_space(code_point)


@pytest.mark.parametrize("code_point", [-1, 2**32])
def test_code_point_of_more_than_32_bits_is_refused(code_point):
    with pytest.raises(TypeError):
        word_grouping.is_space(code_point)
