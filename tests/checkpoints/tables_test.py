"""Tests for tables and special_names: ids are looked up by name, never by position."""

import pytest

from oasr import tokenizers
from oasr.checkpoints import directory as directories
from oasr.checkpoints import special_names
from oasr.checkpoints import tables
from tests.checkpoints import layouts
from tests.tokenizers import sentencepiece_models


def read(folder, text, **files):
    layouts.lay(folder, {"tokens.txt": text, **files})
    directory = directories.CheckpointDirectory(folder)
    return directory, tables.read(directory, "tokens.txt")


@pytest.mark.parametrize(
    ("text", "blank_id", "special_ids", "size"),
    [
        pytest.param("a 0\nb 1\n<blk> 2\n", 2, [2], 3, id="CASE-119 last"),
        pytest.param("<blk> 0\na 1\nb 2\n", 0, [0], 3, id="CASE-119 first"),
        pytest.param("a 0\n<blank> 1\nb 2\n", 1, [1], 3, id="in the middle"),
        pytest.param("<BLK> 0\n<UNK> 2\n😀 1\n", 0, [0, 2], 3, id="capitals"),
        pytest.param("a 0\nb 1\n", None, [], 2, id="none"),
        pytest.param("<blk> 0\na 1\n#0 2\n#1 3\n", 0, [0, 2, 3], 2, id="CASE-014 #N"),
        pytest.param("<blk> 0\n# 1\n#a 2\n", 0, [0], 3, id="no disambiguation"),
        pytest.param("<blk> 0\n<|zh|> 1\n", 0, [0], 2, id="a control is no special"),
    ],
)
def test_names(tmp_path, text, blank_id, special_ids, size):
    _, table = read(tmp_path, text)
    assert (table.blank_id(), table.special_ids, table.size) == (
        blank_id,
        special_ids,
        size,
    )


def test_epsilon_is_the_blank_of_tables_without_another(tmp_path):
    _, table = read(tmp_path, "<eps> 0\nAH0 1\n")
    assert table.blank_id() is None
    assert table.blank_id(epsilon=True) == 0
    _, table = read(tmp_path, "<eps> 0\n<blk> 1\n")
    assert table.blank_id(epsilon=True) == 1


def test_controls_are_found_where_they_are_meant():
    pieces = {0: "<|zh|>", 1: "<|/Speech|>", 2: "<|", 3: "<|a|b|>", 4: "<||>"}
    assert special_names.find(pieces, "here") == {}
    found = special_names.find(pieces, "here", controls=True)
    assert found == {"<|zh|>": 0, "<|/Speech|>": 1}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<blk> 0\n<blank> 1\n", "both '<blank>' and '<blk>' are names of the blank"),
        ("<blk> 0\n<blk> 1\n", "the name '<blk>' has two ids, 0 and 1"),
    ],
)
def test_contradictions_are_refused(tmp_path, text, message):
    _, table = read(tmp_path, text)
    with pytest.raises(tokenizers.AssetError, match=f"tokens.txt: {message}"):
        table.blank_id()


def of_model(content):
    """Returns the table that icefall makes of a model."""
    reference = sentencepiece_models.reference(content)
    pieces = map(reference.id_to_piece, range(reference.get_piece_size()))
    return [f"{piece} {i}\n" for i, piece in enumerate(pieces)]


def agreement(folder, lines):
    model = sentencepiece_models.model("icefall")
    directory, table = read(folder, "".join(lines), **{"bpe.model": model})
    return tables.agreeing_model(directory, table, ["bpe.model"])


def test_a_model_agrees_piece_by_piece(tmp_path):
    lines = of_model(sentencepiece_models.model("icefall"))
    found, why = agreement(tmp_path, [*lines, f"#0 {len(lines)}\n"])
    assert found == str(tmp_path / "bpe.model")
    assert why == "bpe.model agrees with tokens.txt"


def test_where_a_model_disagrees_is_named(tmp_path):
    lines = of_model(sentencepiece_models.model("icefall"))
    changed = [*lines[:5], "changed 5\n", *lines[6:]]
    assert agreement(tmp_path, changed)[0] is None
    assert "the id 5 is" in agreement(tmp_path, changed)[1]
    assert "and None in the table" in agreement(tmp_path, lines[:-1])[1]
    assert "is not in the model" in agreement(tmp_path, [*lines, "x 9999\n"])[1]
    directory, table = read(tmp_path, "".join(lines))
    assert tables.agreeing_model(directory, table, []) == (
        None,
        "no model is beside tokens.txt",
    )
