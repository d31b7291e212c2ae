"""Small tokenizers of all kinds, and of the ways that each of them decodes."""

import json
import pathlib

from oasr import tokenizers
from tests.checkpoints import layouts
from tests.fuzz import tokenizer_files

_LETTERS = [
    "<blank>",
    "<s>",
    "</s>",
    *"abcxyz",
    "ab@@",
    "c@@",
    "@@",
    "你",
    "好",
    "，",
    "1",
]
_HEX = "".join(f"<0x{byte:02X}> {3 + byte}\n" for byte in range(256))
_TABLES = {
    "none": layouts.ICEFALL,
    "hex": f"<blank> 0\n<unk> 1\n▁ 2\n{_HEX}",
    "bbpe": layouts.ICEFALL,
}


def build(folder: pathlib.Path) -> dict[str, tokenizers.Tokenizer]:
    """Returns the tokenizers by name.

    Args:
      folder: where their files are written.
    """
    folder.mkdir(parents=True, exist_ok=True)

    def put(name: str, content: str | bytes) -> str:
        path = folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(path)

    made: dict[str, tokenizers.Tokenizer] = {}
    for how, table in _TABLES.items():
        path = put(f"{how}.txt", table)
        made[f"symbol_table {how}"] = tokenizers.SymbolTableTokenizer(
            path, byte_pieces=how
        )
    tokens = put("tokens.json", json.dumps(_LETTERS))
    made["funasr_char"] = tokenizers.FunASRCharTokenizer(tokens)
    for n, content in enumerate(tokenizer_files.TOKENIZER_JSON.seeds()):
        path = put(f"{n}.json", content)
        made[f"huggingface {n}"] = tokenizers.HuggingFaceTokenizer(path)
    [content] = tokenizer_files.WHISPER_JSON.seeds()
    made["whisper"] = tokenizers.WhisperTokenizer(put("whisper.json", content))
    for n, content in enumerate(tokenizer_files.SENTENCEPIECE_MODEL.seeds()):
        path = put(f"{n}.model", content)
        made[f"sentencepiece {n}"] = tokenizers.SentencePieceTokenizer(path)
    return made
