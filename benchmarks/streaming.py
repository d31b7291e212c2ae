"""Streams one id at a time, beside the peers: time, growth, memory, exactness.

./tools/bazel run //benchmarks:streaming -- --json=streaming.json
"""

from collections.abc import Callable, Sequence
from functools import partial
import itertools
import json
import pathlib
import pickle
import random
import statistics
import tempfile
import time
from typing import Any

from absl import app
from absl import flags

from benchmarks import contest
from benchmarks import stream_peers
from oasr import checkpoints
from oasr import tokenizers

_RANKS = flags.DEFINE_string("ranks", None, "multilingual.tiktoken.", required=True)
_LLAMA = flags.DEFINE_string("llama", None, "A Llama-style file.", required=True)
_MODEL = flags.DEFINE_string("model", None, "A SentencePiece model.", required=True)
_JSON = flags.DEFINE_string("json", None, "Where to write the table.")
_ROUNDS = flags.DEFINE_integer("rounds", 7, "How often each contender is sampled.")

TEXTS = {
    "English": "The quick brown fox, she said, jumped over 13 lazy dogs. Why? ",
    "Chinese": "今天天气很好，我们去公园散步吧。你觉得怎么样？",
    "emoji": "👩‍👩‍👧‍👦🏳️‍🌈😀👍🏽🇩🇪",
}
_LENGTHS = (1_000, 10_000, 50_000)
_STREAMS = 400  # Fragment-heavy ones, to count who is exact.


def oasr_stream(tokenizer: tokenizers.Tokenizer, ids: Sequence[int]) -> str:
    """Returns the deltas and the flush, joined."""
    state, feed, text = tokenizer.new_decode_state(), tokenizer.decode_incremental, []
    for token_id in ids:
        text.append(feed([token_id], state))
    return "".join(text) + tokenizer.flush_incremental(state)


def _repeated(ids: list[int], length: int) -> list[int]:
    return list(itertools.islice(itertools.cycle(ids), length))


def _times(
    kind: str,
    tokenizer: tokenizers.Tokenizer,
    peers: dict[str, stream_peers.Stream],
    encode: Callable[[str], list[int]] | None = None,
) -> list[contest.Result]:
    """Times whole streams; the ids of peers may be those of another vocabulary."""
    results = []
    for (language, text), length in itertools.product(TEXTS.items(), _LENGTHS):
        ids = _repeated(tokenizer.encode(text), length)
        theirs = _repeated(encode(text), length) if encode else ids
        contenders: dict[str, Callable[[], object]] = {
            "oasr": partial(oasr_stream, tokenizer, ids)
        }
        contenders |= {name: partial(peer, theirs) for name, peer in peers.items()}
        case = f"{kind}, {language}, {length} ids one by one"
        rounds = _ROUNDS.value if length <= 10_000 else 5
        results += contest.run(case, contenders, rounds=rounds, clock=time.thread_time)
    return results


def _exactness(
    kind: str,
    tokenizer: tokenizers.Tokenizer,
    peers: dict[str, stream_peers.Stream],
) -> list[contest.Result]:
    """Counts the streams whose deltas and flush are not `decode`."""
    rng, size = random.Random(1), tokenizer.vocab_size
    text = [i for t in TEXTS.values() for i in tokenizer.encode(t)]
    fragments = [i for i in range(size) if "\ufffd" in tokenizer.decode([i])][:500]
    contenders: dict[str, stream_peers.Stream] = {
        "oasr": partial(oasr_stream, tokenizer)
    }
    wrong = dict.fromkeys([*contenders, *peers], 0)
    for _ in range(_STREAMS):
        ids = [rng.choice(rng.choice((text, fragments))) for _ in range(30)]
        expected = tokenizer.decode(ids)
        for name, stream in (contenders | peers).items():
            wrong[name] += _text(stream, ids) != expected
    return [
        contest.Result(
            f"{kind}, streams of fragments", name, 0, 0, f"{n} of {_STREAMS} differ"
        )
        for name, n in wrong.items()
    ]


def _text(stream: stream_peers.Stream, ids: Sequence[int]) -> str | None:
    """Returns the text of a stream, None where the peer gives up."""
    try:
        return stream(ids)
    except Exception:  # `DecodeStream` raises this very class.
        return None


def _growth(kind: str, tokenizer: tokenizers.Tokenizer) -> list[contest.Result]:
    """Parks states at 1,000 and at 50,000 ids, and times the next ids of each."""
    ids = _repeated(tokenizer.encode(TEXTS["English"] + TEXTS["Chinese"]), 51_000)
    parked = {}
    for length in (1_000, 50_000):
        state = tokenizer.new_decode_state()
        tokenizer.decode_incremental(ids[:length], state)
        parked[length] = state
    samples: dict[int, list[float]] = {length: [] for length in parked}
    following = ids[50_000:50_400]
    for turn in range(60):
        for length in sorted(parked, reverse=bool(turn % 2)):
            state, feed = parked[length], tokenizer.decode_incremental
            start = time.thread_time()
            for token_id in following:
                feed([token_id], state)
            samples[length].append((time.thread_time() - start) / len(following))
    early, late = (statistics.median(times) for times in samples.values())
    start = time.thread_time()
    for _ in range(5):
        tokenizer.decode(ids[:10_000])
    whole = (time.thread_time() - start) / 5
    kept = []
    for length in (1_000, 50_000):
        state = tokenizer.new_decode_state()
        tokenizer.decode_incremental(ids[:length], state)
        kept.append(len(pickle.dumps(state)) - len(state["text"].encode()))
    note = (
        f"growth {late / early:.3f}; a decode of 10,000 ids costs {whole / late:,.0f}"
        f" deltas; {(kept[1] - kept[0]) / 49_000:.3f} bytes kept per id beside the text"
    )
    return [contest.Result(f"{kind}, a delta at 50,000 ids", "oasr", late, 1, note)]


def _byte_level(folder: pathlib.Path) -> tuple[tokenizers.Tokenizer, str]:
    """Returns Whisper's vocabulary as a `tokenizer.json`, and its path."""
    ranks = pathlib.Path(_RANKS.value)
    (folder / ranks.name).write_bytes(ranks.read_bytes())
    config = {"model_type": "whisper", "vocab_size": 51_865}
    (folder / "config.json").write_text(json.dumps(config))
    spec = checkpoints.convert_checkpoint(folder).tokenizer
    path = spec.files["tokenizer"]
    return tokenizers.HuggingFaceTokenizer(path), path


def main(argv: Sequence[str]) -> None:
    """Runs all cases."""
    if len(argv) > 1:
        raise app.UsageError(f"Unexpected arguments {argv[1:]!r}.")
    results: list[contest.Result] = []
    with tempfile.TemporaryDirectory() as folder:
        byte_level, path = _byte_level(pathlib.Path(folder))
        pieces = tokenizers.SentencePieceTokenizer(_MODEL.value)
        peers = stream_peers.of_file(path) | stream_peers.of_ranks(_RANKS.value)
        results += _times("byte-level", byte_level, peers)
        results += _exactness("byte-level", byte_level, peers)
        llama: Any = stream_peers.of_file(_LLAMA.value)
        encode = stream_peers.encoder(_LLAMA.value)
        results += _times("sentencepiece", pieces, llama, encode)
        results += _exactness("sentencepiece", pieces, {})
        fallback = tokenizers.HuggingFaceTokenizer(_LLAMA.value)
        results += _times("byte fallback", fallback, llama)
        results += _exactness("byte fallback", fallback, llama)
        for kind, tokenizer in (
            ("byte-level", byte_level),
            ("sentencepiece", pieces),
            ("byte fallback", fallback),
        ):
            results += _growth(kind, tokenizer)
    contest.report("Streams", results, _JSON.value)


if __name__ == "__main__":
    app.run(main)
