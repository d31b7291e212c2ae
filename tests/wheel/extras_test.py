"""Tests for the installed wheel with its extras, and with kinds of third parties."""

import json
import subprocess
import sys

import pytest
import sentencepiece
import tokenizers

from tests.checkpoints import layouts
from tests.tokenizers import package_files
from tests.wheel import environments
from tools.wheel import archive

TEXT = "Hello world, 你好 😀"
SPOKEN = "Ever tried. Ever failed. No matter. Try again. Fail again. Fail better."
DECODER = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True}
NAMES = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")
NAMES += ("<|AUDIO|>", "<|audio_bos|>", "<|audio_eos|>")
TEMPLATE = "{% for m in messages %}<|im_start|>{{ m.content }}<|im_end|>{% endfor %}"
SHOUT = '''
from oasr import tokenizers


class Shout(tokenizers.Tokenizer):
    """Letters by their place in the alphabet."""

    vocab_size = 26
    special_ids = frozenset()

    @classmethod
    def from_spec(cls, spec):
        return cls()

    def decode(self, ids):
        return "".join(chr(65 + i) for i in ids)

    def encode(self, text, *, split_special_tokens=False):
        return [ord(letter) - 65 for letter in text]
'''
CONSUMER = """
from typing import assert_type

from oasr import engine
from oasr import tokenizers
from oasr._native import word_grouping
from oasr.engine.decode import alignment

tokenizer = tokenizers.SymbolTableTokenizer("units.txt")
assert_type(engine.DecodingOptions().n_best, int)
assert_type(engine.Request("a", None, {"n_best": 2}).options, engine.DecodingOptions)
assert_type(alignment.FrameClock(0.04), alignment.FrameClock)
assert_type(word_grouping.is_space(32), bool)
text: int = tokenizer.decode([1])
"""


@pytest.fixture(scope="module")
def full(tmp_path_factory):
    """The wheel with the extras of tokenizers and recognisers."""
    environment = environments.Environment(tmp_path_factory.mktemp("full"))
    extras = ("recognizer", "score", "tokenizers")
    environment.link(environments.needed(environments.wheel(), extras))
    environment.install(f"{environments.wheel()}[{','.join(extras)}]")
    return environment


def encode_and_decode(environment, spec, folder):
    """Returns the ids of TEXT, their text, and the text as a stream gives it."""
    program = """
import json, sys
from oasr import tokenizers
spec, text = json.loads(sys.argv[1])
tokenizer = tokenizers.build_tokenizer(tokenizers.TokenizerSpec.from_dict(spec))
ids = tokenizer.encode(text)
state = tokenizer.new_decode_state()
deltas = [tokenizer.decode_incremental([token_id], state) for token_id in ids]
deltas.append(tokenizer.flush_incremental(state))
print(json.dumps([ids, tokenizer.decode(ids), "".join(deltas)]))
"""
    asked = json.dumps([spec, TEXT])
    return json.loads(environment.python_says(program, asked, cwd=folder))


def test_pip_finds_nothing_wrong(full):
    done = full.pip("check")
    assert (done.returncode, done.stdout) == (0, "No broken requirements found.\n")


def test_sentencepiece_encodes_and_decodes(full, tmp_path):
    path = str(package_files.find("mistral_model", "tokenizer.model.v1"))
    spec = {"kind": "sentencepiece", "files": {"model": path}}
    reference = sentencepiece.SentencePieceProcessor(model_file=path)
    ids = reference.encode(TEXT)
    assert encode_and_decode(full, spec, tmp_path) == [ids, TEXT, TEXT]


def test_hugging_face_files_encode_and_decode(full, tmp_path):
    path = str(package_files.find("moonshine_tokenizer", "tokenizer.json"))
    spec = {"kind": "huggingface", "files": {"tokenizer": path}}
    reference = tokenizers.Tokenizer.from_file(path)
    ids = reference.encode(TEXT, add_special_tokens=False).ids
    text = reference.decode(ids)
    assert encode_and_decode(full, spec, tmp_path) == [ids, text, text]


def test_a_chat_template_is_compiled_by_the_installed_program(full, tmp_path):
    letters = {"h": 0, "i": 1, "Ġ": 2}
    added = {len(letters) + k: name for k, name in enumerate(NAMES)}
    flags = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized"), False)
    flags["special"] = True
    content = {
        "version": "1.0",
        "pre_tokenizer": DECODER | {"use_regex": False},
        "decoder": DECODER | {"use_regex": False},
        "model": {"type": "BPE", "vocab": letters, "merges": []},
        "added_tokens": [{"id": i, "content": c, **flags} for i, c in added.items()],
    }
    entries = {i: {"content": c, **flags} for i, c in added.items()}
    config = {"added_tokens_decoder": entries, "chat_template": TEMPLATE}
    files = {"tokenizer.json": content, "tokenizer_config.json": config}
    layouts.lay(tmp_path / "模型", files)

    done = full.run("oasr", "inspect", "模型", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert "qwen2_audio" in done.stdout
    done = full.run("oasr", "convert", "模型", "--output", "new", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "new/oasr.json\n"), done.stderr

    made = json.loads((tmp_path / "new" / "oasr.json").read_text("utf-8"))
    shapes = made["extras"]["decode_options"]["prompts"]["shapes"]
    assert shapes["prompt"] == [
        {"markup": "<|im_start|><|audio_bos|>"},
        {"audio": True},
        {"markup": "<|audio_eos|>"},
        {"slot": "prompt"},
        {"markup": "<|im_end|>"},
    ]
    asked = ("oasr", "encode", "--checkpoint", "new")
    done = full.run(*asked, cwd=tmp_path, stdin="hi hi\n")
    assert (done.returncode, done.stdout) == (0, "[0, 1, 2, 0, 1]\n"), done.stderr


def test_speech_becomes_a_transcript_with_words(full, tmp_path):
    clip = package_files.find("beckett_clip", "beckett.wav")
    config = package_files.find("whisper_tiny_en", "model/config.json")
    model = config.resolve().parent
    asked = ("--model", model, "--word_timestamps", "--n_best", "2")
    done = full.run(
        "oasr", "transcribe", clip, *asked, "--format", "jsonl", cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr
    [found] = [json.loads(line) for line in done.stdout.splitlines()]
    assert found["text"] == SPOKEN
    assert [word["word"] for word in found["words"]] == SPOKEN.split()
    assert found["nbest_texts"][0] == SPOKEN


def test_a_kind_of_another_distribution_is_found(full, tmp_path):
    described = {
        "METADATA": "Metadata-Version: 2.1\nName: shout\nVersion: 1.0\n"
        "Requires-Dist: oasr-server\n",
        "WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        "entry_points.txt": "[oasr.tokenizers]\nshout = shout:Shout.from_spec\n",
    }
    files = {f"shout-1.0.dist-info/{k}": v.encode() for k, v in described.items()}
    path = tmp_path / "shout-1.0-py3-none-any.whl"
    archive.write(path, files | {"shout.py": SHOUT.encode()}, "shout-1.0.dist-info")
    full.install(path)
    program = """
from oasr import tokenizers
print("shout" in tokenizers.list_tokenizers())
tokenizer = tokenizers.build_tokenizer(tokenizers.TokenizerSpec("shout"))
print(tokenizer.decode(tokenizer.encode("LOUD")), tokenizer.token_pieces([7, 8]))
"""
    said = full.python_says(program, cwd=tmp_path)
    assert said.splitlines() == ["True", "LOUD ['H', 'I']"]


def check_types(environment, folder):
    """Returns what mypy says of a program that uses the installed package."""
    (folder / "consumer.py").write_text(CONSUMER)
    command = [sys.executable, "-m", "mypy", "--strict", "consumer.py"]
    command += [f"--python-executable={environment.python}", "--cache-dir=cache"]
    command += ["--no-error-summary"]
    done = subprocess.run(
        command, cwd=folder, capture_output=True, encoding="utf-8", check=False
    )
    assert not done.stderr
    return [line.partition(": ")[2] for line in done.stdout.splitlines()]


def test_a_type_checker_sees_the_annotations(full, tmp_path):
    assert check_types(full, tmp_path) == [
        "error: Incompatible types in assignment (expression has type "
        '"str", variable has type "int")  [assignment]'
    ]


def test_without_its_marker_it_would_not(full, tmp_path):
    marker = full.site / "oasr" / "py.typed"
    marker.rename(tmp_path / "py.typed")
    try:
        said = check_types(full, tmp_path)
    finally:
        (tmp_path / "py.typed").rename(marker)
    assert any("missing library stubs or py.typed marker" in line for line in said)
