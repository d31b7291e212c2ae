"""Tests for wenet: the table of units counts, and the recipe's settings."""

import pytest

from oasr import checkpoints
from oasr import tokenizers
from tests.checkpoints import layouts
from tests.tokenizers import sentencepiece_models


def convert(folder, files):
    converted = checkpoints.convert_checkpoint(layouts.lay(folder, files))
    return converted, tokenizers.build_tokenizer(converted.tokenizer)


@pytest.mark.parametrize("name", ["units.txt", "words.txt", "lang_char.txt"])
def test_special_ids_are_those_of_the_names(tmp_path, name):
    converted, tokenizer = convert(tmp_path, {name: layouts.WENET})
    assert converted.tokenizer == tokenizers.TokenizerSpec(
        "symbol_table", {"table": str(tmp_path / name)}, {"special_ids": [0, 1, 6]}
    )
    assert (converted.family, converted.vocab_size, converted.blank_id) == ("ctc", 7, 0)
    assert converted.seconds_per_frame is None
    assert tokenizer.decode([0, 2, 3, 4, 5, 6]) == "hello你😀"  # 2 is no special id.


def test_the_model_beside_the_table_is_not_used_case_118(tmp_path):
    model = sentencepiece_models.model("unigram")
    files = {"units.txt": layouts.WENET, "train_960_unigram5000.model": model}
    converted, tokenizer = convert(tmp_path, files)
    assert converted.tokenizer.kind == "symbol_table"
    assert converted.tokenizer.files == {"table": str(tmp_path / "units.txt")}
    assert tokenizer.decode([2, 3]) == "hello"


def test_units_come_before_the_words_of_a_language_model(tmp_path):
    files = {"units.txt": layouts.WENET, "words.txt": "<eps> 0\nhello 1\n#0 2\n"}
    assert convert(tmp_path, files)[0].vocab_size == 7


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, 0.04),
        ({"conv2d": "conv2d6"}, 0.06),
        ({"conv2d": "conv2d8"}, 0.08),
        ({"conv2d": "linear"}, 0.01),
        ({"conv2d": "unheard_of"}, None),
        ({"frame_shift: 10": "frame_shift: 12.5"}, 0.05),
        ({"frame_shift: 10": "frame_shift: none"}, 0.04),
        ({"encoder: conformer": "encoder: efficientConformer"}, None),
        ({"input_layer: conv2d, ": ""}, 0.04),
    ],
)
def test_seconds_per_frame_are_those_of_the_recipe(tmp_path, changes, expected):
    recipe = layouts.TRAIN_YAML
    for old, new in changes.items():
        assert old in recipe
        recipe = recipe.replace(old, new)
    files = {"units.txt": layouts.WENET, "train.yaml": recipe}
    assert convert(tmp_path, files)[0].seconds_per_frame == expected


def test_a_recipe_makes_the_claim_sure(tmp_path):
    files = {"units.txt": layouts.WENET, "train.yaml": layouts.TRAIN_YAML}
    converted, _ = convert(tmp_path, files)
    claim = checkpoints.rank_claims(tmp_path)[0]
    assert claim.strength is checkpoints.Strength.CERTAIN
    assert converted.extras["ctc_weight"] == 0.3
    assert converted.extras["reverse_weight"] == 0.5


def test_the_recipe_says_how_large_the_model_is(tmp_path):
    recipe = layouts.TRAIN_YAML.replace("output_dim: 7", "output_dim: 9")
    files = {"units.txt": layouts.WENET, "train.yaml": recipe}
    assert convert(tmp_path, files)[0].vocab_size == 9


def test_a_transducer_is_one(tmp_path):
    recipe = layouts.TRAIN_YAML + "model: transducer\n"
    files = {"units.txt": layouts.WENET, "train.yaml": recipe}
    assert convert(tmp_path, files)[0].family == "transducer"


def test_another_blank_in_the_recipe_is_refused(tmp_path):
    recipe = layouts.TRAIN_YAML + "ctc_conf: {ctc_blank_id: 6}\n"
    files = {"units.txt": layouts.WENET, "train.yaml": recipe}
    message = "train.yaml: ctc_conf.ctc_blank_id is 6, but the table names 0"
    with pytest.raises(tokenizers.AssetError, match=message):
        convert(tmp_path, files)


def test_code_in_the_recipe_is_refused(tmp_path):
    recipe = layouts.TRAIN_YAML + "a: !!python/object/apply:os.system [ls]\n"
    files = {"units.txt": layouts.WENET, "train.yaml": recipe}
    with pytest.raises(tokenizers.AssetError, match=r"train.yaml:7: expected YAML of"):
        convert(tmp_path, files)


@pytest.mark.parametrize("table", ["a 0\nb 1\n", "", "<blank> zero\n", b"\xff 0\n"])
def test_no_table_is_no_claim(tmp_path, table):
    with pytest.raises(tokenizers.AssetError, match="no converter knows"):
        convert(tmp_path, {"units.txt": table})


def test_the_blank_may_be_last(tmp_path):
    converted, _ = convert(tmp_path, {"units.txt": "a 0\nb 1\n<blank> 2\n"})
    assert converted.blank_id == 2
    assert converted.tokenizer.options["special_ids"] == [2]


def test_a_model_without_its_blank_is_refused(tmp_path):
    recipe = layouts.TRAIN_YAML.replace("output_dim: 7", "output_dim: 2")
    files = {"units.txt": "a 0\nb 1\n<blank> 2\n", "train.yaml": recipe}
    with pytest.raises(tokenizers.AssetError) as caught:
        convert(tmp_path, files)
    assert str(caught.value).startswith(f"{tmp_path}: ConvertedCheckpoint.blank_id")
