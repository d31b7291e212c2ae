"""FunASR's text, beside FunASR: equal, and in linear time.

./tools/bazel run //benchmarks:funasr -- --json=funasr.json
"""

from collections.abc import Callable, Sequence
from functools import partial
import importlib.util
import itertools
import json
import pathlib
import random
import tempfile
import time

from absl import app
from absl import flags

from benchmarks import contest
from oasr import tokenizers

_REFERENCE = flags.DEFINE_string(
    "reference", None, "funasr/utils/postprocess_utils.py.", required=True
)
_JSON = flags.DEFINE_string("json", None, "Where to write the table.")
_ROUNDS = flags.DEFINE_integer("rounds", 7, "How often each contender is sampled.")

_WORDS = [
    "<blank>",
    "<s>",
    "</s>",
    "hello",
    "world",
    "hel@@",
    "lo",
    "the",
    "wor@@",
    "ld",
]
_HAN = list("今天气很好我们去公园散步吧你觉得怎么样")
_LETTERS = list("abcdefghijklmnopqrstuvwxyz")
_TOKENS = [*_WORDS, *_HAN, *_LETTERS, "，", "3"]
_INPUTS = {
    "Chinese": _HAN,
    "English with @@": ["hello", "wor@@", "ld", "the", "hel@@", "lo", "world"],
    "letters spelled out": _LETTERS,
    "letters spelled out, in Chinese": [
        token for han in _HAN for token in (han, "i", "b", "m")
    ],
}
_LENGTHS = (1_000, 10_000)


def _reference() -> Callable[[list[str]], tuple[str, list[str]]]:
    spec = importlib.util.spec_from_file_location("reference", _REFERENCE.value)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    found: Callable[[list[str]], tuple[str, list[str]]] = module.sentence_postprocess
    return found


def main(argv: Sequence[str]) -> None:
    """Runs all cases."""
    if len(argv) > 1:
        raise app.UsageError(f"Unexpected arguments {argv[1:]!r}.")
    reference = _reference()
    results: list[contest.Result] = []
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "tokens.json")
        path.write_text(json.dumps(_TOKENS))
        tokenizer = tokenizers.FunASRCharTokenizer(path)
    inputs = {**_INPUTS, "mixture": random.Random(1).choices(_TOKENS[3:], k=997)}
    for (name, tokens), length in itertools.product(inputs.items(), _LENGTHS):
        said = list(itertools.islice(itertools.cycle(tokens), length))
        ids = [_TOKENS.index(token) for token in said]
        if tokenizer.decode(ids) != reference(said)[0]:
            raise ValueError(f"{name}, {length} tokens: the texts differ.")
        contenders: dict[str, Callable[[], object]] = {
            "oasr funasr_char decode": partial(tokenizer.decode, ids),
            "funasr sentence_postprocess": partial(reference, said),
        }
        results += contest.run(
            f"{name}, {length} tokens",
            contenders,
            rounds=_ROUNDS.value,
            clock=time.thread_time,
        )
    contest.report("FunASR text", results, _JSON.value)


if __name__ == "__main__":
    app.run(main)
