"""The kind whisper on genuine files, and on ids that a model really emitted.

The folder is `OASR_FIELD_DATA`.
"""

import json
import lzma
import os
import pathlib

import pytest

from oasr import tokenizers
from tests.tokenizers import laws
from tests.tokenizers import whisper_assets

_FOLDER = os.environ.get("OASR_FIELD_DATA", "")

pytestmark = pytest.mark.skipif(
    not _FOLDER, reason="OASR_FIELD_DATA names no folder of checkpoints"
)

# File, family, the model's vocabulary size where the file stops short of it.
FILES = [
    ("openai_whisper-base.tokenizer.json", "v2", None),
    ("faster_whisper_tiny.en.tokenizer.json", "en", 51864),
    ("whisper_en.tokenizer.json", "en", None),
    ("whisper_v2.tokenizer.json", "v2", None),
    ("whisper_v3.tokenizer.json", "v3", None),
]


def load(folder, name, vocab_size=None):
    published = pathlib.Path(_FOLDER, "whisper", f"{name}.xz")
    path = folder / name
    path.write_bytes(lzma.decompress(published.read_bytes()))
    return tokenizers.WhisperTokenizer(path, vocab_size=vocab_size)


@pytest.mark.parametrize(("name", "family", "vocab_size"), FILES)
def test_a_published_file_is_read(tmp_path, name, family, vocab_size):
    tokenizer = load(tmp_path, name, vocab_size)
    end = whisper_assets.EOT[family]
    assert tokenizer.eot_id == end
    assert tokenizer.vocab_size == whisper_assets.VOCAB_SIZE[family]
    assert tokenizer.special_ids == set(range(end, tokenizer.vocab_size))
    assert tokenizer.control_id("<|30.00|>") == tokenizer.vocab_size - 1
    prompt = ["<|startoftranscript|>", "<|en|>", "<|transcribe|>", "<|nospeech|>"]
    assert min(map(tokenizer.control_id, prompt)) == end + 1


@pytest.mark.parametrize(("name", "family", "vocab_size"), FILES[:2])
def test_a_genuine_file_is_what_the_test_writes(tmp_path, name, family, vocab_size):
    genuine = load(tmp_path, name, vocab_size)
    written = tokenizers.WhisperTokenizer(
        whisper_assets.write(tmp_path, family), vocab_size=vocab_size
    )
    ids = list(range(genuine.eot_id))
    assert written.token_pieces(ids) == genuine.token_pieces(ids)
    assert written.special_ids == genuine.special_ids
    text = "She said, 'naïve' — 副業 😀 ok?"
    assert written.encode(text) == genuine.encode(text)


def test_the_languages_are_those_of_the_published_configuration(tmp_path):
    tokenizer = load(tmp_path, FILES[0][0])
    path = pathlib.Path(
        _FOLDER, "whisper", "openai_whisper-base.generation_config.json"
    )
    config = json.loads(path.read_text())
    named = config["lang_to_id"] | {
        f"<|{task}|>": token_id for task, token_id in config["task_to_id"].items()
    }
    assert len(named) > 100
    assert {name: tokenizer.control_id(name) for name in named} == named
    assert config["no_timestamps_token_id"] == tokenizer.control_id("<|notimestamps|>")


def test_emitted_ids_become_the_published_texts(tmp_path):
    tokenizer = load(tmp_path, FILES[1][0], 51864)
    path = pathlib.Path(_FOLDER, "whisper_outputs", "tiny_en_outputs.json")
    outputs = json.loads(path.read_text("utf-8"))
    assert len(outputs) == 5
    for output in outputs:
        text = output["text"].strip()
        assert tokenizer.decode(output["text_ids"]) == text
        given, rest = laws.one_by_one(tokenizer, output["text_ids"])
        assert given + rest == text
        for beam in output["with_timestamps"]:
            timed = [i for i in beam["ids"] if i < tokenizer.eot_id]
            assert len(timed) < len(beam["ids"])
            assert tokenizer.decode(beam["ids"]) == tokenizer.decode(timed)
