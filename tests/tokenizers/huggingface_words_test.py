"""Tests for huggingface: the laws, over vocabularies of words and letters."""

import tokenizers as reference
from tokenizers import decoders

from tests.tokenizers import huggingface_laws
from tests.tokenizers import laws
from tests.tokenizers import small_tokenizers as small


class MetaspaceLaws(huggingface_laws.HuggingFaceLaws):
    added_tokens, specials = small.CONTROLS, (0, 1, 2)
    favoured = [3, 4, 5, 9, 10]

    def make(self):
        return small.metaspace(self.prepend_scheme)


class TestMetaspaceAlways(MetaspaceLaws):
    prepend_scheme = "always"


class TestMetaspaceFirst(MetaspaceLaws):
    prepend_scheme = "first"


class TestMetaspaceNever(MetaspaceLaws):
    prepend_scheme = "never"


class TestWordPiece(huggingface_laws.HuggingFaceLaws):
    added_tokens, specials = small.WORD_PIECE_ADDED, (0, 1, 2)

    def make(self):
        return small.word_piece()


class TestNoDecoder(huggingface_laws.HuggingFaceLaws):
    added_tokens, specials = small.WORD_LEVEL_ADDED, (0, 1)

    def make(self):
        return small.word_level()


class TestCtc(huggingface_laws.HuggingFaceLaws):
    added_tokens, specials = small.CTC_ADDED, (1, 2, 3)
    favoured = [0, 4, 5, 6, 17, 18]

    def make(self):
        return small.ctc()


class TestEndOfWord(huggingface_laws.HuggingFaceLaws):
    def make(self):
        return small.end_of_word()


class TestFuse(huggingface_laws.HuggingFaceLaws):
    added_tokens, specials = small.WORD_LEVEL_ADDED, (0, 1)

    def make(self):
        return small.word_level(decoders.Fuse())


class TestUnknownDecoder(huggingface_laws.HuggingFaceLaws):
    """A decoder that looks at all of the text, so streams render all of it."""

    added_tokens, specials = small.WORD_LEVEL_ADDED, (0, 1)
    constant_cost = False

    def make(self):
        pattern = reference.Regex("o")
        return small.word_level(
            decoders.Sequence([decoders.Fuse(), decoders.Replace(pattern, "0")])
        )

    # The defaults hold marks at the end, which the vocabulary has as text.
    def test_what_is_held_back_can_still_change(self, tokenizer):
        ids = [tokenizer.encode("\ufffd")[0]]
        assert laws.one_by_one(tokenizer, ids) == ("", "\ufffd")
