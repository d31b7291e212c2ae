"""Directories that were made to do harm: a clear message, in a short time."""

import json
import os
import time

import pytest

from oasr import checkpoints
from oasr import tokenizers
from tests.checkpoints import layouts
from tests.tokenizers import small_tokenizers as small

NAMES = [
    "tokens.txt",
    "units.txt",
    "words.txt",
    "lang_char.txt",
    "vocab.txt",
    "tokens.json",
    "config.yaml",
    "train.yaml",
    "model_config.yaml",
    "tokenizer.json",
    "tokenizer_config.json",
    "config.json",
    "generation_config.json",
    "vocab.json",
    "merges.txt",
    "added_tokens.json",
    "gpt2.tiktoken",
    "multilingual.tiktoken",
    "bpe.model",
    "a_tokenizer.model",
    "a.nemo",
    "oasr.json",
    "data/lang_bpe_500/tokens.txt",
]


@pytest.fixture(autouse=True)
def _short_time():
    started = time.process_time()
    yield
    assert time.process_time() - started < 30


def refuse(folder):
    """Checks that the directory is refused in one sentence that names it."""
    for function in (checkpoints.convert_checkpoint, checkpoints.inspect_checkpoint):
        with pytest.raises(tokenizers.AssetError) as caught:
            function(folder)
        assert os.path.basename(folder) in str(caught.value)
        assert str(caught.value).endswith(".")
    return str(caught.value)


CONTENTS = {
    "empty": b"",
    "zeros": bytes(10**5),
    "random": bytes(range(256)) * 100,
    "one long line": b"a" * 10**6,
    "many lines": b"a\n" * 10**5,
    "deep JSON": b"[" * 10**5,
    "deep objects": b'{"a":' * 10**5,
    "a JSON string": b'"a"',
    "a huge number": b"9" * 10**5,
    "NaN": b"NaN",
    "deep YAML": b"- " * 10**5,
    "a YAML tag": b"a: !!python/object/apply:os.system [ls]\n",
    "half a surrogate": b'{"a": "\\ud800", "b": ["\\udfff"]}',
    "lists": b'{"model": [], "added_tokens": {}, "model_type": []}',
    "numbers": b"1 1 1\n" * 1000,
    "a pickle": b"\x80\x04\x95\x0b\x00\x00\x00\x00\x00\x00\x00\x8c\x02os\x94.",
}


@pytest.mark.parametrize("kind", CONTENTS)
def test_every_file_holds_it(tmp_path, kind):
    refuse(layouts.lay(tmp_path / "here", dict.fromkeys(NAMES, CONTENTS[kind])))
    os.unlink(tmp_path / "here" / "oasr.json")
    refuse(tmp_path / "here")


@pytest.mark.parametrize("name", NAMES)
def test_a_folder_in_place_of_a_file(tmp_path, name):
    (tmp_path / "here" / name).mkdir(parents=True)
    refuse(tmp_path / "here")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("target", ["self", "/dev/zero", "/proc/self/environ", "/etc"])
def test_a_link_in_place_of_a_file(tmp_path, name, target):
    path = layouts.lay(tmp_path / "here", {"README.md": ""}) / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.symlink_to(path.name if target == "self" else target)
    refuse(tmp_path / "here")


@pytest.mark.parametrize("name", NAMES)
def test_a_pipe_in_place_of_a_file(tmp_path, name):
    path = tmp_path / "here" / name
    path.parent.mkdir(parents=True)
    os.mkfifo(path)  # To open it would wait for a writer for ever.
    refuse(tmp_path / "here")


@pytest.mark.parametrize("name", NAMES)
def test_a_huge_file(tmp_path, name):
    path = tmp_path / "here" / name
    path.parent.mkdir(parents=True)
    with open(path, "wb") as file:
        file.truncate(2**40)  # A terabyte of nothing.
    refuse(tmp_path / "here")


def test_an_empty_directory(tmp_path):
    (tmp_path / "here").mkdir()
    assert "no converter knows this directory" in refuse(tmp_path / "here")


def test_unrelated_files(tmp_path):
    files = {"photo.jpg": b"\xff\xd8", "notes.txt": "a 0\n", "src/main.c": "int main;"}
    assert "no converter knows" in refuse(layouts.lay(tmp_path / "here", files))


def test_a_hundred_thousand_files(tmp_path):
    folder = tmp_path / "here"
    folder.mkdir()
    for number in range(100_000):
        os.close(os.open(folder / f"{number}.wav", os.O_CREAT | os.O_WRONLY))
    refuse(folder)
    layouts.lay(folder, {"tokens.txt": layouts.ICEFALL})
    assert checkpoints.convert_checkpoint(folder).vocab_size == 7


def test_names_that_are_no_utf8(tmp_path):
    folder = layouts.lay(tmp_path / "here", {})
    for name in (b"\xff.model", b"\xff.bpe.model", b"\xfe joiner", b"lang_\xff"):
        with open(os.fsencode(folder) + b"/" + name, "wb"):
            pass
    message = refuse(folder)
    assert message.encode("utf-8", "backslashreplace")


def test_a_directory_whose_name_is_no_utf8(tmp_path):
    path = os.fsencode(tmp_path) + b"/\xff"
    os.mkdir(path)
    folder = os.fsdecode(path)
    with open(os.path.join(folder, "tokens.txt"), "w", encoding="utf-8") as file:
        file.write(layouts.ICEFALL)
    converted = checkpoints.convert_checkpoint(folder)
    assert converted.save(folder) == converted
    assert checkpoints.ConvertedCheckpoint.load(folder) == converted
    assert tokenizers.build_tokenizer(converted.tokenizer).decode([3, 4]) == "hello"


def test_what_may_not_be_read(tmp_path, monkeypatch):
    folder = layouts.lay(tmp_path / "here", {"tokens.txt": layouts.ICEFALL})

    def deny(path, *arguments):
        raise PermissionError(13, "Permission denied", path)

    # Who runs the tests may be allowed to read anything.
    with monkeypatch.context() as patch:
        patch.setattr("builtins.open", deny)
        assert "tokens.txt: cannot be read: " in refuse(folder)
    monkeypatch.setattr(os, "listdir", deny)
    assert "here: cannot be read: Permission denied" in refuse(folder)


def test_a_vocabulary_of_control_tokens_named_as_paths(tmp_path):
    tokens = ["<blank>", "../../x", "/etc/passwd", "a@@", "\u202e", "\0"]
    folder = layouts.lay(tmp_path / "here", {"tokens.json": json.dumps(tokens)})
    converted = checkpoints.convert_checkpoint(folder)
    assert converted.vocab_size == 6
    converted.save(tmp_path / "output")
    assert sorted(os.listdir(tmp_path)) == ["here", "output"]


@pytest.mark.parametrize(
    "files",
    [
        {
            "units.txt": layouts.WENET,
            "train.yaml": layouts.TRAIN_YAML.replace("7", "9" * 12),
        },
        {
            "config.json": {"model_type": "whisper", "vocab_size": 10**12},
            "multilingual.tiktoken": "YQ== 0\n",
        },
        {
            "config.yaml": f"model: Paraformer\nmodel_conf: {{vocab_size: {10**12}}}\n",
            "tokens.json": layouts.PARAFORMER,
        },
    ],
    ids=["wenet", "whisper", "paraformer"],
)
def test_a_model_of_a_trillion_labels(tmp_path, files):
    folder = layouts.lay(tmp_path / "here", files)
    with pytest.raises(tokenizers.AssetError, match="no model has over 1048576 labels"):
        checkpoints.convert_checkpoint(folder)


def test_a_saved_model_of_two_billion_labels(tmp_path):
    folder = layouts.lay(tmp_path / "here", {})
    path = small.write(folder / "tokenizer.json", small.byte_level())
    spec = tokenizers.TokenizerSpec(
        "huggingface", {"tokenizer": str(path)}, {"vocab_size": 2**31 - 1}
    )
    made = checkpoints.ConvertedCheckpoint(
        family="llm", tokenizer=spec, vocab_size=2**31 - 1
    )
    made.save(folder)
    with pytest.raises(
        tokenizers.AssetError, match=r"oasr\.json: tokenizer: vocab_size must be an int"
    ):
        checkpoints.inspect_checkpoint(folder)


def test_an_id_of_millions(tmp_path):
    folder = layouts.lay(tmp_path / "here", {"units.txt": "<blank> 0\na 9999999\n"})
    inspection = checkpoints.inspect_checkpoint(folder)
    assert [(f.rule, len(f.ids)) for f in inspection.findings] == [("gap", 1000)]
    assert "9999998 ids below the largest have no piece" in str(inspection.findings[0])


def test_nul_in_the_path():
    with pytest.raises(tokenizers.AssetError, match=r"cannot be read: .*embedded null"):
        checkpoints.convert_checkpoint("a\0b")
