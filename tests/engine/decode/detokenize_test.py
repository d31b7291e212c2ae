"""Tests for detokenize: the legacy paths, stated anew, and an injected tokenizer."""

import random

import pytest

from oasr import tokenizers
from oasr.engine.decode import detokenize
from tests import conftest


def historical_text(table, ids):
    """Reads and renders as OASR's first detokenizer did."""
    pieces = {}
    with open(table, encoding="utf-8") as lines:
        for line in lines:
            fields = line.split()
            if len(fields) == 2:
                pieces[int(fields[1])] = fields[0]
    kept = [pieces.get(i, "") for i in ids if i not in (0, 1, 2)]
    return "".join(kept).replace("▁", " ").strip()


def write_table(tmp_path, content):
    path = tmp_path / "units.txt"
    path.write_bytes(content.encode())
    return path


_PIECES = ["a", "▁the", "▁", "'s", "你", "𠀀", "<unk>", "<0xE4>", "e\u0301", "▁▁x", "7"]
_NUMBERS = ["0", "1", "2", "3", "07", "8", "9", "+5", "1_1", "\uff14", "12", "40"]
_BLANKS = [" ", "\t", "  ", "\u3000", "\u00a0", "\x0b", "\u2028"]
_ENDS = ["\n", "\r\n", "\r", "\n\n", " \n", "\n\t\n"]


def random_table(generator):
    lines = [
        generator.choice(["", "", "", "\u00a0"])
        + generator.choice(_BLANKS).join(
            generator.choice(
                [
                    [generator.choice(_PIECES), generator.choice(_NUMBERS)],
                    [generator.choice(_PIECES), generator.choice(_NUMBERS)],
                    [generator.choice(_PIECES), generator.choice(_NUMBERS)],
                    [generator.choice(_NUMBERS)],
                    [generator.choice(_PIECES), "x", generator.choice(_NUMBERS)],
                    [],
                ]
            )
        )
        + generator.choice(_ENDS)
        for _ in range(generator.randrange(30))
    ]
    return "".join(lines)


@pytest.mark.parametrize("seed", range(100 * conftest.SCALE))
def test_a_unit_table_is_read_and_rendered_as_it_always_was(seed, tmp_path):
    generator = random.Random(seed)
    path = write_table(tmp_path, random_table(generator))
    detokenizer = detokenize.Detokenizer("unused.model", str(path))
    for _ in range(10):
        ids = generator.choices([*range(14), 40, 41, 999], k=generator.randrange(12))
        assert detokenizer.detokenize(ids) == historical_text(path, ids)
        assert "".join(detokenizer.token_pieces(ids)) == detokenizer.detokenize(ids)


@pytest.mark.parametrize("number", ["x", "1.5", "", "0x3"])
def test_an_id_that_is_no_number_raises_as_it_always_did(number, tmp_path):
    path = write_table(tmp_path, f"a 3\nb {number or '▁'}\n")
    with pytest.raises(ValueError, match="invalid literal for int"):
        historical_text(path, [])
    with pytest.raises(ValueError, match="invalid literal for int"):
        detokenize.Detokenizer(unit_table=path)


def test_a_table_that_is_absent_is_named(tmp_path):
    with pytest.raises(tokenizers.AssetError, match=r"units\.txt: no such file"):
        detokenize.Detokenizer(unit_table=tmp_path / "units.txt")


def test_a_unit_table_makes_a_tokenizer(tmp_path):
    path = write_table(tmp_path, "<blank> 0\n▁hi 3\n")
    detokenizer = detokenize.Detokenizer(unit_table=path)
    assert isinstance(detokenizer.tokenizer, tokenizers.SymbolTableTokenizer)
    assert detokenizer.tokenizer.special_ids == {0, 1, 2}


def test_an_injected_tokenizer_goes_before_the_legacy_paths(tmp_path):
    path = write_table(tmp_path, "▁hi 0\n▁there 3\n")
    tokenizer = tokenizers.SymbolTableTokenizer(path, [])
    detokenizer = detokenize.Detokenizer("a.model", "absent.txt", tokenizer)
    assert detokenizer.tokenizer is tokenizer
    assert detokenizer.detokenize([0, 3]) == "hi there"
    assert detokenizer.token_pieces([0, 3]) == ["hi", " there"]
    assert detokenizer.is_text([0, 1, 3]).tolist() == [True, False, True]
    text, ends = detokenizer.joined_pieces([0, 3])
    assert (text, ends.tolist()) == (b"hi there", [2, 8])


@pytest.mark.parametrize("with_table", [True, False])
def test_a_stream_gives_the_text_of_all_its_ids(with_table, tmp_path):
    path = write_table(tmp_path, "▁a 3\n▁ 4\n𠀀 5\n")
    detokenizer = detokenize.Detokenizer(unit_table=path if with_table else None)
    state, ids, deltas = detokenizer.new_state(), [3, 0, 4, 5, 999, 4, 3, 4], []
    for place, new in enumerate(ids):
        deltas.append(detokenizer.detokenize_incremental([new], state))
        assert state["text"] == detokenizer.detokenize(ids[: place + 1])
        assert state["text"].startswith("".join(deltas))
    deltas.append(detokenizer.flush(state))
    assert "".join(deltas) == detokenizer.detokenize(ids)


def test_without_a_vocabulary_ids_are_their_own_text():
    detokenizer = detokenize.Detokenizer()
    assert detokenizer.tokenizer is None
    assert detokenizer.detokenize([0, 5, 1, 7, 2]) == "5 7"
    assert detokenizer.detokenize([]) == ""
