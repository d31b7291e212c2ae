"""Tests for qwen2_audio: added tokens of two files, audio ids, the chat template."""

import json
import logging

import pytest

from oasr import checkpoints
from oasr import tokenizers
from tests.checkpoints import layouts
from tests.tokenizers import small_tokenizers as small

NAMES = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
NAMES += ["<|AUDIO|>", "<|audio_bos|>", "<|audio_eos|>", "<|0.00|>"]
SHORT = "{{ messages[-1].content }}<|im_end|>"
AFTER = [{"markup": "<|audio_eos|>"}, {"slot": "prompt"}, {"markup": "<|im_end|>"}]
TEMPLATE = "{% for m in messages %}<|im_start|>{{ m.content }}<|im_end|>{% endfor %}"


@pytest.fixture
def files(tmp_path):
    """Both files: tokenizer.json knows the first three added tokens."""
    path = small.write(tmp_path / "written.json", small.byte_level())
    content = json.loads(path.read_text(encoding="utf-8"))
    path.unlink()
    first = len(content["model"]["vocab"])
    entries = {first + n: small.added(first + n, name) for n, name in enumerate(NAMES)}
    content["added_tokens"] = list(entries.values())[:3]
    config = {"added_tokens_decoder": {str(i): {**e} for i, e in entries.items()}}
    for entry in config["added_tokens_decoder"].values():
        del entry["id"]
    return {
        "tokenizer.json": content,
        "tokenizer_config.json": config | {"chat_template": TEMPLATE},
    }, first


def convert(folder, files):
    converted = checkpoints.convert_checkpoint(layouts.lay(folder, files))
    return converted, tokenizers.build_tokenizer(converted.tokenizer)


def test_the_tokens_of_both_files_are_known(tmp_path, files):
    contents, first = files
    converted, tokenizer = convert(tmp_path, contents)
    assert converted.family == "llm"
    assert converted.tokenizer == tokenizers.TokenizerSpec(
        "huggingface",
        {
            "tokenizer": str(tmp_path / "tokenizer.json"),
            "tokenizer_config": str(tmp_path / "tokenizer_config.json"),
        },
    )
    assert converted.vocab_size == first + len(NAMES)
    assert converted.blank_id is None
    assert converted.seconds_per_frame == 0.04
    prompt = "<|audio_bos|><|AUDIO|><|audio_eos|>"
    assert tokenizer.encode(prompt) == [first + 4, first + 3, first + 5]
    assert tokenizer.decode([*tokenizer.encode("你好 hello 😀"), first + 2]) == (
        "你好 hello 😀"
    )


def test_the_extras_say_what_a_prompt_needs(tmp_path, files):
    contents, first = files
    extras = convert(tmp_path, contents)[0].extras
    assert extras["audio_token_id"] == first + 3
    assert (extras["audio_begin_id"], extras["audio_end_id"]) == (first + 4, first + 5)
    assert extras["stop_ids"] == [first, first + 2]
    assert extras["decode_options"]["end_ids"] == [first, first + 2]
    assert extras["decode_options"]["audio_id"] == first + 3
    assert extras["chat_template"] == TEMPLATE


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("chat_template.jinja", SHORT),
        ("chat_template.json", {"chat_template": SHORT}),
        (
            "chat_template.json",
            {"chat_template": [{"name": "default", "template": SHORT}]},
        ),
    ],
)
def test_a_template_of_its_own_file_counts(tmp_path, files, name, content):
    converted, _ = convert(tmp_path, files[0] | {name: content})
    assert converted.extras["chat_template"] == SHORT
    prompt = converted.extras["decode_options"]["prompts"]["shapes"]["prompt"]
    assert prompt == [{"markup": "<|audio_bos|>"}, {"audio": True}, *AFTER]


@pytest.mark.parametrize(
    ("template", "reason"),
    [
        ("{{ messages }}", "depends on what a user types"),
        ("{{ messages", "expected a chat template in Jinja"),
        (7, "found int"),
        ([{"name": "tool_use", "template": SHORT}], "found list"),
    ],
)
def test_a_template_that_cannot_be_compiled_is_refused(
    tmp_path, files, template, reason
):
    contents, _ = files
    contents["tokenizer_config.json"]["chat_template"] = template
    with pytest.raises(tokenizers.AssetError, match=reason):
        convert(tmp_path, contents)


def test_without_a_template_there_is_none(tmp_path, files):
    contents, _ = files
    del contents["tokenizer_config.json"]["chat_template"]
    assert "chat_template" not in convert(tmp_path, contents)[0].extras


@pytest.mark.parametrize(
    "config",
    [
        {"text_config": {"vocab_size": 300}, "vocab_size": 299},
        {"model_type": "qwen2_audio", "vocab_size": 300},
    ],
)
def test_the_model_may_be_larger_than_the_vocabulary(tmp_path, files, config):
    converted, tokenizer = convert(tmp_path, files[0] | {"config.json": config})
    assert converted.vocab_size == tokenizer.vocab_size == 300
    assert converted.tokenizer.options == {"vocab_size": 300}
    assert tokenizer.decode([299, 300, -1]) == ""


def test_a_model_that_is_too_small_is_told_by_the_inspection(tmp_path, files):
    contents, first = files
    contents["config.json"] = {"vocab_size": first}
    layouts.lay(tmp_path, contents)
    assert checkpoints.convert_checkpoint(tmp_path).tokenizer.options == {}
    found = checkpoints.inspect_checkpoint(tmp_path)
    assert "unreachable_id" in [finding.rule for finding in found.findings]


def test_declared_ids_with_gaps_are_kept_case_050(tmp_path, files, caplog):
    contents, first = files
    declared = contents["tokenizer_config.json"]["added_tokens_decoder"]
    declared[str(first + 20)] = declared.pop(str(first + 6))
    with caplog.at_level(logging.WARNING, "oasr.tokenizers"):
        converted, tokenizer = convert(tmp_path, contents)
    assert converted.tokenizer.options == {"on_id_mismatch": "fill"}
    assert tokenizer.encode("<|0.00|>") == [first + 20]
    assert converted.vocab_size == first + 21
    assert not caplog.records


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"config.json": {"audio_token_index": 5}}, "audio_token_index is 5, but"),
        ({"config.json": {"model_type": "qwen3"}}, "names the model type qwen3"),
        ({"tokenizer_config.json": {}}, r"no file has <\|AUDIO\|>"),
        ({"tokenizer_config.json": "[]"}, "tokenizer_config.json: expected a JSON ob"),
        ({"tokenizer.json": {}}, "tokenizer.json: expected a tokenizer"),
    ],
)
def test_contradictions_are_refused(tmp_path, files, changes, message):
    with pytest.raises(tokenizers.AssetError, match=message):
        convert(tmp_path, files[0] | changes)


def test_it_is_saved_and_loaded(tmp_path, files):
    converted, before = convert(tmp_path / "checkpoint", files[0])
    saved = converted.save(tmp_path / "output")
    assert checkpoints.ConvertedCheckpoint.load(tmp_path / "output") == saved
    after = tokenizers.build_tokenizer(saved.tokenizer)
    ids = before.encode("<|audio_bos|>hello 你")
    assert after.encode("<|audio_bos|>hello 你") == ids
    assert after.decode(ids) == before.decode(ids) == "hello 你"
