"""Tests for streams and pieces of funasr_char, against FunASR and brute force."""

import itertools
import json
import os
import random
import string

import pytest

from oasr import tokenizers
from tests import conftest
from tests.tokenizers import funasr_reference as reference
from tests.tokenizers import laws
from tests.tokenizers import random_ids

# One token of each sort, so that whatever could happen to a text can.
EACH_SORT = ["\u4f60", "\u597d", "hello", "a", "b", "he@@", "-@@", "\uff0c"]


@pytest.fixture
def build(tmp_path):
    def build_from(tokens):
        path = tmp_path / "tokens.json"
        path.write_text(json.dumps(["<blank>", *tokens]))
        return tokenizers.FunASRCharTokenizer(path, special_ids=[0])

    return build_from


def text_of(tokens):
    return reference.sentence_postprocess(tokens)[0]


def test_decode_is_funasrs_sentence(build):
    tokens = [*reference.USUAL, *reference.ODD]
    tokenizer = build(tokens)
    id_of = {token: i for i, token in enumerate(tokens, start=1)}
    rng = random.Random(3)
    for _ in range(2_000 * conftest.SCALE):
        words = reference.random_words(rng)
        ids = [id_of[word] for word in words]
        expected = text_of(words)
        assert tokenizer.decode(ids) == expected
        given, rest = laws.one_by_one(tokenizer, ids)
        assert given + rest == expected
        assert "".join(tokenizer.token_pieces(ids)) == expected


def test_random_ids_obey_the_laws(build):
    tokens = ["<blank>", *reference.USUAL, *reference.ODD]
    tokenizer = build(tokens[1:])
    rng = random.Random(8)

    def render(ids):
        return text_of([tokens[i] for i in ids])

    for _ in range(100):  # Of a few tokens at a time, that they meet more often.
        favourites = rng.sample(range(1, len(tokens)), 6)
        count = 20 * conftest.SCALE
        random_ids.check_laws(rng, tokenizer, favourites, count, render)


@pytest.mark.parametrize("odd", [False, True])
def test_all_that_no_token_can_change_is_given_out(build, odd):
    rng = random.Random(4)
    for _ in range(15 * conftest.SCALE):
        pool = reference.ODD if odd else reference.USUAL
        vocabulary = [*dict.fromkeys([*rng.sample(pool, 5), *EACH_SORT])]
        tokenizer = build(vocabulary)
        for _ in range(10):
            words = rng.choices(rng.sample(vocabulary, 4), k=rng.randrange(8))
            text = text_of(words)
            ids = [vocabulary.index(word) + 1 for word in words]
            settled = tokenizer.settled(ids)
            assert settled == common_to_all(text, words, vocabulary, settled), words
            assert laws.one_by_one(tokenizer, ids)[0] == text[:settled]


def common_to_all(text, words, vocabulary, enough):
    """How much of `text` is left whatever one or two tokens follow, at least."""
    common = len(text)
    for count in (1, 2):
        for more in itertools.product(vocabulary, repeat=count):
            later = text_of([*words, *more])
            common = min(common, len(os.path.commonprefix([text, later])))
        # More tokens change no less.
        assert common >= enough, words
    return common


def test_the_default_stream_gives_out_the_same(build):
    tokens = [*reference.USUAL, *reference.ODD]
    tokenizer = build(tokens)
    rng = random.Random(5)
    for _ in range(500 * conftest.SCALE):
        ids = [tokens.index(word) + 1 for word in reference.random_words(rng)]
        state, plain = tokenizer.new_decode_state(), tokenizers.DecodeState()
        for token_id in ids:
            delta = tokenizer.decode_incremental([token_id], state)
            base = tokenizers.Tokenizer.decode_incremental(tokenizer, [token_id], plain)
            assert delta == base
        assert state["text"] == plain["text"]
        assert tokenizer.flush_incremental(state) == plain.finish()


# Pieces: each token is put in a disguise that FunASR treats alike and in which every
# character is there once; so its own text shows where the characters went.


class Disguise:
    def __init__(self, words):
        self.owner = {}  # Of each character, in small letters.
        self._words = iter(map(chr, range(0xAC00, 0xD7A3)))
        self._letters = iter(string.ascii_lowercase)
        self._marks = iter(map(chr, range(0xE000, 0xF8FF)))
        self._han = iter(map(chr, range(0x4E00, 0x9FFF)))
        self.words = [self._dress(index, word) for index, word in enumerate(words)]

    def _dress(self, index, word):
        if word in reference.NAMES:
            return word
        for sort, characters in [
            (reference.HAN, self._han),
            (reference.LETTERS, self._letters),
            (reference.MARKS, self._marks),
            (reference.WORDS, self._words),
        ]:
            if word in sort:
                dress = "".join(next(characters) for _ in word)
                break
        else:
            dress = "".join(next(self._words) for _ in word.removesuffix("@@"))
        self.owner.update(dict.fromkeys(dress, index))
        return dress + "@@" if word in reference.PARTS else dress


def lengths_by_disguise(words):
    """How many characters of the text each token has: law 5 from FunASR's text."""
    disguise = Disguise(words)
    lengths, blanks, latest = [0] * len(words), 0, -1
    word = []  # Owners of the characters of a word that is not complete.
    for character in text_of(disguise.words):
        if character == " ":
            blanks += 1
            continue
        word.append(disguise.owner[character.lower()])
        if words[word[-1]] in reference.PARTS:
            continue
        # The rest of the completing token is a word without parts of its own.
        if word[0] < latest:
            word = [word[-1]] * len(word)
        lengths[word[0]] += blanks
        for owner in word:
            lengths[owner] += 1
        latest, blanks = max(latest, word[-1]), 0
        word = []
    return lengths


def test_pieces_are_the_text_of_their_tokens(build):
    tokens = [word for word in reference.USUAL if word != "\u3000"]
    tokenizer = build(tokens)
    rng = random.Random(6)
    for _ in range(3_000 * conftest.SCALE):
        words = rng.choices(rng.sample(tokens, 6), k=rng.randrange(14))
        ids = [tokens.index(word) + 1 for word in words]
        pieces = tokenizer.token_pieces(ids)
        assert list(map(len, pieces)) == lengths_by_disguise(words), words


def test_a_long_open_word_is_cheap(build):
    tokenizer = build(["he@@", "o"])
    ids = [1] * 50_000 + [2]
    text = "he" * 50_000 + "o"
    assert laws.one_by_one(tokenizer, ids) == (text, "")
    assert tokenizer.token_pieces(ids) == ["he"] * 50_000 + ["o"]
