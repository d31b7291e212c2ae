"""Tests for whisper: the laws, over the published vocabularies."""

import itertools

import hypothesis
from hypothesis import strategies as st
import pytest

from oasr import tokenizers
from tests.tokenizers import laws
from tests.tokenizers import small_tokenizers as small
from tests.tokenizers import whisper_assets


class WhisperLaws(laws.TokenizerLaws):
    family, timestamps = "v2", True

    @pytest.fixture(scope="class")
    @classmethod
    def tokenizer(cls, tmp_path_factory):
        folder = tmp_path_factory.mktemp("whisper")
        path = whisper_assets.write(folder, cls.family, timestamps=cls.timestamps)
        options = {"vocab_size": whisper_assets.VOCAB_SIZE[cls.family]}
        spec = tokenizers.TokenizerSpec("whisper", {"tokenizer": str(path)}, options)
        return tokenizers.build_tokenizer(spec)

    @pytest.fixture
    def special_ids(self):
        end = whisper_assets.EOT[self.family]
        return set(range(end, whisper_assets.VOCAB_SIZE[self.family]))

    def favourites(self, tokenizer):
        # Blanks, halves of characters, a blank with half of one, marks, text.
        texts = [" hello", " ", "\n", "\u3000", "副", "😀", " 你", "\ufffd", "é", "!"]
        return sorted({i for text in texts for i in tokenizer.encode(text)})

    def continuations(self, tokenizer):
        # The first 256 ids are single bytes.
        ids = [tokenizer.encode(text) for text in ("é", "中", "\u3000", "😀", "a")]
        single = [[i] for i in sorted({*itertools.chain(*ids), *range(94, 256)})]
        few = [[tokenizer._built.token_to_id(letter)] for letter in small_letters()]
        pairs = [a + b for a, b in itertools.product(few, few)]
        return single + pairs + [a + b for a, b in itertools.product(pairs, few)]

    def normal_form(self, text):
        return text.strip()

    def control_texts(self, tokenizer):
        return ["<|endoftext|>", "<|en|>", "<|0.00|>", "<|notimestamps|>"]

    # Two runtimes of 50,000 pieces are written and read: few will do.
    @hypothesis.given(data=st.data())
    @hypothesis.settings(max_examples=3)
    def test_a_pickled_tokenizer_is_the_same(self, tokenizer, data):
        law = laws.TokenizerLaws.test_a_pickled_tokenizer_is_the_same
        law.hypothesis.inner_test(self, tokenizer, data)


def small_letters():
    """The letters of some bytes that go on with a character."""
    return [small.LETTER_OF[byte] for byte in (0x80, 0x90, 0x98, 0x9A, 0xA0, 0xBD)]


class TestMultilingual(WhisperLaws):
    pass


class TestEnglishOnlyWithoutTimestampsInTheFile(WhisperLaws):
    family, timestamps = "en", False


@pytest.fixture(scope="module", params=["en", "v2", "v3"])
def family(request):
    return request.param


@pytest.fixture(scope="module")
def path(tmp_path_factory, family):
    return whisper_assets.write(tmp_path_factory.mktemp("whisper"), family)


@pytest.fixture(scope="module")
def bare_path(tmp_path_factory, family):
    folder = tmp_path_factory.mktemp("bare")
    return whisper_assets.write(folder, family, timestamps=False)


def test_the_end_of_text_is_read_from_the_file(path, family):
    tokenizer = tokenizers.WhisperTokenizer(path)
    assert tokenizer.eot_id == whisper_assets.EOT[family]
    assert tokenizer.vocab_size == whisper_assets.VOCAB_SIZE[family]


def test_control_goes_on_to_the_models_size_behind_the_files(bare_path, family):
    size = whisper_assets.VOCAB_SIZE[family]
    short = tokenizers.WhisperTokenizer(bare_path)
    assert short.vocab_size == size - 1501
    assert max(short.special_ids) == size - 1502
    tokenizer = tokenizers.WhisperTokenizer(bare_path, vocab_size=size)
    assert tokenizer.special_ids == set(range(whisper_assets.EOT[family], size))
    assert tokenizer.decode([*tokenizer.encode(" a"), size - 1]) == "a"
    assert tokenizer.is_text([size - 1, size, 0]).tolist() == [False, False, True]


def test_any_id_can_be_the_end_of_text(path):
    tokenizer = tokenizers.WhisperTokenizer(path, 1000)
    assert tokenizer.eot_id == 1000
    assert tokenizer.decode([0, 999, 1000, 40000]) == tokenizer.decode([0, 999])
    assert min(tokenizer.special_ids) == 1000
    ids = tokenizer.encode(" an extraordinary sentence", split_special_tokens=True)
    assert max(ids) < 1000
    assert tokenizer.decode(ids) == "an extraordinary sentence"


@pytest.mark.parametrize("eot_id", [-1, 60000, "50257", 50257.0, True])
def test_a_bad_end_of_text_is_refused(path, eot_id):
    with pytest.raises(ValueError, match=r"eot_id must be an id .* in \[0, 5186"):
        tokenizers.WhisperTokenizer(path, eot_id)


def test_a_file_without_an_end_of_text_is_refused(tmp_path):
    path = small.write(tmp_path / "tokenizer.json", small.byte_level())
    with pytest.raises(tokenizers.AssetError, match=r"json: .* no '<\|endoftext\|>'"):
        tokenizers.WhisperTokenizer(path)
    assert tokenizers.WhisperTokenizer(path, 256).decode([*b" a ", 256]) == "a"


def test_a_vocabulary_that_is_not_byte_level_is_refused(tmp_path):
    added = [small.added(9, "<|endoftext|>")]
    path = small.write(tmp_path / "tokenizer.json", small.word_level(), added)
    with pytest.raises(tokenizers.AssetError, match="expected a ByteLevel decoder"):
        tokenizers.WhisperTokenizer(path)
