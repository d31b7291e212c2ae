"""Tests for symbol_table."""

import pytest

from oasr import tokenizers
from tests.tokenizers import laws
from tests.tokenizers import symbol_tables


class TestPlainTable(symbol_tables.SymbolTableLaws):
    pass


class TestHistoricalReader(symbol_tables.SymbolTableLaws):
    @pytest.fixture(scope="class")
    @classmethod
    def tokenizer(cls, tmp_path_factory):
        folder = tmp_path_factory.mktemp("table")
        return symbol_tables.build(
            folder, symbol_tables.TABLE + "no line of two\nx 12\nx 13\n", strict=False
        )


class TestFewLargeIds(symbol_tables.SymbolTableLaws):
    table, favoured = "a 3\n\u2581b 900000\n\u2581 4\n", [3, 4, 900000]


@pytest.mark.parametrize(
    ("ids", "expected"),
    [
        pytest.param([], "", id="empty"),
        pytest.param([0, 1, 2], "", id="only special"),
        pytest.param([3, 4, 5], "hello world", id="word mark is a space"),
        pytest.param([5], "world", id="leading space is stripped"),
        pytest.param([3, 999, -1, 7, 4], "hello", id="ids outside and in a gap"),
        pytest.param(
            [8, 3, 8, 4, 8], "he\u3000llo", id="ends are stripped of any blank"
        ),
        pytest.param([3, 4, 4], "hellollo", id="repeats stay"),
    ],
)
def test_decode(tmp_path, ids, expected):
    assert symbol_tables.build(tmp_path).decode(ids) == expected


# Copied from the collection of reported cases; the number is that of the case.
CASES = [
    pytest.param(
        "<blk> 0\n<unk> 1\n<sos/eos> 2\n  3\nb 4\nc 5\n", {}, [4, 3, 5], "b c", id="001"
    ),
    pytest.param(
        bytes.fromhex(
            "3c626c6b3e20300d0a3c756e6b3e20310d0a3c736f732f656f733e20320d0a6220330d0a"
            "e296816320340d0a"
        ),
        {},
        [3, 4],
        "b c",
        id="002",
    ),
    pytest.param(
        bytes.fromhex("efbbbf6120350a6220360a"),
        {"special_ids": []},
        [5, 6],
        "ab",
        id="003",
    ),
    pytest.param("x 3\nx 4\ny 5\n", {}, [3, 4, 5], "xxy", id="006"),
    pytest.param(
        "b 4\n\u3000 6\nc 5\n\u00a0 7\n",
        {"special_ids": []},
        [4, 6, 5, 7, 4],
        "b\u3000c\u00a0b",
        id="008",
    ),
    pytest.param(
        "a\u0085b 1\nc\u2028d 2\n",
        {"special_ids": []},
        [1, 2],
        "a\u0085bc\u2028d",
        id="009",
    ),
    pytest.param("a 3\n<0x41> 4\nb 5\n", {}, [3, 4, 5], "a<0x41>b", id="012"),
    pytest.param(
        "\u2581\u018b\u0163 3\n\u0145\u018c 4\n\u014b\u0163 5\n\u2581hi 6\n",
        {"byte_pieces": "bbpe"},
        [3, 4, 5, 6],
        "\u4f60\u597d hi",
        id="013",
    ),
    pytest.param(
        "<blk> 0\n<sos/eos> 1\n<unk> 2\na 3\n#0 4\n#1 5\n",
        {},
        [3, 4, 3],
        "a#0a",
        id="014",
    ),
    pytest.param(
        "<blk> 0\n<sos/eos> 1\n<unk> 2\na 3\n#0 4\n#1 5\n",
        {"special_ids": [0, 1, 2, 4, 5]},
        [3, 4, 3],
        "aa",
        id="014 as its converter declares it",
    ),
    pytest.param("\u2581 3\na 4\n\u2581b 5\n", {}, [3, 4, 3, 5, 3], "a  b", id="015"),
    pytest.param(
        "<blank> 0\n<unk> 1\n\u2581 3\na 4\nb 5\n<sos/eos> 2\n",
        {},
        [4, 5, 3, 5, 4],
        "ab ba",
        id="016",
    ),
    pytest.param("C 3\nA 4\nR 5\nY 6\n", {}, [3, 4, 5, 5, 6], "CARRY", id="024"),
]


@pytest.mark.parametrize(("table", "options", "ids", "expected"), CASES)
def test_reported_case(tmp_path, table, options, ids, expected):
    tokenizer = symbol_tables.build(tmp_path, table, **options)
    assert tokenizer.decode(ids) == expected
    given, rest = laws.one_by_one(tokenizer, ids)
    assert given + rest == expected
    assert "".join(tokenizer.token_pieces(ids)) == expected


def test_the_largest_id_is_read_without_a_list_as_long(tmp_path):
    tokenizer = symbol_tables.build(tmp_path, "a 3\nb 10000000\n")
    assert tokenizer.vocab_size == 10_000_001
    assert tokenizer.decode([3, 10_000_000, 9_999_999]) == "ab"
    assert tokenizer.token_pieces([10_000_000, 3, 4]) == ["b", "a", ""]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"byte_pieces": "utf8"}, r"byte_pieces must be one of .* got 'utf8'"),
        ({"strict": 1}, "strict must be True or False, got 1"),
        ({"specials": [0]}, r"no option 'specials'; valid are \['byte_pieces'"),
    ],
)
def test_a_bad_option_is_refused(tmp_path, options, message):
    with pytest.raises(ValueError, match=message):
        symbol_tables.build(tmp_path, **options)


def test_an_unknown_file_role_is_refused(tmp_path):
    spec = tokenizers.TokenizerSpec("symbol_table", {"table": "t", "units": "u"})
    with pytest.raises(
        ValueError, match=r"no file role 'units'; valid are \['table'\]"
    ):
        tokenizers.build_tokenizer(spec)
    with pytest.raises(ValueError, match=r"needs the file 'table'; got \[\]"):
        tokenizers.build_tokenizer(tokenizers.TokenizerSpec("symbol_table"))


def test_special_ids_that_are_no_integers_are_refused(tmp_path):
    with pytest.raises(TypeError, match="position 1 is '2'"):
        symbol_tables.build(tmp_path, special_ids=[0, "2"])


def test_a_long_run_of_blanks_is_held_once(tmp_path):
    tokenizer = symbol_tables.build(tmp_path)
    given, rest = laws.one_by_one(tokenizer, [3, *[6] * 50_000, 4])
    assert (given, rest) == (f"he{' ' * 50_000}llo", "")
