"""Tests for paraformer: one list, in whatever file it is."""

import json

import pytest

from oasr import checkpoints
from oasr import tokenizers
from tests.checkpoints import layouts

TOKENS = layouts.PARAFORMER
TABLE = "".join(f"{token} {i}\n" for i, token in enumerate(TOKENS))
YAML = "model: Paraformer\nfrontend_conf: {frame_shift: 10, lfr_m: 7, lfr_n: 6}\n"
YAML_LIST = "token_list:\n" + "".join(f"- '{token}'\n" for token in TOKENS)


def convert(folder, files):
    converted = checkpoints.convert_checkpoint(layouts.lay(folder, files))
    return converted, tokenizers.build_tokenizer(converted.tokenizer)


@pytest.mark.parametrize(
    "files",
    [
        pytest.param({"tokens.json": TOKENS}, id="tokens.json"),
        pytest.param({"tokens.json": TOKENS, "config.yaml": YAML}, id="both"),
        pytest.param({"config.yaml": YAML + YAML_LIST}, id="config.yaml"),
        pytest.param({"tokens.txt": TABLE}, id="sherpa-onnx"),
        pytest.param({"words.txt": TABLE}, id="WeNet's table"),
        pytest.param({"vocab.txt": "\n".join(TOKENS)}, id="bare lines"),
        pytest.param({"tokens.txt": "\r\n".join(TOKENS) + "\r\n"}, id="bare, CRLF"),
        pytest.param(
            {"units.txt": TABLE, "train.yaml": "model: paraformer\n"}, id="WeNet's own"
        ),
    ],
)
def test_the_list_is_found(tmp_path, files):
    converted, tokenizer = convert(tmp_path, files)
    assert converted.family == "paraformer"
    assert converted.tokenizer.kind == "funasr_char"
    assert converted.tokenizer.options == {"special_ids": [0, 1, 2, 8]}
    assert (converted.vocab_size, converted.blank_id) == (9, 0)
    assert converted.seconds_per_frame == 0.06
    assert tokenizer.decode([1, 5, 6, 3, 4, 2]) == "hello你好"
    assert tokenizer.encode("你好") == [3, 4]


@pytest.mark.parametrize("name", ["config.yaml", "tokens.txt", "vocab.txt"])
def test_a_list_that_was_made_is_saved_beside(tmp_path, name):
    text = {"config.yaml": YAML + YAML_LIST, "tokens.txt": TABLE}
    files = {name: text.get(name, "\n".join(TOKENS))}
    converted, before = convert(tmp_path / "checkpoint", files)
    again, _ = convert(tmp_path / "checkpoint", files)
    assert again == converted
    saved = converted.save(tmp_path / "output")
    assert (
        json.loads((tmp_path / "output" / "tokens.json").read_text("utf-8")) == TOKENS
    )
    loaded = checkpoints.ConvertedCheckpoint.load(tmp_path / "output")
    assert loaded == saved
    after = tokenizers.build_tokenizer(loaded.tokenizer)
    assert after.decode([5, 6, 3]) == before.decode([5, 6, 3]) == "hello你"


def test_the_vocabulary_is_in_tokens_json_case_109(tmp_path):
    files = {
        "config.yaml": "tokenizer: CharTokenizer\n",
        "tokens.json": ["<blank>", "<s>", "</s>", "你", "<unk>"],
    }
    assert convert(tmp_path, files)[1].decode([3]) == "你"


@pytest.mark.parametrize(
    ("files", "message"),
    [
        (
            {"tokens.json": []},
            "tokens.json: expected a JSON array of strings, found an",
        ),
        ({"config.yaml": YAML + "token_list: []"}, "found an empty one"),
        ({"config.yaml": YAML + "token_list: a"}, "as token_list, found str"),
        (
            {"config.yaml": YAML + "token_list: [<blank>, no]"},
            r"token_list\[1\] must be",
        ),
        ({"config.yaml": YAML}, "no token list is there"),
        ({"config.yaml": "model: Paraformer\ntoken_list: [a, *b]"}, "undefined alias"),
        (
            {"vocab.txt": "<blank>\n\na@@\n"},
            "vocab.txt:2: expected a token, found an em",
        ),
        ({"tokens.json": ["<blank>", "<blank>"]}, "the name '<blank>' has two ids"),
        ({"tokens.json": ["a", "b"]}, "tokens.json names no blank"),
        ({"vocab.txt": "<blank>\na\n"}, 'vocab.txt holds no "@@" parts of words'),
    ],
)
def test_a_bad_list_is_refused(tmp_path, files, message):
    with pytest.raises(tokenizers.AssetError, match=message):
        convert(tmp_path, files)


def test_the_frame_is_that_of_the_configuration(tmp_path):
    files = {"tokens.json": TOKENS, "config.yaml": YAML.replace("lfr_n: 6", "lfr_n: 1")}
    assert convert(tmp_path, files)[0].seconds_per_frame == 0.01


def test_parts_of_words_are_what_a_table_cannot_join(tmp_path):
    said = checkpoints.rank_claims(layouts.lay(tmp_path, {"words.txt": TABLE}))
    assert [claim.converter for claim in said[:2]] == ["paraformer", "wenet"]
    assert said[1].strength is checkpoints.Strength.POSSIBLE
