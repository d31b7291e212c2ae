"""The streams of other libraries, each as a function of ids."""

import codecs
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import iree.tokenizer
import tokenizers
from tokenizers import decoders

from benchmarks import package_modules

Stream = Callable[[Sequence[int]], str]


def of_file(path: str) -> dict[str, Stream]:
    """Returns the streams over a `tokenizer.json`."""
    return {
        "tokenizers DecodeStream": partial(
            _decode_stream, tokenizers.Tokenizer.from_file(path)
        ),
        "iree-tokenizer DecodeStream": partial(
            _iree_stream, iree.tokenizer.Tokenizer.from_file(path)
        ),
    }


def of_ranks(path: str) -> dict[str, Stream]:
    """Returns the streams over a tiktoken file: its bytes, decoded as they come."""
    return {
        "tiktoken bytes, codecs": partial(_byte_stream, package_modules.ranks(path))
    }


def encoder(path: str) -> Callable[[str], list[int]]:
    """Returns how a `tokenizer.json` encodes, no template ids added."""
    runtime = tokenizers.Tokenizer.from_file(path)

    def encode(text: str) -> list[int]:
        ids: list[int] = runtime.encode(text, add_special_tokens=False).ids
        return ids

    return encode


def _decode_stream(runtime: Any, ids: Sequence[int]) -> str:
    stream, text = decoders.DecodeStream(skip_special_tokens=True), []
    for token_id in ids:
        text.append(stream.step(runtime, token_id) or "")
    return "".join(text)


def _iree_stream(runtime: Any, ids: Sequence[int]) -> str:
    stream, text = runtime.decode_stream(), []
    for token_id in ids:
        text.append(stream.feed([token_id]))
    text.append(stream.finalize())
    return "".join(text)


def _byte_stream(ranks: dict[int, bytes], ids: Sequence[int]) -> str:
    decoder, text = codecs.getincrementaldecoder("utf-8")("replace"), []
    for token_id in ids:
        text.append(decoder.decode(ranks.get(token_id, b"")))
    return "".join(text) + decoder.decode(b"", True)
