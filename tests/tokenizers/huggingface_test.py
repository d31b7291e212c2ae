"""Tests for huggingface: the laws, over vocabularies of bytes."""

import itertools

from tests.tokenizers import huggingface_laws
from tests.tokenizers import small_tokenizers as small


class TestByteLevel(huggingface_laws.HuggingFaceLaws):
    specials = (276, 281)
    added_tokens = small.BYTE_LEVEL_ADDED
    favoured = [0x20, 0xE4, 0xBD, 0xA0, 0xF0, 0x9F, 0x98, 0x80, 0xE3, 0xEF, 0xBF, 0xBD]
    favoured += [0xC0, 0xED, 0xFF, *range(256, 283)]

    def make(self):
        return small.byte_level()

    def continuations(self, tokenizer):
        singles = super().continuations(tokenizer)
        ids = [[byte] for byte in (0x80, 0x90, 0x9F, 0xA0, 0xBD)]
        pairs = [a + b for a, b in itertools.product(ids, ids)]
        return singles + pairs + [a + b for a, b in itertools.product(pairs, ids)]

    def normal_form(self, text):
        return text  # Byte-level, no normaliser.


class TestByteLevelWithSpecialIdsOfTheCaller(TestByteLevel):
    # A letter, a word and an id that is not there: all are dropped by number.
    specials = (0x41, 260, 276, 281, 999)
    options = {"special_ids": [0x41, 260, 999], "vocab_size": 2000}

    def normal_form(self, text):
        return text.replace("A", "").replace(" hello", "")


class TestByteFallback(huggingface_laws.HuggingFaceLaws):
    added_tokens, specials = small.CONTROLS, (0, 1, 2)
    favoured = [3 + byte for byte in b" \xe4\xbd\xa0\xf0\x9f\x98\x80\xff\xc3A"]
    favoured += [259, 260, 261, 268, 270]

    def make(self):
        return small.byte_fallback()

    def continuations(self, tokenizer):
        singles = super().continuations(tokenizer)
        ids = [[3 + byte] for byte in (0x80, 0x90, 0xA0)]
        pairs = [a + b for a, b in itertools.product(ids, ids)]
        return singles + pairs + [a + b for a, b in itertools.product(pairs, ids)]


class TestByteFallbackWithoutStrip(TestByteFallback):
    def make(self):
        return small.byte_fallback(strip=False, normalizer=False)
