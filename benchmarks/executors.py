"""What the engine costs beside model, search and deltas: a request, a partial, memory.

./tools/bazel run //benchmarks:executors -- --json=executors.json

Model and searches cost next to nothing here; what they and the text of a delta cost is
timed alone in the same rounds, and taken off.
"""

from collections.abc import Callable, Iterator, Sequence
import contextlib
from functools import partial
import itertools
import pathlib
import statistics
import tempfile
import time
from typing import Any

from absl import app
from absl import flags

from benchmarks import contest
from benchmarks import executor_fakes as fakes
from benchmarks import executor_memory
from oasr import engine
from oasr import tokenizers
from oasr.engine import decode

_JSON = flags.DEFINE_string("json", None, "Where to write the table.")
_ROUNDS = flags.DEFINE_integer("rounds", 15, "How often each contender is sampled.")

_BATCH = 8
_TOKENS = 20
_PARTIALS = 200  # Of each session.
_REQUESTS = 10_000
_TABLE = "<blank> 0\n<unk> 1\n<s> 2\n▁the 3\n▁speech 4\nes 5\n▁end 6\ning 7\n"


@contextlib.contextmanager
def _engine(
    strategy: decode.DecodeStrategy, **fields: Any
) -> Iterator[engine.ASREngine]:
    """Gives an engine of a ready strategy."""
    decode.register_decode_strategy("ready", lambda setup: strategy, replace=True)
    with tempfile.TemporaryDirectory() as folder:
        table = pathlib.Path(folder, "tokens.txt")
        table.write_text(_TABLE, encoding="utf-8")
        spec = tokenizers.TokenizerSpec("symbol_table", {"table": str(table)})
        config = engine.EngineConfig(family="ready", tokenizer=spec, **fields)
        with engine.ASREngine(config, fakes.Echo()) as asr:
            yield asr


def _left(
    case: str,
    whole: Callable[[], object],
    alone: Callable[[], object],
    *,
    count: int,
    goal: str,
) -> list[contest.Result]:
    """Times a whole and what is taken off it.

    Args:
      case: what is done.
      whole: does it.
      alone: does what is not the engine's own.
      count: how often either does it.
      goal: for what is left of one.
    """
    timed = contest.run(
        case,
        {"all": whole, "alone": alone},
        rounds=_ROUNDS.value,
        clock=time.thread_time,
    )
    every, other = (one.seconds / count for one in timed)
    return [
        contest.Result(case, "all", every, 1),
        contest.Result(case, "model, search and deltas alone", other, other / every),
        contest.Result(case, "left", every - other, (every - other) / every, goal),
    ]


def _requests() -> list[contest.Result]:
    results = []
    strategy = fakes.ReadyStrategy(_TOKENS)
    words = engine.DecodingOptions(word_timestamps=True)
    for name, clock, options in (
        ("no clock", None, engine.DecodingOptions()),
        ("with times", 0.04, engine.DecodingOptions()),
        ("with times and words", 0.04, words),
    ):
        with _engine(strategy, seconds_per_frame=clock) as asr:
            results += _left(
                f"a request of {_TOKENS} tokens, {_BATCH} at once, {name}",
                partial(_transcribe, asr, options),
                partial(_transcribe_alone, strategy),
                count=_BATCH,
                goal="its text included; goal: below 50 us",
            )
    return results


def _transcribe(asr: engine.ASREngine, options: engine.DecodingOptions) -> None:
    for number in range(_BATCH):
        asr.add_request(engine.Request(f"r{number}", fakes.CHUNK, options))
    while asr.has_unfinished_requests():
        asr.step()


def _transcribe_alone(strategy: fakes.ReadyStrategy) -> None:
    scores = fakes.Echo().scores([fakes.CHUNK] * _BATCH)
    strategy.decode([strategy.prepare(one) for one in scores], [])


def _partials() -> list[contest.Result]:
    """Times partials of streams that take nothing back, at several lengths."""
    results = []
    for said, sessions, clock in itertools.product(
        (0, 1000, 10_000), (1, _BATCH), (None, 0.04)
    ):
        strategy = fakes.ReadyStrategy(said=said)
        for tokens in range(said, said + _PARTIALS + 2):
            fakes.stands(tokens)  # They are kept, and made before anything is timed.
        with _engine(strategy, mode="streaming", seconds_per_frame=clock) as asr:
            names = [f"s{number}" for number in range(sessions)]
            times = "with times" if clock else "no clock"
            results += _left(
                f"a partial behind {said} tokens, {sessions} at once, {times}",
                partial(_stream, asr, names),
                partial(_stream_alone, asr, names, said),
                count=sessions * _PARTIALS,
                goal="goal: below 5 us",
            )
    return results


def _stream(asr: engine.ASREngine, names: Sequence[str]) -> None:
    for name in names:
        asr.add_request(engine.Request(name, None))
    for _ in range(_PARTIALS):
        for name in names:
            asr.feed_chunk(name, fakes.CHUNK)
        asr.step()
    for name in names:
        asr.abort_request(name)


def _stream_alone(asr: engine.ASREngine, names: Sequence[str], said: int) -> None:
    model, text = fakes.Echo(), asr.detokenizer
    streams = [(fakes.ReadyStream(said), text.new_state()) for _ in names]
    for _, state in streams:
        text.detokenize_incremental([fakes.FIRST_ID] * said, state)
    for _ in range(_PARTIALS):
        chunks = model.scores([fakes.CHUNK] * len(streams))
        for (stream, state), chunk in zip(streams, chunks, strict=True):
            stream.feed(chunk)
            stream.partial()
            text.detokenize_incremental([fakes.FIRST_ID], state)


def _tokens() -> list[contest.Result]:
    """Times the partials of requests that write token by token."""
    results = []
    strategy = fakes.ready_tokens(steps_per_tick=1)
    for running in (1, _BATCH):
        with _engine(strategy, max_batch_size=running) as asr:
            names = [f"s{number}" for number in range(running)]
            results += _left(
                f"a token and its partial, {running} at once",
                partial(_write, asr, names),
                partial(_write_alone, asr, names),
                count=running * _PARTIALS,
                goal="a step of the model between; goal: below 5 us",
            )
    return results


def _write(asr: engine.ASREngine, names: Sequence[str]) -> None:
    options = engine.DecodingOptions(max_new_tokens=_PARTIALS)
    for name in names:
        asr.add_request(engine.Request(name, fakes.CHUNK, options))
    while asr.has_unfinished_requests():
        asr.step()


def _write_alone(asr: engine.ASREngine, names: Sequence[str]) -> None:
    model, text = fakes.Echo(), asr.detokenizer
    rows = [(fakes.ReadySearch(_PARTIALS), text.new_state()) for _ in names]
    for _ in range(_PARTIALS - 1):
        model.step([fakes.CHUNK] * len(rows), None)
        for search, state in rows:
            search.advance(None)
            search.partial()
            text.detokenize_incremental([fakes.FIRST_ID], state)


def _growth() -> list[contest.Result]:
    """Times each of many requests, to see whether later ones cost more."""
    seconds = []
    with _engine(fakes.ReadyStrategy(_TOKENS), seconds_per_frame=0.04) as asr:
        for number in range(_REQUESTS + 1000):
            start = time.thread_time()
            asr.add_request(engine.Request(f"r{number}", fakes.CHUNK))
            asr.step()
            seconds.append(time.thread_time() - start)
    early, late = (
        statistics.median(part) for part in (seconds[1000:2000], seconds[-1000:])
    )
    case = f"requests one by one, {_REQUESTS}"
    return [
        contest.Result(case, "the first 1,000", early, 1),
        contest.Result(case, "the last 1,000", late, late / early, "goal: flat"),
    ]


def main(argv: Sequence[str]) -> None:
    """Runs all cases."""
    if len(argv) > 1:
        raise app.UsageError(f"Unexpected arguments {argv[1:]!r}.")
    results = [*_requests(), *_partials(), *_tokens(), *_growth()]
    results += executor_memory.results(_engine)
    contest.report("The engine beside model and search", results, _JSON.value)


if __name__ == "__main__":
    app.run(main)
