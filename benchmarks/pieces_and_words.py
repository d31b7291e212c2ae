"""The pieces and the words of a finished hypothesis, beside the peers.

./tools/bazel run //benchmarks:pieces_and_words -- --json=pieces_and_words.json
"""

from collections.abc import Sequence
from functools import partial
import itertools
import pathlib
import tempfile
import time
from typing import Any

from absl import app
from absl import flags
import numpy as np
import sentencepiece

from benchmarks import contest
from benchmarks import package_modules
from oasr import tokenizers
from oasr._native import symbol_table
from oasr._native import word_grouping

_MODEL = flags.DEFINE_string("model", None, "A SentencePiece model.", required=True)
_RANKS = flags.DEFINE_string("ranks", None, "multilingual.tiktoken.", required=True)
_WHISPER = flags.DEFINE_string("whisper", None, "whisper/tokenizer.py.", required=True)
_JSON = flags.DEFINE_string("json", None, "Where to write the table.")
_ROUNDS = flags.DEFINE_integer("rounds", 7, "How often each contender is sampled.")

_TEXTS = {
    "English": " The quick brown fox, she said, jumped over 13 lazy dogs. Why? ",
    "Chinese": "今天天气很好，我们去公园散步吧。你觉得怎么样？",
}
_SIZES = (20, 100, 1_000, 10_000, 100_000)
_WORD_SIZES = (20, 100, 1_000, 10_000, 100_000)
_FRAME = 0.02  # Seconds.
_CLOCK = time.thread_time  # All contenders keep to one thread.


def _about(ids: Sequence[int], size: int) -> list[int]:
    """Returns `ids` so often that about `size` result; no character is cut."""
    return list(ids) * max(1, round(size / len(ids)))


def _offsets(model: Any, ids: list[int]) -> list[str]:
    """Returns sentencepiece's pieces, by what needs no protobuf."""
    found = model.decode(ids, return_type="offset_mapping")
    return [found["text"][start:end] for start, end in found["offsets"]]


def _words_of_ids(table: symbol_table.SymbolTable, ids: list[int], *rest: Any) -> Any:
    return word_grouping.group_words(*table.joined_pieces(ids), *rest)


def _piece_results(
    tokenizer: tokenizers.Tokenizer,
    model: sentencepiece.SentencePieceProcessor,
    encoding: Any,
) -> list[contest.Result]:
    results = []
    for (language, text), size in itertools.product(_TEXTS.items(), _SIZES):
        ids = _about(model.encode(text), size)
        ranks = _about(encoding.encode_ordinary(text), size)

        contenders: contest.Contenders = {
            "oasr symbol_table token_pieces": partial(tokenizer.token_pieces, ids),
            "sentencepiece offset_mapping": partial(_offsets, model, ids),
            "tiktoken decode_with_offsets": partial(
                encoding.decode_with_offsets, ranks
            ),
        }
        case = f"pieces, {language}, {len(ids)} tokens"
        results += contest.run(case, contenders, rounds=_ROUNDS.value, clock=_CLOCK)
    return results


def _word_results(
    table: symbol_table.SymbolTable, whisper: Any
) -> list[contest.Result]:
    results, generator = [], np.random.default_rng(0)
    for (language, text), size in itertools.product(_TEXTS.items(), _WORD_SIZES):
        whisper.language = {"English": "en", "Chinese": "zh"}[language]
        ids = _about(whisper.encoding.encode_ordinary(text), size)
        pieces, ends = table.joined_pieces(ids)
        own = np.ones(len(ids), dtype=np.bool_)
        # As the engine has them: a token ends when the next one starts.
        edges = np.arange(len(ids) + 1, dtype=np.float64) * _FRAME
        starts, stops = edges[:-1], edges[1:].copy()
        confidences = generator.random(len(ids))
        rest: tuple[Any, ...] = (own, starts, stops, confidences)
        contenders: contest.Contenders = {
            "oasr, times and confidences": partial(
                word_grouping.group_words, pieces, ends, *rest
            ),
            "the same from ids": partial(_words_of_ids, table, ids, *rest),
            "openai-whisper split_to_word_tokens": partial(
                whisper.split_to_word_tokens, ids
            ),
        }
        case = f"words, {language}, {len(ids)} tokens"
        rounds = _ROUNDS.value if size <= 1_000 else min(_ROUNDS.value, 5)
        results += contest.run(case, contenders, rounds=rounds, clock=_CLOCK)
    return results


def main(argv: Sequence[str]) -> None:
    """Runs all cases."""
    if len(argv) > 1:
        raise app.UsageError(f"Unexpected arguments {argv[1:]!r}.")
    with tempfile.TemporaryDirectory() as folder:
        model = sentencepiece.SentencePieceProcessor(model_file=_MODEL.value)
        path = f"{folder}/tokens.txt"
        package_modules.write_symbol_table(model, path)
        tokenizer = tokenizers.build_tokenizer(
            tokenizers.TokenizerSpec(
                "symbol_table", {"table": path}, {"byte_pieces": "hex"}
            )
        )
        whisper = package_modules.whisper_tokenizer(
            _WHISPER.value, _RANKS.value, pathlib.Path(folder)
        )
        table = symbol_table.SymbolTable(package_modules.ranks(_RANKS.value))
        results = _piece_results(tokenizer, model, whisper.encoding)
        results += _word_results(table, whisper)
    contest.report("Pieces and words", results, _JSON.value)


if __name__ == "__main__":
    app.run(main)
