"""Tests for nemo: the blank is the last piece, wherever that is."""

import pytest
import yaml

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


def unpacked(target, **more):
    """Returns a configuration as an unpacked archive has it."""
    config = {
        "target": f"nemo.collections.asr.models.{target}",
        "preprocessor": {"window_stride": 0.01},
        "encoder": {"subsampling_factor": 8},
    }
    return yaml.safe_dump({**config, **more})


TOKENIZER = {"type": "bpe", "model_path": "nemo:0a1b_tokenizer.model"}
CTC = "ctc_bpe_models.EncDecCTCModelBPE"
TRANSDUCER = "rnnt_bpe_models.EncDecRNNTBPEModel"
HYBRID = "hybrid_rnnt_ctc_bpe_models.EncDecHybridRNNTCTCBPEModel"


@pytest.mark.parametrize(
    ("target", "family"),
    [(CTC, "ctc"), (TRANSDUCER, "transducer"), (HYBRID, "transducer")],
)
def test_an_unpacked_archive_has_its_pieces_and_then_the_blank(
    tmp_path, target, family
):
    model = sentencepiece_models.model("unigram")
    reference = sentencepiece_models.reference(model)
    size = reference.get_piece_size()
    files = {
        "model_config.yaml": unpacked(target, tokenizer=TOKENIZER),
        "0a1b_tokenizer.model": model,
        "0c2d_vocab.txt": "##lo\n",  # Beside it, and in no use.
    }
    inspection = checkpoints.inspect_checkpoint(layouts.lay(tmp_path, files))
    converted = inspection.checkpoint
    assert (inspection.detected, converted.family) == ("nemo", family)
    assert (converted.vocab_size, converted.blank_id) == (size + 1, size)
    assert converted.seconds_per_frame == 0.08
    assert inspection.specials["<unk>"] == reference.unk_id()
    assert inspection.findings == ()
    tokenizer = tokenizers.build_tokenizer(converted.tokenizer)
    ids = reference.encode("hello world")
    assert tokenizer.encode("hello world") == ids
    assert tokenizer.decode([size, *ids, size]) == reference.decode(ids)


@pytest.mark.parametrize(
    "more",
    [
        {"decoder": {"num_classes": 9}},
        {"decoder": {"num_classes": -1, "vocabulary": ["x"] * 9}},
        {"joint": {"num_classes": 9}, "decoder": {"vocab_size": 9}},
        {"labels": ["x"] * 9},
    ],
)
def test_the_labels_are_the_configuration_s(tmp_path, more):
    files = {
        "model_config.yaml": unpacked(CTC, tokenizer=TOKENIZER, **more),
        "0a1b_tokenizer.model": sentencepiece_models.model("unigram"),
    }
    inspection = checkpoints.inspect_checkpoint(layouts.lay(tmp_path, files))
    assert inspection.checkpoint.vocab_size == 10
    assert inspection.checkpoint.blank_id == 9
    # The model has many more pieces, so one of both is another checkpoint's.
    assert [(f.rule, f.severity) for f in inspection.findings] == [
        ("head_mismatch", "error")
    ]


def test_a_model_of_characters_lists_them(tmp_path):
    labels = [" ", *"abc", "'", "你"]
    target = "ctc_models.EncDecCTCModel"
    config = unpacked(target, decoder={"num_classes": 6, "vocabulary": labels})
    converted, tokenizer = convert(tmp_path, {"model_config.yaml": config})
    assert (converted.family, converted.tokenizer.kind) == ("ctc", "symbol_table")
    assert (converted.vocab_size, converted.blank_id) == (7, 6)
    ids = [6, 1, 2, 6, 0, 3, 4, 5]
    expected = "".join(labels[i] for i in ids if i < 6)
    assert tokenizer.decode(ids) == expected
    saved = converted.save(tmp_path / "saved")
    assert tokenizers.build_tokenizer(saved.tokenizer).decode(ids) == expected


def test_the_durations_of_a_transducer_are_kept(tmp_path):
    defaults = {"tdt_durations": [0, 1, 2, 3, 4]}
    files = {
        "model_config.yaml": unpacked(
            TRANSDUCER, tokenizer=TOKENIZER, model_defaults=defaults
        ),
        "0a1b_tokenizer.model": sentencepiece_models.model("unigram"),
    }
    assert convert(tmp_path, files)[0].extras["durations"] == [0, 1, 2, 3, 4]


def test_a_model_of_another_name_is_found_if_it_is_the_only_one(tmp_path):
    files = {
        "model_config.yaml": unpacked(CTC, tokenizer=TOKENIZER),
        "tokenizer.model": sentencepiece_models.model("unigram"),
    }
    assert convert(tmp_path, files)[0].tokenizer.kind == "sentencepiece"


WORDPIECE = {"type": "wpe", "vocab_path": "nemo:0c2d_vocab.txt"}
BAD = {
    "no model": (
        {"model_config.yaml": unpacked(CTC, tokenizer=TOKENIZER)},
        r"expected 0a1b_tokenizer\.model, which model_config\.yaml names, found none",
    ),
    "WordPiece": (
        {"model_config.yaml": unpacked(CTC, tokenizer=WORDPIECE)},
        r"tokenizer\.type is 'wpe'; of NeMo's types only 'bpe'",
    ),
    "several languages": (
        {"model_config.yaml": unpacked(CTC, tokenizer={"type": "agg", "langs": {}})},
        r"tokenizer\.type is 'agg'",
    ),
    "neither": (
        {"model_config.yaml": unpacked("ctc_models.EncDecCTCModel")},
        "expected a tokenizer, or a list of labels, found neither",
    ),
    "a label that is no text": (
        {"model_config.yaml": unpacked("ctc_models.EncDecCTCModel", labels=[False])},
        r"labels\[0\] must be a string, found False",
    ),
    "a label that is a line end": (
        {"model_config.yaml": unpacked("ctc_models.EncDecCTCModel", labels=["\n"])},
        "expected a letter or more as the label 0",
    ),
    "another way of decoding": (
        {
            "model_config.yaml": unpacked(
                "aed_multitask_models.EncDecMultiTaskModel", tokenizer=TOKENIZER
            )
        },
        "names the model EncDecMultiTaskModel, which decodes in a way that is not",
    ),
    "not unpacked": (
        {"stt_en.nemo": b"\0" * 512},
        r"stt_en\.nemo is an archive; unpack it with tar -xf",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_what_is_not_read_is_named(tmp_path, name):
    files, message = BAD[name]
    with pytest.raises(tokenizers.AssetError, match=message):
        convert(tmp_path, files)


def test_a_model_alone_is_nobody_s(tmp_path):
    files = {"tokenizer.model": sentencepiece_models.model("unigram")}
    with pytest.raises(tokenizers.AssetError, match="no converter knows"):
        convert(tmp_path, files)


def test_a_table_that_is_no_table_of_ids_is_refused_by_the_line(tmp_path):
    # CASE-004: the vocabulary of the tokenizer, with scores, in place of tokens.txt.
    table = "<unk>\t0\n<pad>\t0\nka\t-0\nra\t-1\n\u2581s\t-2\n"
    with pytest.raises(tokenizers.AssetError) as refusal:
        convert(tmp_path, {"tokens.txt": table})
    assert f"{tmp_path / 'tokens.txt'}:2: " in str(refusal.value)
