"""Tests for tokenizer_files: whatever is asked for, a file is read once."""

import json

import pytest

from oasr import checkpoints
from oasr import tokenizers
from oasr.checkpoints import tokenizer_files
from oasr.tokenizers import added_tokens
from oasr.tokenizers import model_vocabulary
from oasr.tokenizers import tokenizer_json
from tests.checkpoints import layouts
from tests.tokenizers import small_tokenizers as small

NAMES = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
NAMES += ["<|AUDIO|>", "<|audio_bos|>", "<|audio_eos|>"]


@pytest.fixture
def folder(tmp_path):
    """Lays out what is known by its audio tokens, in both files, and a template."""
    path = small.write(tmp_path / "tokenizer.json", small.byte_level())
    first = len(json.loads(path.read_text("utf-8"))["model"]["vocab"])
    declared = {}
    for token_id, name in enumerate(NAMES, first):
        entry = small.added(token_id, name)
        del entry["id"]
        declared[str(token_id)] = entry
    config = {"added_tokens_decoder": declared}
    config["chat_template"] = "{{ messages[-1].content }}<|im_end|>"
    return layouts.lay(tmp_path, {"tokenizer_config.json": config})


def test_what_it_returns_is_what_the_files_say(folder):
    files = tokenizer_files.TokenizerFiles()
    path, config = f"{folder}/tokenizer.json", f"{folder}/tokenizer_config.json"
    content = json.loads((folder / "tokenizer.json").read_text("utf-8"))
    assert files.content(path) == content
    assert files.ids(path) == content["model"]["vocab"]
    assert files.added(path) == []
    assert [token.content for token in files.declared(config)] == NAMES
    assert files.declared(None) == []


def test_a_question_about_a_directory_reads_and_builds_once(folder, monkeypatch):
    asked = []

    def counted(module, name):
        function = getattr(module, name)

        def call(*args):
            asked.append((name, args[-1]))
            return function(*args)

        monkeypatch.setattr(module, name, call)

    counted(tokenizer_json, "read_object")
    counted(model_vocabulary, "read_ids")
    counted(added_tokens, "read_tokenizer")
    counted(added_tokens, "read_config")
    counted(tokenizers, "build_tokenizer")
    inspection = checkpoints.inspect_checkpoint(folder)
    assert inspection.detected == "qwen2_audio"
    builds = [name for name, _ in asked].count("build_tokenizer")
    assert builds == 1
    # Once for the directory, and once where the tokenizer is built.
    assert max(map(asked.count, asked)) == 2


def test_a_tokenizer_is_built_once_for_a_spec(folder):
    files = tokenizer_files.TokenizerFiles()
    paths = {"tokenizer": f"{folder}/tokenizer.json"}
    spec = tokenizers.TokenizerSpec("huggingface", paths)
    built = files.build(spec)
    assert files.build(tokenizers.TokenizerSpec("huggingface", dict(paths))) is built
    other = tokenizers.TokenizerSpec("huggingface", paths, {"special_ids": [1]})
    assert files.build(other) is not built
    assert files.build(other).special_ids == {1}


def test_what_is_malformed_is_said_each_time(tmp_path):
    layouts.lay(tmp_path, {"tokenizer.json": "{"})
    files = tokenizer_files.TokenizerFiles()
    for _ in range(2):
        with pytest.raises(tokenizers.AssetError, match=r"tokenizer\.json:1: "):
            files.ids(f"{tmp_path}/tokenizer.json")
