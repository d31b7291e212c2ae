"""Symbol tables and lists of tokens: any bytes are refused, or keep the laws."""

import json

from oasr import tokenizers
from tests.checkpoints import layouts
from tests.fuzz import choices
from tests.fuzz import files
from tests.fuzz import mutations
from tests.fuzz import quick_laws
from tests.fuzz import target

_BYTE_PIECES = ("none", "hex", "bbpe")
# The ids that are rendered: those of small tables, foreign ones, repeats.
_IDS = [3, 4, 5, 6, 3, -1, 7, 0, 8, 2**40, 4, 4, 1, 9]


def _symbol_table(data: bytes) -> None:
    """Reads the bytes behind the first, which says how."""
    chosen = choices.Choices(data)
    how, strict = chosen.one_of(_BYTE_PIECES), chosen.up_to(3) > 0
    path = files.put("tokens.txt", chosen.rest())
    built = tokenizers.SymbolTableTokenizer(path, strict=strict, byte_pieces=how)
    # The historical reader takes what `int` takes, and negative ids so have pieces.
    quick_laws.check_ids(built, _IDS if strict else [i for i in _IDS if i >= 0])


def _token_list(data: bytes) -> None:
    path = files.put("tokens.json", data)
    built = tokenizers.FunASRCharTokenizer(path)
    quick_laws.check_ids(built, _IDS)
    quick_laws.check_text(built, "你好 hello <s> lo😀")


def _token_lists() -> list[bytes]:
    letters = ["<blank>", "<s>", "</s>", *"abc", "a@@", "@@", "▁", "", " ", "，", "你"]
    lists = (layouts.PARAFORMER, letters, ["<unk>"])
    return [json.dumps(tokens, ensure_ascii=False).encode() for tokens in lists]


SYMBOL_TABLE = target.Target(
    run=_symbol_table,
    seeds=lambda: [
        how + table.encode()
        for how in (b"\0\1", b"\1\1", b"\2\1", b"\0\0")
        for table in (layouts.ICEFALL, layouts.WENET)
    ],
    # `int` of the second column, as the historical reader raises it.
    refusals=(tokenizers.AssetError, ValueError),
    mutate=mutations.of_lines,
    short=3000,
)
TOKEN_LIST = target.Target(
    run=_token_list, seeds=_token_lists, mutate=mutations.of_json, short=3000
)
