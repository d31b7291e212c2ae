"""Tests for whisper: three ways to publish a vocabulary, and what is made of each.

The reference is openai-whisper's own tokenizer, run from the package's files.
"""

import json
import random

import pytest

from oasr import checkpoints
from oasr import tokenizers
from tests import conftest
from tests.checkpoints import layouts
from tests.tokenizers import whisper_assets

FAMILIES = list(whisper_assets.FAMILIES)
TEXTS = [
    "hello world",
    " Hello, world!",
    "你好，世界 😀",
    "naïve  café\n",
    "안녕하세요",
    "",
]


def ranks_files(family):
    """Returns OpenAI's files, with the size of the model beside them."""
    path = whisper_assets.ranks_path(whisper_assets.FAMILIES[family][0])
    return {
        path.name: path.read_bytes(),
        "config.json": {"n_vocab": whisper_assets.VOCAB_SIZE[family]},
    }


@pytest.fixture(scope="module")
def published(tmp_path_factory):
    """Returns the content of the file as Hugging Face publishes it, by family."""
    folder = tmp_path_factory.mktemp("published")
    return {
        family: json.loads(whisper_assets.write(folder, family).read_text("utf-8"))
        for family in FAMILIES
    }


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Returns what is made of the rank files: checkpoint and tokenizer by family."""
    found = {}
    for family in FAMILIES:
        folder = layouts.lay(tmp_path_factory.mktemp(family), ranks_files(family))
        converted = checkpoints.convert_checkpoint(folder)
        tokenizer = tokenizers.build_tokenizer(converted.tokenizer)
        found[family] = (converted, tokenizer)
    return found


def content(converted):
    with open(converted.tokenizer.file("tokenizer"), encoding="utf-8") as file:
        return json.load(file)


def pair(merge):
    return tuple(merge.split(" ") if isinstance(merge, str) else merge)


@pytest.mark.parametrize("family", FAMILIES)
def test_rank_files_become_the_published_file(made, published, family):
    found, expected = content(made[family][0]), published[family]
    assert found["added_tokens"] == expected["added_tokens"]
    assert found["model"]["vocab"] == expected["model"]["vocab"]
    merges = [pair(merge) for merge in found["model"]["merges"]]
    assert merges == [pair(merge) for merge in expected["model"]["merges"]]
    for section in ("pre_tokenizer", "decoder"):
        assert found[section] == expected[section]


@pytest.mark.parametrize("family", FAMILIES)
def test_the_reference_agrees(made, tmp_path, family):
    converted, tokenizer = made[family]
    reference = whisper_assets.reference(tmp_path, family)
    encoding = reference.encoding
    assert converted.vocab_size == encoding.n_vocab
    assert converted.tokenizer.options["eot_id"] == reference.eot
    named = {**encoding._special_tokens}
    for name, token_id in named.items():
        assert tokenizer.control_id(name) == token_id
    specials = converted.extras["special_tokens"]
    assert (
        specials.items()
        >= {n: i for n, i in named.items() if not n[2].isdigit()}.items()
    )
    assert converted.extras["first_timestamp_id"] == reference.timestamp_begin
    languages = dict(
        zip(reference.all_language_codes, reference.all_language_tokens, strict=True)
    )
    assert converted.extras["languages"] == languages
    rng = random.Random(0)
    for text in TEXTS:
        assert tokenizer.encode(text) == encoding.encode(text)
    for _ in range(50 * conftest.SCALE):
        ids = [rng.randrange(reference.eot) for _ in range(8)]
        ids = [i for i in ids if i != 50256]  # No bytes at all, or the end of text.
        expected = encoding.decode(ids).strip()
        assert tokenizer.decode([reference.sot, *ids, reference.eot]) == expected


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("added", ["tokenizer_config.json", "added_tokens.json"])
def test_vocab_and_merges_become_the_published_file(
    made, published, tmp_path, family, added
):
    expected = published[family]
    merges = [" ".join(pair(merge)) for merge in expected["model"]["merges"]]
    files = {
        "vocab.json": expected["model"]["vocab"],
        "merges.txt": "\n".join(["#version: 0.2", *merges, ""]),
    }
    tokens = expected["added_tokens"]
    if added == "added_tokens.json":
        files[added] = {token["content"]: token["id"] for token in tokens}
    else:
        entries = {str(token["id"]): {**token} for token in tokens}
        for entry in entries.values():
            del entry["id"]
        files[added] = {"added_tokens_decoder": entries}
    converted = checkpoints.convert_checkpoint(layouts.lay(tmp_path, files))
    assert content(converted) == content(made[family][0])
    assert converted.vocab_size == whisper_assets.VOCAB_SIZE[family]


@pytest.mark.parametrize("timestamps", [True, False])
@pytest.mark.parametrize("family", FAMILIES)
def test_the_published_file_is_taken_as_it_is(tmp_path, family, timestamps):
    path = whisper_assets.write(tmp_path, family, timestamps=timestamps)
    path.rename(tmp_path / "tokenizer.json")
    converted = checkpoints.convert_checkpoint(tmp_path)
    size, eot_id = whisper_assets.VOCAB_SIZE[family], whisper_assets.EOT[family]
    assert converted.family == "aed"
    assert converted.tokenizer.files == {"tokenizer": str(tmp_path / "tokenizer.json")}
    options = {"eot_id": eot_id} | ({} if timestamps else {"vocab_size": size})
    assert converted.tokenizer.options == options
    assert (converted.vocab_size, converted.blank_id) == (size, None)
    assert converted.seconds_per_frame == 0.02


@pytest.mark.parametrize(
    ("family", "ids", "first_timestamp"),
    [
        ("en", [50257, 50363, 23748, 50413, 50256], 50363),
        ("v2", [50258, 50259, 50359, 50364, 7751, 50414, 50257], 50364),
        ("v3", [50258, 50260, 50360, 50364, 7751, 51865, 50257], 50365),
    ],
)
def test_cases_063_065_066(made, family, ids, first_timestamp):
    converted, tokenizer = made[family]
    assert tokenizer.decode(ids) == "hello"
    assert tokenizer.eot_id == whisper_assets.EOT[family]
    assert converted.extras["first_timestamp_id"] == first_timestamp


@pytest.mark.parametrize(("family", "expected"), [("v2", 50362), ("v3", 50363)])
def test_both_spellings_of_no_speech_are_found_case_067(made, family, expected):
    specials = made[family][0].extras["special_tokens"]
    assert specials["<|nospeech|>"] == specials["<|nocaptions|>"] == expected


def test_cantonese_is_in_large_v3_only_case_066(made):
    assert made["v3"][0].extras["languages"]["yue"] == 50358
    assert "yue" not in made["v2"][0].extras["languages"]
    with pytest.raises(ValueError, match=r"no control token '<\|yue\|>'"):
        made["v2"][1].control_id("<|yue|>")


def test_english_ranks_need_no_configuration(tmp_path):
    files = ranks_files("en")
    del files["config.json"]
    converted = checkpoints.convert_checkpoint(layouts.lay(tmp_path, files))
    assert converted.vocab_size == 51864


@pytest.mark.parametrize(
    ("family", "eot_id"), [("en", 50256), ("v2", 50257), ("v3", 50257)]
)
def test_both_rank_files_in_one_folder_are_told_by_the_size(tmp_path, family, eot_id):
    files = ranks_files("en") | ranks_files("v2") | ranks_files(family)
    converted = checkpoints.convert_checkpoint(layouts.lay(tmp_path, files))
    assert converted.tokenizer.options["eot_id"] == eot_id


def test_the_end_of_text_may_be_in_the_vocabulary_alone(tmp_path):
    names = [*MARKS, "<|transcribe|>"]
    files = {
        "vocab.json": {"a": 0, "b": 1, "<|endoftext|>": 2},
        "merges.txt": "#version: 0.2\n",
        "added_tokens.json": {name: 3 + n for n, name in enumerate(names)},
    }
    converted = checkpoints.convert_checkpoint(layouts.lay(tmp_path, files))
    tokenizer = tokenizers.build_tokenizer(converted.tokenizer)
    assert tokenizer.eot_id == 2
    assert tokenizer.decode([3, 0, 1, 2]) == "ab"
    assert tokenizer.encode("<|endoftext|>a") == [2, 0]


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({}, "whether the model has 99 or 100 languages, the ranks do not say"),
        ({"n_vocab": 51864}, "with these 50257 ranks Whisper's are 51865 and 51866"),
        ({"vocab_size": 50257}, "the model's vocabulary size is 50257"),
    ],
)
def test_multilingual_ranks_need_the_size(tmp_path, config, message):
    files = ranks_files("v2") | {"config.json": config}
    with pytest.raises(tokenizers.AssetError, match=message):
        checkpoints.convert_checkpoint(layouts.lay(tmp_path, files))


@pytest.mark.parametrize(
    ("ranks", "message"),
    [
        (b"", "expected '<base64> <rank>' lines, found none"),
        (b"YQ== 0\nYg== 2\n", r"tiktoken:2: expected .* with the rank 1"),
        (b"YQ== 0\nYQ== 1\n", r"tiktoken:2: b'a' has a rank already"),
        (b"Y! 0\n", r"tiktoken:1: expected base64"),
        (b"YWI= 0\n", r"cannot be made of two tokens before it"),
        (b"YQ==\n", r"tiktoken:1: expected '<base64> <rank>' with the rank 0"),
    ],
)
def test_bad_ranks_are_refused(tmp_path, ranks, message):
    # 1,610 labels: 1,501 timestamps, 99 languages, 8 controls, and what is above.
    size = ranks.count(b"\n") + 1501 + 99 + 8
    files = {"multilingual.tiktoken": ranks, "config.json": {"n_vocab": size}}
    with pytest.raises(tokenizers.AssetError, match=message):
        checkpoints.convert_checkpoint(layouts.lay(tmp_path, files))


def small(*names):
    """Returns a `tokenizer.json` of two letters and the names."""
    entry = {"single_word": False, "lstrip": False, "rstrip": False}
    entry |= {"normalized": False, "special": True}
    return {
        "version": "1.0",
        "added_tokens": [
            {"id": 2 + n, "content": name, **entry} for n, name in enumerate(names)
        ],
        "pre_tokenizer": whisper_assets.small.BYTE_LEVEL,
        "decoder": whisper_assets.small.BYTE_LEVEL,
        "model": {"type": "BPE", "vocab": {"a": 0, "b": 1}, "merges": []},
    }


MARKS = ["<|startoftranscript|>", "<|startofprev|>", "<|notimestamps|>"]


def test_the_generation_settings_are_kept(tmp_path):
    generation = {
        "eos_token_id": 2,
        "suppress_tokens": [1],
        "alignment_heads": [[0, 1]],
    }
    files = {"tokenizer.json": small("<|endoftext|>", *MARKS)}
    files["generation_config.json"] = generation | {"max_length": 448}
    converted = checkpoints.convert_checkpoint(layouts.lay(tmp_path, files))
    assert converted.extras["suppress_tokens"] == [1]
    assert converted.extras["decode_options"]["suppress_ids"] == [1]
    assert converted.extras["alignment_heads"] == [[0, 1]]
    assert "max_length" not in converted.extras
    assert converted.vocab_size == 2 + 4 + 1501


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"tokenizer.json": small(*MARKS)}, r"the vocabulary has no <\|endoftext\|>"),
        (
            {
                "tokenizer.json": small("<|endoftext|>", *MARKS),
                "generation_config.json": {"eos_token_id": 9},
            },
            r"has the id 2, but generation_config.json says eos_token_id is 9",
        ),
        (
            {
                "tokenizer.json": small("<|endoftext|>", *MARKS),
                "generation_config.json": {"no_timestamps_token_id": 4},
            },
            r"<\|notimestamps\|> has the id 5, but .* no_timestamps_token_id is 4",
        ),
        ({"tokenizer.json": small("<|a|>")}, r"tokenizer.json has no <\|startoftran"),
        (
            {"tokenizer.json": small(*MARKS), "config.json": {"model_type": "bart"}},
            "config.json names the model type bart",
        ),
        ({"vocab.json": {"a": 0}, "merges.txt": ""}, r"vocab.json has no <\|startof"),
        (
            {"vocab.json": {"a": -1}, "merges.txt": ""},
            "vocab.json: expected the id of 'a', found -1",
        ),
        (
            {
                "vocab.json": {"a": 0},
                "merges.txt": "",
                "config.json": {"model_type": "whisper"},
            },
            r"expected '<\|endoftext\|>' among the added tokens",
        ),
    ],
)
def test_other_vocabularies_are_refused(tmp_path, files, message):
    with pytest.raises(tokenizers.AssetError, match=message):
        checkpoints.convert_checkpoint(layouts.lay(tmp_path, files))


def test_a_made_file_is_saved_and_loaded(made, tmp_path):
    converted, before = made["en"]
    saved = converted.save(tmp_path)
    assert checkpoints.ConvertedCheckpoint.load(tmp_path) == saved
    after = tokenizers.build_tokenizer(saved.tokenizer)
    ids = before.encode("naïve 你好 😀")
    assert after.decode(ids) == before.decode(ids) == "naïve 你好 😀"
