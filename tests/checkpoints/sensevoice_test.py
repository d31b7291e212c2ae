"""Tests for sensevoice: the line is the id, the second column a score."""

import pytest

from oasr import checkpoints
from oasr import tokenizers
from tests.checkpoints import layouts
from tests.tokenizers import sentencepiece_models

MARKS = ["<|zh|>", "<|en|>", "<|NEUTRAL|>", "<|Speech|>", "<|withitn|>", "<|woitn|>"]


@pytest.fixture(scope="module")
def model():
    """A model with SenseVoice's marks among its pieces."""
    return sentencepiece_models.train(user_defined_symbols=MARKS, vocab_size=170)


@pytest.fixture(scope="module")
def reference(model):
    return sentencepiece_models.reference(model)


def scored(reference):
    """Returns tokens.txt as it is published."""
    size = reference.get_piece_size()
    return "".join(
        f"{reference.id_to_piece(i)}\t{reference.get_score(i):g}\n" for i in range(size)
    )


def numbered(reference):
    """Returns tokens.txt as sherpa-onnx exports it."""
    size = reference.get_piece_size()
    return "".join(f"{reference.id_to_piece(i)} {i}\n" for i in range(size))


def pieces(reference):
    return [reference.id_to_piece(i) for i in range(reference.get_piece_size())]


def convert(folder, files):
    converted = checkpoints.convert_checkpoint(layouts.lay(folder, files))
    return converted, tokenizers.build_tokenizer(converted.tokenizer)


LAYOUTS = {
    "published": lambda m, r: {"tokens.txt": scored(r), "a.bpe.model": m},
    "named": lambda m, r: {
        "tokens.txt": scored(r),
        "a.bpe.model": m,
        "config.yaml": layouts.SENSEVOICE_YAML,
    },
    "list": lambda m, r: {"tokens.json": pieces(r), "a.bpe.model": m},
    "model": lambda m, r: {"a.bpe.model": m},
    "scores": lambda m, r: {"tokens.txt": scored(r)},
    "list alone": lambda m, r: {"tokens.json": pieces(r)},
    "sherpa-onnx": lambda m, r: {"tokens.txt": numbered(r)},
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_is_the_same_vocabulary(tmp_path, model, reference, layout):
    files = LAYOUTS[layout](model, reference)
    converted, tokenizer = convert(tmp_path, files)
    kind = "sentencepiece" if "a.bpe.model" in files else "symbol_table"
    assert (converted.family, converted.tokenizer.kind) == ("ctc", kind)
    assert converted.vocab_size == reference.get_piece_size()
    assert converted.blank_id == reference.piece_to_id("<unk>") == 0
    assert converted.seconds_per_frame == 0.06
    ids = {mark: reference.piece_to_id(mark) for mark in MARKS}
    assert converted.extras["special_tokens"] == {"<unk>": 0, "<s>": 1, "</s>": 2} | ids
    assert tokenizer.special_ids == {0, 1, 2, *ids.values()}
    heard = reference.encode("hello world")
    assert tokenizer.decode([*ids.values(), *heard, 0]) == "hello world"


@pytest.mark.parametrize("layout", ["scores", "list alone"])
def test_a_table_that_was_made_is_saved_beside(tmp_path, model, reference, layout):
    files = LAYOUTS[layout](model, reference)
    converted, _ = convert(tmp_path / "checkpoint", files)
    converted.save(tmp_path / "output")
    loaded = checkpoints.ConvertedCheckpoint.load(tmp_path / "output")
    heard = reference.encode("hello world")
    assert tokenizers.build_tokenizer(loaded.tokenizer).decode(heard) == "hello world"


def test_the_name_of_the_model_makes_the_claim_sure(tmp_path, model, reference):
    layouts.lay(tmp_path, LAYOUTS["named"](model, reference))
    best, second = checkpoints.rank_claims(tmp_path)[:2]
    assert (best.converter, best.strength) == ("sensevoice", 3)
    assert second.strength is checkpoints.Strength.NONE


def test_a_model_of_another_vocabulary_is_refused(tmp_path, model, reference):
    files = LAYOUTS["published"](model, reference)
    changed = files["tokens.txt"].replace("<|en|>", "<|fr|>")
    message = f"the id {reference.piece_to_id('<|en|>')} is '<|fr|>', but '<|en|>' in"
    with pytest.raises(tokenizers.AssetError) as caught:
        convert(tmp_path, files | {"tokens.txt": changed})
    assert message in str(caught.value)


def test_two_models_are_refused(tmp_path, model, reference):
    files = LAYOUTS["published"](model, reference) | {"b.bpe.model": model}
    with pytest.raises(tokenizers.AssetError, match=r"one \*bpe.model, found \["):
        convert(tmp_path, files)


def test_the_blank_is_that_of_the_configuration(tmp_path, model, reference):
    files = LAYOUTS["named"](model, reference)
    files["config.yaml"] += "\n".join(["", "x: 1"]).replace("x: 1", "")
    files["config.yaml"] = files["config.yaml"].replace("sos: 1", "blank_id: 5, sos: 1")
    assert convert(tmp_path, files)[0].blank_id == 5


def test_other_scores_are_no_sensevoice(tmp_path):
    table = "<unk>\t0\n<pad>\t0\nka\t-0\nra\t-1\n▁s\t-2\n"
    with pytest.raises(tokenizers.AssetError, match=r"tokens.txt has no <\|zh\|>"):
        convert(tmp_path, {"tokens.txt": table})


def test_another_model_of_funasr_is_none(tmp_path):
    with pytest.raises(tokenizers.AssetError, match="names the model ConformerRNN"):
        convert(tmp_path, {"config.yaml": "model: ConformerRNN"})
