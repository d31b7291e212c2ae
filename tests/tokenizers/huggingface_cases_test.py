"""Reported cases of the kind huggingface, on vocabularies built here."""

import numpy as np
import pytest

from oasr import tokenizers
from tests.tokenizers import huggingface_cases as cases
from tests.tokenizers import laws


def load(folder, vocabulary, config=None, **options):
    path = cases.write_vocabulary(folder, vocabulary)
    config_path = config and cases.write_config(folder, config)
    return tokenizers.HuggingFaceTokenizer(path, None, config_path, **options)


@pytest.mark.parametrize(("vocabulary", "ids", "deltas", "text"), cases.DECODED)
def test_decoded(tmp_path, vocabulary, ids, deltas, text):
    cases.check_decoded(load(tmp_path, vocabulary), ids, deltas, text)


@pytest.mark.parametrize(("vocabulary", "text", "ids"), cases.ENCODED)
def test_encoded(tmp_path, vocabulary, text, ids):
    assert load(tmp_path, vocabulary).encode(text) == ids


def test_056_what_stripping_tokens_take_does_not_come_back(tmp_path):
    tokenizer = load(tmp_path, "bl_added")
    ids = tokenizer.encode(" hello <L> world")
    assert tokenizer.decode(ids) == " hello<L>world"


def test_050_to_053_added_tokens(tmp_path):
    cases.check_configs(lambda *args, **options: load(tmp_path, *args, **options))


def test_052_an_id_that_is_taken_is_refused(tmp_path):
    with pytest.raises(
        tokenizers.AssetError,
        match=r"bl_collision_config.json: the added token '<\|y\|>' declares the id"
        " 260, which is 'Ġhello' already",
    ):
        load(tmp_path, "bl", "bl_collision_config")


def test_022_ids_of_any_integer_type(tmp_path):
    tokenizer = load(tmp_path, "bl")
    assert tokenizer.decode(np.array([97, 98], dtype=np.int32)) == "ab"
    assert tokenizer.decode([np.int64(97)]) == "a"
    assert tokenizer.decode(np.array([], dtype=float)) == ""
    state = tokenizer.new_decode_state()
    assert tokenizer.decode_incremental(np.array([97], dtype=np.uint8), state) == "a"
    with pytest.raises(TypeError, match="sequence of integers"):
        tokenizer.decode(np.array(97))


def test_125_half_characters_neither_show_nor_repeat_the_text(tmp_path):
    tokenizer, text = load(tmp_path, "bl"), "Grüße 你好 😀"
    ids = list(text.encode())
    state = tokenizer.new_decode_state()
    deltas = [tokenizer.decode_incremental([i], state) for i in ids]
    assert "".join(deltas) == text
    assert "\ufffd" not in "".join(deltas)
    assert "".join(tokenizer.token_pieces(ids)) == text
    assert laws.one_by_one(tokenizer, tokenizer.encode(text)) == (text, "")


def test_126_the_first_ids_are_text_unless_said_otherwise(tmp_path):
    tokenizer = load(tmp_path, "bl")
    assert tokenizer.special_ids.isdisjoint({0, 1, 2})
    assert tokenizer.decode([0, 1, 2]) == "\x00\x01\x02"
