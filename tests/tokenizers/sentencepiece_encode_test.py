"""Tests for sentencepiece: text to ids, with the library's own ids as right values."""

import pickle
import sys

import hypothesis
from hypothesis import strategies as st
import pytest

from oasr import tokenizers
from tests.tokenizers import languages
from tests.tokenizers import package_files
from tests.tokenizers import sentencepiece_laws
from tests.tokenizers import sentencepiece_models

MODELS = [*sentencepiece_models.OPTIONS, "published"]


def load(folder, name, special_ids=None):
    """A tokenizer, and the library's processor of the same model."""
    if name == "published":
        path = package_files.find("mistral_model", "tokenizer.model.v1")
        content = path.read_bytes()
    else:
        content = sentencepiece_models.model(name)
    tokenizer = sentencepiece_laws.build(folder, content, special_ids)
    return tokenizer, sentencepiece_models.reference(content)


def test_there_are_sixty_languages():
    assert len(languages.SENTENCES) >= 60
    assert len(set(languages.SENTENCES.values())) == len(languages.SENTENCES)


@pytest.mark.parametrize("name", MODELS)
def test_ids_are_the_librarys(tmp_path, name):
    tokenizer, processor = load(tmp_path, name)
    for text in [*languages.SENTENCES.values(), *languages.HOSTILE]:
        assert tokenizer.encode(text) == processor.encode(text)


@pytest.mark.parametrize("name", MODELS)
def test_round_trips_are_the_librarys(tmp_path, name):
    tokenizer, processor = load(tmp_path, name, special_ids=[])
    for text in [*languages.SENTENCES.values(), *languages.HOSTILE]:
        ids = tokenizer.encode(text)
        assert tokenizer.decode(ids) == processor.decode(processor.encode(text))
        state = tokenizer.new_decode_state()
        deltas = [tokenizer.decode_incremental([i], state) for i in ids]
        assert "".join(deltas) + tokenizer.flush_incremental(state) == tokenizer.decode(
            ids
        )
        assert "".join(tokenizer.token_pieces(ids)) == tokenizer.decode(ids)


@pytest.mark.parametrize("tag", languages.SENTENCES)
def test_every_language_comes_back_from_a_published_model(tmp_path, tag):
    # It falls back on bytes and changes no character, so nothing is lost.
    tokenizer, _ = load(tmp_path, "published")
    text = languages.SENTENCES[tag]
    assert tokenizer.decode(tokenizer.encode(text)) == text
    assert tokenizer.decode(tokenizer.encode(text, split_special_tokens=True)) == text


@pytest.mark.parametrize("name", MODELS)
def test_harmless_text_has_the_same_ids_when_it_is_a_users(tmp_path, name):
    tokenizer, _ = load(tmp_path, name)
    for text in languages.SENTENCES.values():
        assert tokenizer.encode(text, split_special_tokens=True) == tokenizer.encode(
            text
        )


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("special_ids", [[0, 1, 2], range(40), range(0, 10**6, 3)])
def test_a_users_text_becomes_no_special_id(tmp_path, name, special_ids):
    tokenizer, processor = load(tmp_path, name, special_ids)
    pieces = [processor.id_to_piece(i) for i in range(min(300, len(processor)))]
    texts = [*pieces, "".join(pieces), " ".join(pieces), *languages.HOSTILE]
    for text in [*texts, *languages.SENTENCES.values()]:
        ids = tokenizer.encode(text, split_special_tokens=True)
        assert set(ids) & tokenizer.special_ids <= {tokenizer.unk_id}


def test_a_symbol_that_is_special_is_text_when_a_user_types_it(tmp_path):
    tokenizer, processor = load(tmp_path, "icefall_bytes")
    text = "<blk> hello <sos/eos>"
    assert {0, 1} <= set(processor.encode(text))
    ids = tokenizer.encode(text, split_special_tokens=True)
    assert not {0, 1, 2} & set(ids)
    assert tokenizer.decode(ids) == text


def test_a_symbol_that_is_not_special_stays_a_symbol(tmp_path):
    tokenizer, processor = load(tmp_path, "symbols", special_ids=[0, 1, 2])
    symbol = processor.piece_to_id("<sil>")
    assert symbol in tokenizer.encode("a <sil> b", split_special_tokens=True)
    tokenizer, _ = load(tmp_path, "symbols", special_ids=[0, 1, 2, symbol])
    assert symbol in tokenizer.encode("a <sil> b")
    assert symbol not in tokenizer.encode("a <sil> b", split_special_tokens=True)


def test_control_pieces_are_text_in_both_ways(tmp_path):
    tokenizer, _ = load(tmp_path, "bytes")
    for text in ("<s>", "</s>", "<unk>"):
        for split in (False, True):
            ids = tokenizer.encode(text, split_special_tokens=split)
            assert not {0, 1, 2} & set(ids)
            assert tokenizer.decode(ids) == text


def test_unk_is_for_text_that_the_vocabulary_lacks(tmp_path):
    tokenizer, _ = load(tmp_path, "unigram")
    assert tokenizer.unk_id == 0
    assert 0 in tokenizer.encode("hello 𐍈", split_special_tokens=True)
    assert 0 not in tokenizer.encode("hello", split_special_tokens=True)


@hypothesis.given(text=st.text())
def test_a_pickled_tokenizer_encodes_alike(tmp_path_factory, text):
    tokenizer, _ = load(tmp_path_factory.mktemp("model"), "icefall_bytes")
    twin = pickle.loads(pickle.dumps(tokenizer))
    for split in (False, True):
        ids = tokenizer.encode(text, split_special_tokens=split)
        assert twin.encode(text, split_special_tokens=split) == ids
    assert twin.unk_id == tokenizer.unk_id == 2


def test_a_pickle_needs_no_file(tmp_path):
    tokenizer, _ = load(tmp_path, "bytes")
    content = pickle.dumps(tokenizer)
    (tmp_path / "bpe.model").unlink()
    assert pickle.loads(content).decode(tokenizer.encode("hello")) == "hello"


@pytest.mark.parametrize("split", [False, True])
def test_half_of_a_surrogate_pair_is_refused(tmp_path, split):
    tokenizer, _ = load(tmp_path, "bytes")
    with pytest.raises(ValueError, match=r"position 2 is the lone surrogate '\\ud83d'"):
        tokenizer.encode("ab\ud83d", split_special_tokens=split)


@pytest.mark.parametrize("text", [b"ab", None, ["ab"], 3])
def test_what_is_no_text_is_refused(tmp_path, text):
    tokenizer, _ = load(tmp_path, "bytes")
    with pytest.raises(TypeError, match="Expected a text to encode, got"):
        tokenizer.encode(text)


def test_a_missing_library_is_named_before_the_file(monkeypatch):
    monkeypatch.setitem(sys.modules, "sentencepiece", None)
    with pytest.raises(ImportError, match=r"pip install 'oasr-server\[tokenizers\]'"):
        tokenizers.SentencePieceTokenizer("no such file")
