"""Tests for symbol_table."""

import itertools
import random
import re

import pytest

from oasr import tokenizers
from tests import conftest
from tests.tokenizers import laws

TABLE = "<blank> 0\n<unk> 1\n\u2581he 3\nllo 4\n\u2581world 5\n<eos> 2\n"
TABLE += "\u2581 6\n\u3000 8\n"
BYTES = "".join(f"<0x{byte:02X}> {byte + 3}\n" for byte in range(256))
HEX_TABLE = f"<blk> 0\n<eos> 1\n<unk> 2\n{BYTES}\u2581a 259\nb\u2581 260\n\u4f60 261\n"


def bbpe_letters():
    """The letter of each byte, as icefall's byte_utils lists them by number."""
    runs = [(256, 287), (32, 126), (288, 305), (308, 318), (321, 328), (330, 382)]
    numbers = [c for first, last in [*runs, (384, 422)] for c in range(first, last + 1)]
    return [chr(number) for number in numbers]


LETTERS = bbpe_letters()
BBPE_TABLE = "<blk> 0\n<eos> 1\n<unk> 2\n" + "".join(
    f"{letter} {3 + byte}\n" for byte, letter in enumerate(LETTERS) if letter != " "
)
BBPE_TABLE += "\u2581\u018b\u0163\u0145 300\n\u2581 301\n\u4e2d 302\n"


def build(tmp_path, table=TABLE, **options):
    path = tmp_path / "tokens.txt"
    path.write_bytes(table if isinstance(table, bytes) else table.encode())
    spec = tokenizers.TokenizerSpec("symbol_table", {"table": str(path)}, options)
    return tokenizers.build_tokenizer(spec)


class SymbolTableLaws(laws.TokenizerLaws):
    table, byte_pieces, favoured = TABLE, "none", [3, 4, 6, 8]

    @pytest.fixture(scope="class")
    @classmethod
    def tokenizer(cls, tmp_path_factory):
        folder = tmp_path_factory.mktemp("table")
        return build(folder, cls.table, byte_pieces=cls.byte_pieces)

    @pytest.fixture
    def special_ids(self):
        return {0, 1, 2}

    def favourites(self, tokenizer):
        return self.favoured


class TestPlainTable(SymbolTableLaws):
    pass


class TestHistoricalReader(SymbolTableLaws):
    @pytest.fixture(scope="class")
    @classmethod
    def tokenizer(cls, tmp_path_factory):
        folder = tmp_path_factory.mktemp("table")
        return build(folder, TABLE + "no line of two\nx 12\nx 13\n", strict=False)


class TestFewLargeIds(SymbolTableLaws):
    table, favoured = "a 3\n\u2581b 900000\n\u2581 4\n", [3, 4, 900000]


class ByteTableLaws(SymbolTableLaws):
    # Lead bytes of every length, continuation bytes, whitespace that is several
    # bytes long, and the byte values that begin nothing.
    some_bytes = bytes.fromhex("E3 80 80 C2 A0 F0 9F 98 80 C0 FF E0 ED 20 41 E1 9A")

    def continuations(self, tokenizer):
        singles = super().continuations(tokenizer)
        ids = [[byte + 3] for byte in (0x80, 0x90, 0x98, 0x9A, 0xA0, 0xAF)]
        pairs = [a + b for a, b in itertools.product(ids, ids)]
        return singles + pairs + [a + b for a, b in itertools.product(pairs, ids)]


class TestHexBytes(ByteTableLaws):
    table, byte_pieces = HEX_TABLE, "hex"
    favoured = [b + 3 for b in ByteTableLaws.some_bytes] + [259, 260, 261]


class TestBbpeLetters(ByteTableLaws):
    table, byte_pieces = BBPE_TABLE, "bbpe"
    favoured = [b + 3 for b in ByteTableLaws.some_bytes if b != 0x20] + [300, 301]


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
    assert build(tmp_path).decode(ids) == expected


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
    tokenizer = build(tmp_path, table, **options)
    assert tokenizer.decode(ids) == expected
    given, rest = laws.one_by_one(tokenizer, ids)
    assert given + rest == expected
    assert "".join(tokenizer.token_pieces(ids)) == expected


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
        build(tmp_path, table)


@pytest.mark.parametrize("strict", [True, False])
def test_what_is_no_file_is_refused(tmp_path, strict):
    for path, message in [
        (tmp_path / "none.txt", "none.txt: no such file"),
        (tmp_path, "expected a file, found a directory"),
        ("a\0b", "cannot be read"),
    ]:
        with pytest.raises(tokenizers.AssetError, match=message):
            tokenizers.SymbolTableTokenizer(path, strict=strict)


def test_the_largest_id_is_read_without_a_list_as_long(tmp_path):
    tokenizer = build(tmp_path, "a 3\nb 10000000\n")
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
        build(tmp_path, **options)


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
        build(tmp_path, special_ids=[0, "2"])


# Byte pieces: whatever the bytes, the text is Python's reading of them.


@pytest.mark.parametrize("byte_pieces", ["hex", "bbpe"])
def test_bytes_are_read_as_python_reads_them(tmp_path, byte_pieces):
    table = HEX_TABLE if byte_pieces == "hex" else BBPE_TABLE
    tokenizer = build(tmp_path, table, byte_pieces=byte_pieces)
    rng = random.Random(1)
    likely = bytes.fromhex("E4 BD A0 F0 9F 98 80 C2 A0 E3 80 80 80 BF F4 8F ED 41")
    for _ in range(1000 * conftest.SCALE):
        content = bytes(
            rng.choice((rng.choice(likely), rng.randrange(256))) for _ in "12345678"
        )
        content = content.replace(b" ", b"")  # bbpe writes a space as the word mark.
        ids = [3 + byte for byte in content]
        expected = content.decode("utf-8", "replace").strip()
        assert tokenizer.decode(ids) == expected
        given, rest = laws.one_by_one(tokenizer, ids)
        assert given + rest == expected
        assert tokenizer.token_pieces(ids) == pieces_by_definition(content)


def pieces_by_definition(content):
    """The piece of each byte: law 5, from what each prefix of the bytes shows."""
    pieces = [""] * len(content)
    start = 0
    while start < len(content):
        # The shortest stretch that decodes the same however it goes on.
        end = start + 1
        while (
            end < len(content)
            and len(content[start : end + 1].decode("utf-8", "replace")) == 1
        ):
            end += 1
        pieces[end - 1] = content[start:end].decode("utf-8", "replace")
        start = end
    text = "".join(pieces)
    blank = len(text) - len(text.lstrip())
    keep = range(blank, len(text.rstrip()))
    result, place = [], 0
    for piece in pieces:
        result.append("".join(c for k, c in enumerate(piece, place) if k in keep))
        place += len(piece)
    return result


def test_a_word_mark_that_arrives_as_bytes_is_text(tmp_path):
    tokenizer = build(tmp_path, HEX_TABLE, byte_pieces="hex")
    ids = [3 + byte for byte in "\u2581".encode()]
    assert tokenizer.decode([261, *ids, 261]) == "\u4f60\u2581\u4f60"


def test_a_blank_waits_for_a_character_that_may_be_one(tmp_path):
    tokenizer = build(tmp_path, HEX_TABLE, byte_pieces="hex")
    space, han, ideographic = 0x20 + 3, [0xE4 + 3], [0xE3 + 3, 0x80 + 3, 0x80 + 3]
    state = tokenizer.new_decode_state()
    assert tokenizer.decode_incremental([261, space], state) == "\u4f60"
    assert tokenizer.decode_incremental(ideographic[:1], state) == ""
    assert tokenizer.decode_incremental(ideographic[1:], state) == ""
    assert tokenizer.decode_incremental(han, state) == " \u3000"
    assert state["text"] == "\u4f60 \u3000\ufffd"


def test_every_whitespace_character_is_known_to_streams():
    from oasr.tokenizers import stripped_stream

    blanks = [chr(c).encode() for c in range(0x110000) if chr(c).isspace()]
    expected = {blank[:k] for blank in blanks for k in range(1, len(blank))}
    assert expected == stripped_stream._BLANK_BEGINNINGS


def test_a_long_run_of_blanks_is_held_once(tmp_path):
    tokenizer = build(tmp_path)
    given, rest = laws.one_by_one(tokenizer, [3, *[6] * 50_000, 4])
    assert (given, rest) == (f"he{' ' * 50_000}llo", "")


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
                build(tmp_path, content, strict=False)
            continue
        read += 1
        tokenizer = build(tmp_path, content, strict=False)
        ids = [rng.randrange(-3, 15) for _ in range(8)]
        assert tokenizer.decode(ids) == historical_decode(table, {0, 1, 2}, ids)
        assert "".join(tokenizer.token_pieces(ids)) == tokenizer.decode(ids)
    assert read > 1000


def test_skipped_lines_are_counted_in_one_warning(tmp_path, caplog):
    build(tmp_path, "a 3\nb c d\n\nlone\n", strict=False)
    messages = [r.getMessage() for r in caplog.records if r.name == "oasr.tokenizers"]
    assert len(messages) == 1
    assert "skipped 2 line(s)" in messages[0]
