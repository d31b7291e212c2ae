"""Tests for moonshine: a vocabulary known by the type of its model."""

import json
import pathlib

import pytest
import tokenizers as library

from oasr import checkpoints
from oasr import engine
from oasr import tokenizers
from tests.checkpoints import layouts
from tests.tokenizers import package_files

CONFIG = {
    "model_type": "moonshine",
    "vocab_size": 32768,
    "decoder_start_token_id": 1,
    "eos_token_id": 2,
}


@pytest.fixture(scope="module")
def published():
    path = package_files.find("moonshine_tokenizer", "tokenizer.json")
    return pathlib.Path(path).read_bytes()


def convert(folder, files):
    return checkpoints.convert_checkpoint(layouts.lay(folder, files))


def test_the_published_vocabulary(tmp_path, published):
    files = {"tokenizer.json": published, "config.json": CONFIG}
    inspection = checkpoints.inspect_checkpoint(layouts.lay(tmp_path, files))
    found = inspection.checkpoint
    assert (inspection.detected, found.family) == ("moonshine", "aed")
    assert (found.vocab_size, found.blank_id) == (32768, None)
    # 16,000 samples a second, and strides of 64, 3 and 2.
    assert found.seconds_per_frame == 64 * 3 * 2 / 16000
    specials = {"<unk>": 0, "<s>": 1, "</s>": 2}
    assert found.extras["special_tokens"] == specials
    assert specials.items() <= inspection.specials.items()
    assert inspection.supports_encode
    assert inspection.findings == ()
    reference = library.Tokenizer.from_str(published.decode())
    tokenizer = tokenizers.build_tokenizer(found.tokenizer)
    for text in ("hello world", "Naïve, 你好 😀!"):
        ids = reference.encode(text, add_special_tokens=False).ids
        assert tokenizer.encode(text) == ids
        assert tokenizer.decode([1, *ids, 2]) == reference.decode(ids) == text


class Network:
    """What the family calls, which is not called here."""

    encode = prefill = step = select = lambda self, *_: None


def test_an_engine_knows_how_transcripts_begin_and_end(tmp_path, published):
    files = {"tokenizer.json": published, "config.json": CONFIG}
    found = convert(tmp_path, files)
    assert found.extras["decode_options"] == {"start_ids": [1], "end_ids": [2]}
    with engine.ASREngine.from_checkpoint(tmp_path, model=Network()) as asr:
        assert asr.detokenizer.detokenize([1, 2]) == ""


@pytest.mark.parametrize("name", ["vocab_size", "dec_voc_size"])
def test_the_size_of_the_model_is_the_configuration_s(tmp_path, published, name):
    config = {"model_type": "moonshine", name: 32771}
    found = convert(tmp_path, {"tokenizer.json": published, "config.json": config})
    assert found.vocab_size == 32771
    assert tokenizers.build_tokenizer(found.tokenizer).vocab_size == 32771


def test_without_a_size_it_is_the_vocabulary_s(tmp_path, published):
    config = {"model_type": "moonshine"}
    found = convert(tmp_path, {"tokenizer.json": published, "config.json": config})
    assert found.vocab_size == 32768


def test_ids_that_the_runtime_would_renumber_are_kept(tmp_path, published):
    content = json.loads(published)
    last = content["added_tokens"].pop()
    content["added_tokens"].append({**last, "id": 32770})
    config = {**CONFIG, "vocab_size": 32771}
    found = convert(tmp_path, {"tokenizer.json": content, "config.json": config})
    assert found.tokenizer.options["on_id_mismatch"] == "fill"
    tokenizer = tokenizers.build_tokenizer(found.tokenizer)
    assert tokenizer.encode(last["content"]) == [32770]


@pytest.mark.parametrize(
    "config", [None, {}, {"model_type": "llama"}, {"model_type": "moonshine"}]
)
def test_nothing_but_the_type_says_it(tmp_path, published, config):
    files = {"tokenizer.json": published}
    if config is not None:
        files["config.json"] = config
    claims = checkpoints.rank_claims(layouts.lay(tmp_path, files))
    by_name = {claim.converter: claim.strength.name for claim in claims}
    certain = (config or {}).get("model_type") == "moonshine"
    assert by_name["moonshine"] == ("CERTAIN" if certain else "NONE")
    assert {s for n, s in by_name.items() if n != "moonshine"} == {"NONE"}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"decoder_start_token_id": 3}, "decoder_start_token_id is 3, but <s> has"),
        ({"eos_token_id": 7}, "eos_token_id is 7, but </s> has the id 2"),
        ({"vocab_size": 2**30}, "vocab_size is 1073741824 in the configuration"),
    ],
)
def test_files_that_disagree_are_refused(tmp_path, published, change, message):
    files = {"tokenizer.json": published, "config.json": {**CONFIG, **change}}
    with pytest.raises(tokenizers.AssetError, match=message):
        convert(tmp_path, files)


def test_a_vocabulary_without_a_start_is_refused(tmp_path):
    model = {"type": "BPE", "vocab": {"a": 0}, "merges": []}
    files = {"tokenizer.json": {"model": model}, "config.json": CONFIG}
    with pytest.raises(tokenizers.AssetError, match="the vocabulary has no <s>"):
        convert(tmp_path, files)


def test_a_model_without_its_vocabulary_is_refused(tmp_path):
    with pytest.raises(tokenizers.AssetError, match=r"there is no tokenizer\.json"):
        convert(tmp_path, {"config.json": CONFIG})
