"""Tests for sentencepiece: files that are no model, or no whole one."""

import os
import random

import pytest

from oasr import tokenizers
from oasr.tokenizers import sentencepiece_model
from tests import conftest
from tests.tokenizers import refusal_cost
from tests.tokenizers import sentencepiece_laws
from tests.tokenizers import sentencepiece_models


def without(number):
    """A model without the fields of one number."""
    content = sentencepiece_models.model("bytes")
    return b"".join(
        content[start:end]
        for found, start, _, end in sentencepiece_model.read_fields(content)
        if found != number
    )


def with_piece(old, new):
    """A model in which a piece has another spelling of the same length."""
    content = sentencepiece_models.model("bytes")
    assert len(old) == len(new)
    assert old in content
    return content.replace(old, new, 1)


BAD_FILES = [
    pytest.param(lambda: b"", "the file is empty", id="empty"),
    pytest.param(
        lambda: b"<blk> 0\n<unk> 1\n", "byte 0 begins no field", id="symbol table"
    ),
    pytest.param(lambda: b'{"model": {}}', "begins no field", id="JSON"),
    pytest.param(lambda: bytes(5_000), "byte 0 begins no field", id="zeros"),
    pytest.param(lambda: without(1), "it holds no pieces", id="no pieces"),
    pytest.param(lambda: without(2), "it holds no trainer_spec", id="no trainer_spec"),
    pytest.param(
        lambda: without(3), "it holds no normalizer_spec", id="no normalizer_spec"
    ),
    pytest.param(
        lambda: sentencepiece_models.model("bytes")[:-1],
        "goes beyond the end",
        id="last byte missing",
    ),
    pytest.param(
        lambda: with_piece(b"<0xE4>", b"<0xG4>"), "byte piece", id="no byte piece"
    ),
    pytest.param(
        lambda: with_piece(b"<0xE4>", b"<0xE5>"), "already", id="piece given twice"
    ),
    pytest.param(
        lambda: with_piece(b"<0xE4>", b"<0x\xff4>"),
        "it holds the byte 0xff",
        id="piece not UTF-8",
    ),
]


@pytest.mark.parametrize(("content", "fault"), BAD_FILES)
def test_a_bad_file_is_named(tmp_path, content, fault):
    with pytest.raises(
        tokenizers.AssetError, match=rf"bpe\.model: expected a S.* model: .*{fault}"
    ) as caught:
        sentencepiece_laws.build(tmp_path, content())
    assert "\n" not in str(caught.value)
    assert caught.value.__cause__ is not None


def test_an_absent_file_is_named(tmp_path):
    with pytest.raises(tokenizers.AssetError, match=r"none\.model: no such file"):
        tokenizers.SentencePieceTokenizer(tmp_path / "none.model")


def test_a_folder_is_named(tmp_path):
    with pytest.raises(tokenizers.AssetError, match="found a directory"):
        tokenizers.SentencePieceTokenizer(tmp_path)


# Line ends read as fields of ten bytes; the last one is a piece of one letter.
@pytest.mark.parametrize("unit", [b"[", b"\n", b"\0", b"\x80", b"\n\3\n\1a"])
def test_a_hundred_megabytes_are_refused_in_two_hundred(tmp_path, unit):
    good, bad = tmp_path / "good.model", tmp_path / "bpe.model"
    good.write_bytes(sentencepiece_models.model("bytes"))
    bad.write_bytes(unit * (100_000_000 // len(unit)))
    ((found, memory, _),) = refusal_cost.measure("SentencePieceTokenizer", good, [bad])
    assert found.startswith(f"{bad}:")
    assert memory < 200_000_000


def check_loads_or_is_refused(folder, content):
    try:
        tokenizer = sentencepiece_laws.build(folder, bytes(content))
    except tokenizers.AssetError:
        return False
    ids = tokenizer.encode("hello world, \u4f60\u597d")
    tokenizer.decode([*ids, *range(tokenizer.vocab_size)])
    return True


def test_a_cut_file_is_refused_wherever_it_is_cut(tmp_path):
    content = sentencepiece_models.model("bytes")
    end_of_pieces = content.index(b"hello") if b"hello" in content else 2_000
    rng = random.Random(0)
    cuts = {*range(200), *rng.choices(range(len(content)), k=300 * conftest.SCALE)}
    for cut in sorted({*cuts, *range(end_of_pieces, end_of_pieces + 200)}):
        assert not check_loads_or_is_refused(tmp_path, content[:cut])


def test_random_bytes_are_refused(tmp_path):
    rng = random.Random(0)
    for _ in range(200 * conftest.SCALE):
        content = rng.randbytes(rng.randrange(1, 4_000))
        assert not check_loads_or_is_refused(tmp_path, content)


def test_changed_bytes_crash_nothing(tmp_path):
    content = sentencepiece_models.model("bytes")
    rng = random.Random(0)
    outcomes = set()
    for _ in range(300 * conftest.SCALE):
        changed = bytearray(content)
        end = rng.choice([6_000, len(content)])
        for _ in range(rng.choice([1, 2, 20])):
            changed[rng.randrange(end)] = rng.randrange(256)
        outcomes.add(check_loads_or_is_refused(tmp_path, changed))
    assert outcomes == {True, False}


def test_a_role_and_an_option_that_the_kind_has_not_are_named(tmp_path):
    path = os.fspath(tmp_path / "bpe.model")
    for files, options, fault in (
        ({}, {}, "needs the file 'model'"),
        ({"table": path}, {}, r"no file role 'table'; valid are \['model'\]"),
        (
            {"model": path},
            {"unk_id": 3},
            r"no option 'unk_id'; valid are \['special_ids'\]",
        ),
    ):
        spec = tokenizers.TokenizerSpec("sentencepiece", files, options)
        with pytest.raises(ValueError, match=fault):
            tokenizers.build_tokenizer(spec)


def test_a_model_that_rewrites_its_text_holds_it_until_the_end(tmp_path, caplog):
    rules = tmp_path / "rules.tsv"
    rules.write_text("68 65\t58\n")  # "he" becomes "X".
    content = sentencepiece_models.train(denormalization_rule_tsv=str(rules))
    tokenizer = sentencepiece_laws.build(tmp_path, content)
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    processor = sentencepiece_models.reference(content)
    ids = processor.encode("she sells the shells", return_type=str)
    ids = [processor.piece_to_id(c) for piece in ids for c in piece]
    state = tokenizer.new_decode_state()
    deltas = []
    for place, token_id in enumerate(ids, start=1):
        deltas.append(tokenizer.decode_incremental([token_id], state))
        assert state["text"] == processor.decode(ids[:place])
    assert "".join(deltas) == ""
    assert tokenizer.settled(ids) == 0
    assert tokenizer.flush_incremental(state) == processor.decode(ids)
    assert "X" in state["text"]
    assert "".join(tokenizer.token_pieces(ids)) == processor.decode(ids)
    with pytest.raises(TypeError, match="position 0"):
        tokenizer.settled(["3"])
