"""Tests for huggingface on Qwen2-Audio's vocabulary, against tiktoken."""

import unicodedata

import hypothesis
from hypothesis import strategies as st
import pytest

from oasr import tokenizers
from tests.tokenizers import languages
from tests.tokenizers import laws
from tests.tokenizers import qwen2_audio

PROMPT = qwen2_audio.prompt("What is that sound?", "这段录音里有什么？")


@pytest.fixture(scope="module")
def paths(tmp_path_factory):
    return qwen2_audio.write(tmp_path_factory.mktemp("qwen2_audio"))


@pytest.fixture(scope="module")
def merged(paths):
    path, config = paths
    files = {"tokenizer": str(path), "tokenizer_config": str(config)}
    options = {"vocab_size": 156032}  # The model's head is padded.
    spec = tokenizers.TokenizerSpec("huggingface", files, options)
    return tokenizers.build_tokenizer(spec)


@pytest.fixture(scope="module")
def reference():
    return qwen2_audio.reference()


class TestQwen2Audio(laws.TokenizerLaws):
    @pytest.fixture
    def tokenizer(self, merged):
        return merged

    @pytest.fixture
    def special_ids(self):
        return set(range(151643, 151643 + 3288))

    def favourites(self, tokenizer):
        texts = [" hello", " ", "\u3000", "鱻", "😀", " 你", "\ufffd", "é"]
        padded = [154931, 156031]
        return sorted({i for text in texts for i in tokenizer.encode(text)}) + padded

    def continuations(self, tokenizer):
        singles = [[i] for i in range(256)]  # The first ids are single bytes.
        few = [[i] for i in range(94, 256, 16)]
        pairs = [a + b for a in few for b in few]
        return singles + pairs + [a + b for a in pairs for b in few]

    def normal_form(self, text):
        return unicodedata.normalize("NFC", text)

    def control_texts(self, tokenizer):
        return qwen2_audio.NAMES[:8]

    # Two runtimes of 150,000 pieces are written and read: one time will do.
    @hypothesis.given(data=st.data())
    @hypothesis.settings(max_examples=1)
    def test_a_pickled_tokenizer_is_the_same(self, tokenizer, data):
        law = laws.TokenizerLaws.test_a_pickled_tokenizer_is_the_same
        law.hypothesis.inner_test(self, tokenizer, data)


def test_a_prompt_has_the_ids_of_the_reference(merged, reference):
    expected = reference.encode(PROMPT, allowed_special="all")
    assert expected.count(151646) == 2 * 101
    assert merged.encode(PROMPT) == expected


def test_without_the_config_a_prompt_has_other_ids(paths, reference):
    path, _ = paths
    alone = tokenizers.HuggingFaceTokenizer(path)
    ids = alone.encode(PROMPT)
    assert ids != reference.encode(PROMPT, allowed_special="all")
    assert ids.count(151646) == 0
    assert len(alone.encode("<|audio_bos|>")) > 1


def test_texts_have_the_ids_of_the_reference(merged, reference):
    for text in [*languages.SENTENCES.values(), *languages.HOSTILE]:
        form = unicodedata.normalize("NFC", text)
        expected = reference.encode(form, disallowed_special=())
        assert merged.encode(text, split_special_tokens=True) == expected
        assert merged.decode(expected) == form
        given, rest = laws.one_by_one(merged, expected)
        assert given + rest == form


def test_126_the_first_ids_are_marks(merged):
    assert merged.decode(merged.encode('!"#')) == '!"#'
    assert merged.decode([0, 1, 2]) == '!"#'
    assert merged.special_ids.isdisjoint({0, 1, 2})


def test_padded_ids_render_nothing_and_are_no_text(merged):
    ids = [39814, 154931, 156031, 156032, -1]
    assert merged.vocab_size == 156032
    assert merged.decode(ids) == merged.decode([39814])
    assert merged.is_text(ids).tolist() == [True, False, False, False, False]
