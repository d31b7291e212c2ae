"""The tables that the tests of symbol_table build on."""

import pytest

from oasr import tokenizers
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
