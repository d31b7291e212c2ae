"""Tests for nemo: the blank is the last piece, wherever that is."""

import pytest

from oasr import checkpoints
from oasr import tokenizers
from tests.checkpoints import layouts
from tests.tokenizers import sentencepiece_models

TABLE = "<unk> 0\n▁he 1\nllo 2\n😀 3\n<blk> 4\n"
CONFIG = """
preprocessor: {window_stride: 0.01}
encoder: {subsampling_factor: 8}
"""


def convert(folder, files):
    converted = checkpoints.convert_checkpoint(layouts.lay(folder, files))
    return converted, tokenizers.build_tokenizer(converted.tokenizer)


def test_the_blank_is_last(tmp_path):
    converted, tokenizer = convert(tmp_path, {"tokens.txt": TABLE})
    assert (converted.blank_id, converted.vocab_size) == (4, 5)
    assert converted.tokenizer.options == {"special_ids": [0, 4]}
    assert converted.seconds_per_frame is None
    assert tokenizer.decode([1, 4, 2, 0, 3, 4, 9]) == "hello😀"


@pytest.mark.parametrize(
    ("table", "blank_id"),
    [("a 0\nb 1\n<blk> 2\n", 2), ("<blk> 0\na 1\nb 2\n", 0)],
    ids=["CASE-119 last", "CASE-119 first"],
)
def test_either_place_is_found_by_name(tmp_path, table, blank_id):
    converted, tokenizer = convert(tmp_path, {"tokens.txt": table})
    assert converted.blank_id == blank_id
    assert tokenizer.special_ids == {blank_id}
    letters = [i for i in range(3) if i != blank_id]
    assert tokenizer.decode([blank_id, *letters, blank_id]) == "ab"


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        (CONFIG, 0.08),
        (CONFIG.replace("8", "4"), 0.04),
        ("preprocessor: {window_stride: 0.01}", None),
        ("encoder: []", None),
    ],
)
def test_seconds_per_frame_are_those_of_the_configuration(tmp_path, config, expected):
    files = {"tokens.txt": TABLE, "model_config.yaml": config}
    assert convert(tmp_path, files)[0].seconds_per_frame == expected


def test_the_model_that_made_the_table_is_used(tmp_path):
    model = sentencepiece_models.model("unigram")
    reference = sentencepiece_models.reference(model)
    size = reference.get_piece_size()
    lines = [f"{reference.id_to_piece(i)} {i}\n" for i in range(size)]
    files = {
        "tokens.txt": "".join(lines) + f"<blk> {size}\n",
        "0a1b_tokenizer.model": model,
    }
    converted, tokenizer = convert(tmp_path, files)
    assert converted.tokenizer.kind == "sentencepiece"
    assert (converted.vocab_size, converted.blank_id) == (size + 1, size)
    ids = reference.encode("hello world")
    assert tokenizer.encode("hello world") == ids
    assert tokenizer.decode([size, *ids, size]) == "hello world"


def test_a_joiner_makes_a_transducer(tmp_path):
    files = {"tokens.txt": TABLE, "joiner.int8.onnx": ""}
    assert convert(tmp_path, files)[0].family == "transducer"
