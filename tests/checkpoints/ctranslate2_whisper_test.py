"""Tests for ctranslate2_whisper: the converted models of CTranslate2.

The references are the tokenizer.json that is published with tiny.en, and
openai-whisper's tokenizer, run from the package's files.
"""

import json
import shutil

import pytest

from oasr import checkpoints
from oasr import tokenizers
from oasr.checkpoints import whisper_languages as names
from oasr.models import runtimes
from tests.checkpoints import layouts
from tests.tokenizers import package_files
from tests.tokenizers import whisper_assets

TEXTS = ["hello world", " Hello, world!", "你好，世界 😀", "naïve  café\n", "안녕", ""]
SETTINGS = {
    "alignment_heads": [[1, 0], [2, 0]],
    "lang_ids": [50259],
    "suppress_ids": [1, 2, -1, 7],
    "suppress_ids_begin": [220, 50257],
}


@pytest.fixture(scope="module")
def tiny():
    # The links of the runfiles lead out of the checkpoint.
    found = package_files.find("whisper_tiny_en", "model/config.json")
    return found.resolve().parent


def lay(folder, source, *, without=(), **files):
    """Copies the small files of a model, some left out or of another content."""
    folder.mkdir(exist_ok=True)
    for path in source.iterdir():
        if path.name not in {"model.bin", *without}:
            shutil.copyfile(path, folder / path.name)
    return layouts.lay(folder, files)


def test_it_is_known_for_certain(tiny):
    first, second = checkpoints.rank_claims(tiny)[:2]
    assert first.converter == "ctranslate2_whisper"
    assert first.strength > second.strength
    assert "config.json has alignment_heads" in str(first)


def test_what_it_is(tiny):
    found = checkpoints.convert_checkpoint(tiny)
    assert (found.family, found.vocab_size) == ("aed", 51864)
    assert found.seconds_per_frame == 0.02
    assert found.tokenizer.kind == "whisper"
    assert found.tokenizer.file("tokenizer") == str(tiny / "tokenizer.json")
    assert found.extras["special_tokens"]["<|startoftranscript|>"] == 50257
    assert found.extras["first_timestamp_id"] == 50363
    config = json.loads((tiny / "config.json").read_text("utf-8"))
    assert found.extras["alignment_heads"] == config["alignment_heads"]
    assert found.extras["decode_options"] == {
        "beam_size": 5,
        "suppress_ids": config["suppress_ids"],
        "begin_suppress_ids": config["suppress_ids_begin"],
    }


def test_a_tokenizer_is_made_where_there_is_none(tiny, tmp_path):
    folder = lay(tmp_path / "a", tiny, without={"tokenizer.json"})
    found = checkpoints.convert_checkpoint(folder)
    with open(found.tokenizer.file("tokenizer"), encoding="utf-8") as file:
        made = json.load(file)
    genuine = json.loads((tiny / "tokenizer.json").read_text("utf-8"))
    assert made["model"]["vocab"] == genuine["model"]["vocab"]
    merges = [
        pair if isinstance(pair, str) else " ".join(pair)
        for pair in genuine["model"]["merges"]
    ]
    assert made["model"]["merges"] == merges
    tokenizer = tokenizers.build_tokenizer(found.tokenizer)
    reference = tokenizers.build_tokenizer(
        checkpoints.convert_checkpoint(tiny).tokenizer
    )
    for text in TEXTS:
        assert tokenizer.encode(text) == reference.encode(text)
    assert tokenizer.special_ids == reference.special_ids


@pytest.mark.parametrize("family", whisper_assets.FAMILIES)
def test_vocabularies_of_every_size_are_read(family, tmp_path):
    source = json.loads(whisper_assets.write(tmp_path, family).read_text("utf-8"))
    size = whisper_assets.VOCAB_SIZE[family]
    texts = [""] * size
    for text, token_id in source["model"]["vocab"].items():
        texts[token_id] = text
    for token in source["added_tokens"]:
        texts[token["id"]] = token["content"]
    listed = {
        "vocabulary.json": texts,
        "vocabulary.txt": "".join(f"{text}\n" for text in texts),
    }
    expected = None
    for name, content in listed.items():
        folder = tmp_path / name
        folder.mkdir()
        if isinstance(content, str):
            content = content.encode()
        layouts.lay(folder, {"config.json": SETTINGS})
        data = content if isinstance(content, bytes) else json.dumps(content).encode()
        (folder / name).write_bytes(data)
        found = checkpoints.convert_checkpoint(folder)
        assert found.vocab_size == size
        assert found.extras["decode_options"]["suppress_ids"] == [1, 2, 7]
        tokenizer = tokenizers.build_tokenizer(found.tokenizer)
        reference = whisper_assets.reference(folder, family)
        for text in TEXTS:
            ids = tokenizer.encode(text)
            assert ids == reference.encode(text)
            assert tokenizer.decode(ids) == text.strip()
        expected = expected or found.extras
        assert found.extras == expected
        assert ("yue" in found.extras["languages"]) == (size == 51866)


FAULTS = {
    "no_end": ({"vocabulary.txt": b"a\nb\n"}, r"has <\|endoftext\|>"),
    "no_bytes": (
        {"vocabulary.txt": "你\n<|endoftext|>\n<|startoftranscript|>\n".encode()},
        "expected byte-level tokens",
    ),
    "no_controls": (
        {"vocabulary.txt": b"a\n<|endoftext|>\n<|startoftranscript|>\n"},
        r"expected '<\|notimestamps\|>' among the control tokens",
    ),
    "not_utf8": ({"vocabulary.txt": b"\xff\n"}, r"vocabulary\.txt:1: expected UTF-8"),
    "no_list": ({"vocabulary.json": b"{}"}, "expected a JSON array of strings"),
    "no_text": ({"vocabulary.json": b"[1]"}, "element 0"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_vocabulary_that_is_none_is_refused(fault, tiny, tmp_path):
    files, message = FAULTS[fault]
    folder = lay(tmp_path / "a", tiny, without={"vocabulary.txt", "tokenizer.json"})
    for name, content in files.items():
        (folder / name).write_bytes(content)
    with pytest.raises(tokenizers.AssetError, match=message):
        checkpoints.convert_checkpoint(folder, converter="ctranslate2_whisper")


def test_a_tokenizer_of_another_vocabulary_is_refused(tiny, tmp_path):
    content = json.loads((tiny / "tokenizer.json").read_text("utf-8"))
    vocab = content["model"]["vocab"]
    vocab["!"], vocab['"'] = vocab['"'], vocab["!"]
    folder = lay(tmp_path / "a", tiny, without={"tokenizer.json"})
    (folder / "tokenizer.json").write_text(json.dumps(content), "utf-8")
    with pytest.raises(tokenizers.AssetError, match=r"'!' has the id 1, but"):
        checkpoints.convert_checkpoint(folder)


@pytest.mark.parametrize("config", [{}, {"model_type": "whisper", "vocab_size": 51865}])
def test_other_directories_are_not_claimed(config, tiny, tmp_path):
    folder = lay(tmp_path / "a", tiny, without={"config.json"})
    (folder / "config.json").write_text(json.dumps(config), "utf-8")
    assert checkpoints.rank_claims(folder)[0].converter == "whisper"


def test_without_weights_there_is_no_model(tiny, tmp_path):
    folder = lay(tmp_path / "a", tiny)
    assert runtimes.build(checkpoints.convert_checkpoint(folder), folder) is None


def test_what_is_saved_is_read_back(tiny, tmp_path):
    found = checkpoints.convert_checkpoint(tiny)
    found.save(tmp_path)
    assert checkpoints.convert_checkpoint(tmp_path).extras == found.extras
    assert set(names.LANGUAGES[:99]) >= set(found.extras["languages"])
