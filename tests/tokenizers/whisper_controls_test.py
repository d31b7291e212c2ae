"""Tests for the names of Whisper's control tokens, against its own tokenizer."""

import pytest

from oasr import tokenizers
from tests.tokenizers import whisper_assets


@pytest.fixture(scope="module", params=["en", "v2", "v3"])
def family(request):
    return request.param


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("whisper")


@pytest.fixture(scope="module", params=[True, False], ids=["whole", "stops short"])
def tokenizer(request, folder, family):
    path = whisper_assets.write(folder, family, timestamps=request.param)
    size = whisper_assets.VOCAB_SIZE[family]
    return tokenizers.WhisperTokenizer(path, vocab_size=size)


def test_every_name_has_the_id_of_the_reference(tokenizer, folder, family):
    named = whisper_assets.reference(folder, family).encoding._special_tokens
    assert len(named) == len(tokenizer.special_ids)
    found = {name: tokenizer.control_id(name) for name in named}
    assert found == named
    assert tokenizer.control_id("<|30.00|>") == tokenizer.vocab_size - 1


def test_067_both_spellings_of_no_speech_are_one(tokenizer, family):
    expected = {"en": 50361, "v2": 50362, "v3": 50363}[family]
    assert tokenizer.control_id("<|nospeech|>") == expected
    assert tokenizer.control_id("<|nocaptions|>") == expected


@pytest.mark.parametrize("name", ["en", "<|prev|>", "<|30.02|>", "", "hello", "<|xx|>"])
def test_a_name_that_is_not_there_is_refused(tokenizer, name):
    with pytest.raises(ValueError, match="has no control token") as refusal:
        tokenizer.control_id(name)
    assert repr(name) in str(refusal.value)


def test_066_cantonese_came_with_large_v3(tokenizer, family):
    if family == "v3":
        assert tokenizer.control_id("<|yue|>") == 50358
        assert tokenizer.control_id("<|notimestamps|>") == 50364
    else:
        with pytest.raises(ValueError, match=r"no control token '<\|yue\|>'"):
            tokenizer.control_id("<|yue|>")


def test_068_the_name_of_a_near_miss_is_said(tokenizer, family):
    expected = {"en": 50360, "v2": 50361, "v3": 50362}[family]
    assert tokenizer.control_id("<|startofprev|>") == expected
    with pytest.raises(ValueError, match=r"\['<\|startofprev\|>'\] have it in their"):
        tokenizer.control_id("<|prev|>")


@pytest.mark.parametrize("name", [["x"], {"x"}, {}, None, 50257, b"<|en|>"])
def test_a_name_is_a_text(tokenizer, name):
    with pytest.raises(TypeError, match="Expected the name of a control") as refusal:
        tokenizer.control_id(name)
    assert f"got {name!r} of type {type(name).__name__}" in str(refusal.value)


def test_without_the_models_size_there_are_no_timestamps(folder, family):
    path = whisper_assets.write(folder, family, timestamps=False)
    tokenizer = tokenizers.WhisperTokenizer(path)
    with pytest.raises(ValueError, match=r"no control token '<\|0.00\|>'"):
        tokenizer.control_id("<|0.00|>")
