"""Tests for sentencepiece: the laws, in models with byte fallback."""

from tests.tokenizers import sentencepiece_laws


class TestNothingSpecial(sentencepiece_laws.SentencePieceLaws):
    name, special = "bytes", []

    def normal_form(self, text):
        return self.processor.decode(self.processor.encode(text))


class TestBytesAreSpecial(sentencepiece_laws.SentencePieceLaws):
    name, special = "unigram_bytes", [0, 1, 2, 3, 3 + 0xE4, 3 + 0x80, 10_000]


class TestIcefallBytes(sentencepiece_laws.SentencePieceLaws):
    name = "icefall_bytes"
