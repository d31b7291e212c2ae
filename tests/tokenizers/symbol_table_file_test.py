"""Tests for symbol_table_file: bad tables, and the historical reader."""

import random
import re

import pytest

from oasr import tokenizers
from tests import conftest
from tests.tokenizers import symbol_tables


@pytest.mark.parametrize(
    ("table", "message"),
    [
        pytest.param("", "expected '<piece> <id>' lines, found none", id="empty"),
        pytest.param("\n \n", "expected '<piece> <id>' lines, found none", id="blank"),
        pytest.param("a 0\nb\n", r"tokens.txt:2: .* integer id, got 'b'", id="no id"),
        pytest.param("a 0\nb c 1\n", "tokens.txt:2: .* got 3 fields in", id="three"),
        pytest.param("a 0\nb 1.5\n", "tokens.txt:2: .* integer id", id="no integer"),
        pytest.param("a 0\nb 1_0\n", "tokens.txt:2: .* integer id", id="underscore"),
        pytest.param("a 0\nb +1\n", "tokens.txt:2: .* integer id", id="plus sign"),
        pytest.param(
            "a 0\nb \u0661\n", "tokens.txt:2: .* integer id", id="arabic digit"
        ),
        pytest.param(
            "a 0\nb -1\n", "tokens.txt:2: the id '-1' is negative", id="minus"
        ),
        pytest.param("a 0\nb 0\n", "tokens.txt:2: the id 0 is given twice", id="twice"),
        pytest.param("a 10000001\n", "tokens.txt:1: .* over 10000000", id="absurd"),
        pytest.param(f"a {'9' * 10**6}\n", "tokens.txt:1: .* over", id="a million 9s"),
        pytest.param(b"a 0\n\xff 1\n", "tokens.txt:2: expected UTF-8", id="not UTF-8"),
        pytest.param(
            "<unk>\t0\n<pad>\t0\nka\t-0\nra\t-1\n",
            "tokens.txt:2: the id 0 is given twice; line 1 gave it to '<unk>'",
            id="004: scores as ids",
        ),
    ],
)
def test_a_bad_table_is_refused(tmp_path, table, message):
    with pytest.raises(tokenizers.AssetError, match=message):
        symbol_tables.build(tmp_path, table)


@pytest.mark.parametrize("strict", [True, False])
def test_what_is_no_file_is_refused(tmp_path, strict):
    for path, message in [
        (tmp_path / "none.txt", "none.txt: no such file"),
        (tmp_path, "expected a file, found a directory"),
        ("a\0b", "cannot be read"),
    ]:
        with pytest.raises(tokenizers.AssetError, match=message):
            tokenizers.SymbolTableTokenizer(path, strict=strict)


# The historical reader: stated here once more, as it was.


def historical_table(content):
    table = {}
    for line in (
        content.decode("utf-8").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    ):
        fields = line.split()
        if len(fields) == 2:
            table[int(fields[1])] = fields[0]
    return table


def historical_decode(table, special_ids, ids):
    text = "".join(table.get(i, "") for i in ids if i not in special_ids)
    return text.replace("\u2581", " ").strip()


def test_the_historical_reader_is_kept_to_the_letter(tmp_path):
    rng = random.Random(2)
    parts = [
        "a",
        "\u2581b",
        "\u4f60",
        "\u3000",
        " ",
        "  ",
        "\t",
        "3",
        "4",
        "-1",
        "+5",
        "1_0",
    ]
    parts += ["\n", "\r\n", "\r", "\n", "\ufeff", "\u0085", "\u0663", "\u2581"]
    read = 0
    for _ in range(3000 * conftest.SCALE):
        content = "".join(rng.choices(parts, k=rng.randrange(20))).encode()
        try:
            table = historical_table(content)
        except ValueError as error:
            with pytest.raises(ValueError, match=re.escape(str(error))):
                symbol_tables.build(tmp_path, content, strict=False)
            continue
        read += 1
        tokenizer = symbol_tables.build(tmp_path, content, strict=False)
        ids = [rng.randrange(-3, 15) for _ in range(8)]
        assert tokenizer.decode(ids) == historical_decode(table, {0, 1, 2}, ids)
        assert "".join(tokenizer.token_pieces(ids)) == tokenizer.decode(ids)
    assert read > 1000


def test_skipped_lines_are_counted_in_one_warning(tmp_path, caplog):
    symbol_tables.build(tmp_path, "a 3\nb c d\n\nlone\n", strict=False)
    messages = [r.getMessage() for r in caplog.records if r.name == "oasr.tokenizers"]
    assert len(messages) == 1
    assert "skipped 2 line(s)" in messages[0]
