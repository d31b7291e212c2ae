"""Tests for byte_guess."""

import itertools
import random

import pytest

from oasr.checkpoints import byte_guess
from tests import conftest

HEX = [f"<0x{byte:02X}>" for byte in range(256)]

# The letters of bytes, as `icefall/byte_utils.py` has them: printable ASCII is itself,
# the others follow from U+0100, without letters that NFKC changes. A blank is the mark
# of a word there.
_OTHERS = [c for c in range(0x100, 0x1C3) if c not in (306, 307, 319, 320, 329, 383)]
_PRINTABLE = range(0x20, 0x7F)
LETTERS = {b: chr(b) for b in _PRINTABLE} | {0x20: "▁"}
LETTERS |= dict(
    zip([b for b in range(256) if b not in _PRINTABLE], map(chr, _OTHERS), strict=False)
)


def of_pieces(*pieces):
    return dict(enumerate(pieces, start=3))


@pytest.mark.parametrize(
    ("pieces", "expected"),
    [
        pytest.param({}, "none", id="empty"),
        pytest.param(of_pieces("▁he", "llo", "你", "😀"), "none", id="text"),
        pytest.param(of_pieces("a", *HEX, "b"), "hex", id="whole run"),
        pytest.param(of_pieces("a", "<0x41>", "b"), "none", id="CASE-012 one byte"),
        pytest.param(of_pieces(*HEX[:255]), "none", id="the last is missing"),
        pytest.param(of_pieces(*HEX[:9], "a", *HEX[9:]), "none", id="a piece between"),
        pytest.param(of_pieces(*HEX[::-1]), "none", id="out of order"),
        pytest.param(of_pieces(*HEX, "<0x00>"), "none", id="a byte twice"),
        pytest.param(of_pieces("▁Ƌţ", "Ņƌ", "ŋţ", "▁hi"), "bbpe", id="CASE-013 bbpe"),
        pytest.param(of_pieces("▁Ƌţ", "你"), "none", id="a piece in no letters"),
        pytest.param(of_pieces("▁Ƌţ", "ţţţţ"), "none", id="four continuations"),
        pytest.param(of_pieces("▁Ƌţ", "ƋƋ"), "none", id="two beginnings in a row"),
        pytest.param(of_pieces("š", "ž", "œ"), "none", id="a letter at a time"),
        pytest.param(of_pieces("▁hi", "there"), "none", id="ASCII alone shows nothing"),
    ],
)
def test_guess(pieces, expected):
    assert byte_guess.guess(pieces, ()) == expected


@pytest.mark.parametrize(
    "text", ["你好世界", "naïve café", "Привет, мир", "😀 ok 한국어"]
)
def test_any_cut_of_text_in_letters_is_found(text):
    # icefall's own mapping, written from its definition: see byte_pieces.
    letters = "".join(LETTERS[byte] for byte in text.encode())
    for seed in range(20 * conftest.SCALE):
        rng = random.Random(seed)
        cuts = sorted(rng.sample(range(1, len(letters)), rng.randint(0, 5)))
        edges = [0, *cuts, len(letters)]
        pieces = {letters[a:b] for a, b in itertools.pairwise(edges)} | {letters}
        assert byte_guess.guess(of_pieces(*pieces), ()) == "bbpe", pieces


@pytest.mark.parametrize(
    "words",
    [
        pytest.param(
            "āda čūska ēst ģimene īss ķirsis ļoti ņemt šis ūdens žēl", id="lv"
        ),
        pytest.param("ąžuolas čia ęsąs ėmė įmonė šuo ųjų ūkas žodis", id="lt"),
        pytest.param("ěšč řka žena", id="cs"),
        pytest.param("ğış şu kış", id="tr"),
    ],
)
def test_words_of_latin_letters_are_text(words):
    assert byte_guess.guess(of_pieces(*words.split()), ()) == "none"


def test_names_of_special_ids_do_not_count():
    pieces = {0: "<blk>", 1: "<中>", 2: "▁Ƌţ"}
    assert byte_guess.guess(pieces, {0}) == "none"
    assert byte_guess.guess(pieces, {0, 1}) == "bbpe"
