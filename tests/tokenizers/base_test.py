"""Tests for base: the laws over the defaults, on a kind that rewrites its text."""

import re

import pytest

from oasr import tokenizers
from tests.tokenizers import laws


class ToyTokenizer(tokenizers.Tokenizer):
    """Ids 3 to 28 are letters; 29 makes the letter before it a capital one.

    So a letter is not final until the next id is known: `settled` says so.
    """

    vocab_size = 30
    special_ids = frozenset({0, 1})

    def decode(self, ids):
        kept = [i for i in tokenizers.base.token_ids.as_list(ids) if 3 <= i < 30]
        text = "".join("^" if i == 29 else chr(ord("a") + i - 3) for i in kept)
        return re.sub(r"([a-z])\^", lambda match: match[1].upper(), text)

    def encode(self, text, *, split_special_tokens=False):
        if split_special_tokens:
            text = re.sub(r"<[01]>", "", text)
        return [ord(c) - ord("a") + 3 for c in text if "a" <= c <= "z"]

    def settled(self, ids):
        text = self.decode(ids)
        return len(text) - (text[-1:].islower())


class RestlessTokenizer(ToyTokenizer):
    """Calls all of its text settled, which it is not."""

    def settled(self, ids):
        return len(self.decode(ids))


class TestDefaults(laws.TokenizerLaws):
    constant_cost = False

    @pytest.fixture(scope="class")
    @classmethod
    def tokenizer(cls):
        return ToyTokenizer()

    @pytest.fixture
    def special_ids(self):
        return {0, 1}

    def favourites(self, tokenizer):
        return [3, 4, 29]

    def control_texts(self, tokenizer):
        return ["<0>", "<1>"]

    def normal_form(self, text):
        return "".join(re.findall("[a-z]", text))


def test_a_kind_that_rewrites_settled_text_is_named():
    tokenizer = RestlessTokenizer()
    state = tokenizer.new_decode_state()
    assert tokenizer.decode_incremental([3], state) == "a"
    with pytest.raises(RuntimeError, match="RestlessTokenizer"):
        tokenizer.decode_incremental([29], state)


def test_a_mark_for_broken_bytes_is_held_by_default():
    class Marks(ToyTokenizer):
        def decode(self, ids):
            return "".join("\ufffd" if i == 3 else "x" for i in ids)

        settled = tokenizers.Tokenizer.settled

    state = Marks().new_decode_state()
    deltas = [Marks().decode_incremental([i], state) for i in (4, 3, 3)]
    assert (deltas, state["text"]) == (["x", "", ""], "x\ufffd\ufffd")
    assert Marks().decode_incremental([4], state) == "\ufffd\ufffdx"


def test_an_abstract_member_must_be_there():
    with pytest.raises(TypeError, match="abstract"):
        tokenizers.Tokenizer()
