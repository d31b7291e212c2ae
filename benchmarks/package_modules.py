"""Files of published packages, as a benchmark uses them."""

import base64
import importlib.util
import pathlib
import sys
from typing import Any

import sentencepiece


def ranks(path: str) -> dict[int, bytes]:
    """Returns the bytes of each id of a tiktoken file."""
    lines = pathlib.Path(path).read_bytes().split(b"\n")
    pairs = [line.split() for line in lines if line]
    return {int(rank): base64.b64decode(token) for token, rank in pairs}


def whisper_tokenizer(source: str, ranks_path: str, folder: pathlib.Path) -> Any:
    """Returns openai-whisper's multilingual tokenizer, run from a copy in `folder`."""
    for path, place in [(source, folder), (ranks_path, folder / "assets")]:
        place.mkdir(exist_ok=True)
        (place / pathlib.Path(path).name).write_bytes(pathlib.Path(path).read_bytes())
    name = "whisper_tokenizer"
    spec = importlib.util.spec_from_file_location(name, folder / "tokenizer.py")
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.get_tokenizer(True, language="en", task="transcribe")


def write_symbol_table(model: sentencepiece.SentencePieceProcessor, path: str) -> None:
    """Writes the pieces of a SentencePiece model as `<piece> <id>` lines."""
    lines = [f"{model.id_to_piece(i)} {i}\n" for i in range(model.get_piece_size())]
    pathlib.Path(path).write_text("".join(lines), encoding="utf-8")
