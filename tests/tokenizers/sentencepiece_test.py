"""Tests for sentencepiece: the laws, and the reported cases."""

import pytest

from oasr import tokenizers
from tests.tokenizers import laws
from tests.tokenizers import sentencepiece_laws
from tests.tokenizers import sentencepiece_models


class TestUnigram(sentencepiece_laws.SentencePieceLaws):
    name = "unigram"


class TestSymbols(sentencepiece_laws.SentencePieceLaws):
    name, special = "symbols", [0, 1, 2, 4, 6]


class TestNoUnkSurface(sentencepiece_laws.SentencePieceLaws):
    name, special = "no_unk_surface", [2]


def ids_of(processor, pieces):
    ids = [processor.piece_to_id(piece) for piece in pieces]
    for token_id, piece in zip(ids, pieces, strict=True):
        assert processor.id_to_piece(token_id) == piece
    return ids


# The reported cases, by the pieces that make them; the number is that of the case.
HELLO, WORLD = ["\u2581he", "l", "l", "o"], ["\u2581", "w", "o", "r", "l", "d"]
CASES = [
    pytest.param(
        [*HELLO, "<unk>", *WORLD], "hello ⁇  world", ["hello", "⁇", "world"], id="026"
    ),
    pytest.param(
        ["\u2581", "<unk>", "<0x2D>", "h", "e", "l", "l", "o"],
        " ⁇ -hello",
        ["⁇", "-hello"],
        id="027",
    ),
    pytest.param(HELLO + WORLD, "hello world", ["hello", "world"], id="029"),
    pytest.param(["\u2581", "\u2581", *HELLO], "hello", ["hello"], id="030"),
    pytest.param([*HELLO, "\u2581"], "hello ", ["hello"], id="032"),
    pytest.param([*HELLO, "<0xE4>", "<0xBD>"], "hello��", ["hello��"], id="036"),
    pytest.param(
        ["<0xE4>", "<0xBD>", "<0xE5>", "<0xA5>", "<0xBD>"], "��好", ["��好"], id="037"
    ),
    pytest.param(
        [*HELLO, "<0xE4>", "<0xBD>", "<0xA0>", *WORLD],
        "hello你 world",
        ["hello你", "world"],
        id="038",
    ),
    pytest.param(
        [*HELLO, "<s>", *WORLD, "</s>"], "hello world", ["hello", "world"], id="039"
    ),
    pytest.param(
        [*HELLO, "<0xC2>", "<0xA0>", "w"], "hello\u00a0w", ["hello", "w"], id="041"
    ),
    pytest.param(
        [*HELLO, "<0xE2>", "<0x96>", "<0x81>", "w"],
        "hello\u2581w",
        ["hello\u2581w"],
        id="042",
    ),
]


@pytest.mark.parametrize(("pieces", "text", "words"), CASES)
def test_case(tmp_path, pieces, text, words):
    content = sentencepiece_models.model("bytes")
    tokenizer = sentencepiece_laws.build(tmp_path, content, special_ids=[])
    ids = ids_of(sentencepiece_models.reference(content), pieces)
    assert tokenizer.decode(ids) == text
    assert tokenizer.decode(ids).split() == words
    deltas, rest = laws.stream(tokenizer, ids, range(len(ids)))
    assert "".join(deltas) + rest == text
    assert all("\ufffd" not in delta for delta in deltas) or "\ufffd" in text


def test_case_021_an_id_that_is_no_piece_renders_nothing(tmp_path):
    tokenizer = sentencepiece_laws.build(tmp_path, sentencepiece_models.model("bytes"))
    for ids in ([1, 100_000], [-1], [2**70], [-(2**70), 100_000]):
        assert tokenizer.decode(ids) == ""
        assert laws.stream(tokenizer, ids) == ([""], "")


@pytest.mark.parametrize("ids", [[], [0], [0, 1, 2]])
def test_case_023_specials_alone_are_no_text(tmp_path, ids):
    tokenizer = sentencepiece_laws.build(tmp_path, sentencepiece_models.model("bytes"))
    assert tokenizer.decode(ids) == ""
    assert tokenizer.token_pieces(ids) == [""] * len(ids)


def test_case_028_the_surface_of_unk_is_the_models(tmp_path):
    tokenizer = sentencepiece_laws.build(
        tmp_path, sentencepiece_models.model("unk_surface"), []
    )
    assert tokenizer.unk_id == 0
    assert tokenizer.decode([0]) == "<UNK>"


def test_case_040_icefalls_symbols_are_text_unless_special(tmp_path):
    content = sentencepiece_models.model("icefall")
    processor = sentencepiece_models.reference(content)
    ids = processor.encode("hello world")
    mixed = [*ids[:3], 0, *ids[3:], 1]
    assert sentencepiece_laws.build(tmp_path, content).decode(mixed) == "hello world"
    printed = sentencepiece_laws.build(tmp_path, content, []).decode(mixed)
    assert printed == processor.decode(mixed)
    assert "<blk>" in printed
    assert sentencepiece_laws.build(tmp_path, content).unk_id == 2


def test_trailing_blanks_of_suffix_models_are_text(tmp_path):
    content = sentencepiece_models.model("suffix")
    tokenizer = sentencepiece_laws.build(tmp_path, content)
    ids = sentencepiece_models.reference(content).encode("hello world")
    assert tokenizer.decode(ids) == "hello world "
    deltas, rest = laws.stream(tokenizer, ids, range(len(ids)))
    assert ("".join(deltas), rest) == ("hello world ", "")


@pytest.mark.parametrize("name", list(sentencepiece_models.OPTIONS))
def test_a_vocabulary_is_as_large_as_its_model(tmp_path, name):
    content = sentencepiece_models.model(name)
    tokenizer = sentencepiece_laws.build(tmp_path, content)
    processor = sentencepiece_models.reference(content)
    assert tokenizer.vocab_size == len(processor)
    assert tokenizer.unk_id == processor.unk_id()


def test_without_special_ids_the_default_ones_are_dropped(tmp_path):
    sentencepiece_laws.build(tmp_path, sentencepiece_models.model("bytes"))
    tokenizer = tokenizers.SentencePieceTokenizer(tmp_path / "bpe.model")
    assert tokenizer.special_ids == tokenizers.DEFAULT_SPECIAL_IDS
    nothing = tokenizers.SentencePieceTokenizer(tmp_path / "bpe.model", [])
    assert nothing.special_ids == frozenset()
