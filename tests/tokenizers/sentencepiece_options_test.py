"""Tests for sentencepiece: the laws, where blanks have rules of their own."""

from tests.tokenizers import sentencepiece_laws


class TestNoDummyPrefix(sentencepiece_laws.SentencePieceLaws):
    name = "no_dummy_prefix"


class TestExtraWhitespace(sentencepiece_laws.SentencePieceLaws):
    name = "bytes_extra_whitespace"


class TestSuffix(sentencepiece_laws.SentencePieceLaws):
    name = "suffix"
