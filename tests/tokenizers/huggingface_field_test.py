"""The kind huggingface on published vocabularies, and on the reported cases' files.

The folder is `OASR_FIELD_DATA`; the cases' files are in `../cases/fixtures` from there.
"""

import json
import lzma
import os
import pathlib

import pytest
import tokenizers as reference

from oasr import tokenizers
from tests.tokenizers import huggingface_cases as cases
from tests.tokenizers import languages

_FOLDER = os.environ.get("OASR_FIELD_DATA", "")

pytestmark = pytest.mark.skipif(
    not _FOLDER, reason="OASR_FIELD_DATA names no folder of checkpoints"
)


def fixture_path(name):
    return pathlib.Path(_FOLDER).parent / "cases" / "fixtures" / f"{name}.json"


def load_case(vocabulary, config=None, **options):
    config_path = config and fixture_path(config)
    return tokenizers.HuggingFaceTokenizer(
        fixture_path(vocabulary), None, config_path, **options
    )


@pytest.mark.parametrize(("vocabulary", "ids", "deltas", "text"), cases.DECODED)
def test_decoded(vocabulary, ids, deltas, text):
    cases.check_decoded(load_case(vocabulary), ids, deltas, text)


@pytest.mark.parametrize(("vocabulary", "text", "ids"), cases.ENCODED)
def test_encoded(vocabulary, text, ids):
    assert load_case(vocabulary).encode(text) == ids


def test_050_to_053_added_tokens():
    cases.check_configs(load_case)


def test_052_an_id_that_is_taken_is_refused():
    with pytest.raises(tokenizers.AssetError, match="the id 260, which is 'Ġhello'"):
        load_case("bl", "bl_collision_config")


def unpacked(folder, name):
    path = folder / name.split("/")[-1]
    published = pathlib.Path(_FOLDER, f"{name}.xz")
    path.write_bytes(lzma.decompress(published.read_bytes()))
    return path


@pytest.fixture(scope="module")
def qwen2_audio(tmp_path_factory):
    folder = tmp_path_factory.mktemp("qwen2_audio")
    names = ("tokenizer.json", "tokenizer_config.json")
    return [unpacked(folder, f"qwen2_audio/{name}") for name in names]


@pytest.fixture(scope="module")
def published():
    path = pathlib.Path(_FOLDER, "qwen2_audio", "published_prompt_ids.json")
    return json.loads(path.read_text("utf-8"))


def test_the_published_prompt_has_its_238_ids(qwen2_audio, published):
    path, config = qwen2_audio
    tokenizer = tokenizers.HuggingFaceTokenizer(path, None, config)
    assert len(published["ids"]) == 238
    assert tokenizer.encode(published["prompt"]) == published["ids"]
    for name in (b"<|audio_bos|>", b"<|AUDIO|>"):
        assert name.decode() not in tokenizer.decode(published["ids"])


def test_without_the_merge_the_published_ids_are_missed(qwen2_audio, published):
    path, _ = qwen2_audio
    tokenizer = tokenizers.HuggingFaceTokenizer(path)
    assert tokenizer.encode(published["prompt"]) != published["ids"]


@pytest.mark.parametrize(
    "name", ["qwen2_audio/tokenizer.json", "huggingface_moonshine/tokenizer.json"]
)
def test_every_language_of_the_declaration(tmp_path, name):
    path = unpacked(tmp_path, name)
    tokenizer = tokenizers.HuggingFaceTokenizer(path)
    library = reference.Tokenizer.from_file(str(path))
    published = pathlib.Path(_FOLDER, "text", "udhr_all.jsonl.xz")
    content = lzma.decompress(published.read_bytes()).decode()
    lines = [json.loads(line)["paragraphs"] for line in content.splitlines()]
    texts = ["\n".join(line)[:1000] for line in lines] + languages.HOSTILE
    assert len(texts) > 500
    for text in texts:
        ids = library.encode(text, add_special_tokens=False).ids
        assert tokenizer.encode(text) == ids
        shown = library.decode(ids)
        assert tokenizer.decode(ids) == shown
        state = tokenizer.new_decode_state()
        given = "".join(tokenizer.decode_incremental([i], state) for i in ids)
        assert given + tokenizer.flush_incremental(state) == shown
