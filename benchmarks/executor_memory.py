"""What many sessions leave behind in memory, interleaved, aborted and failing ones."""

from collections.abc import Callable, Sequence
import contextlib
import gc
import logging
import pathlib
import resource
import tracemalloc
from typing import Any

from benchmarks import contest
from benchmarks import executor_fakes as fakes
from oasr import engine

_SESSIONS = 1000
_AT_ONCE = 50

Opened = Callable[..., contextlib.AbstractContextManager[Any]]


def results(opened: Opened) -> list[contest.Result]:
    """Returns what is left behind of sessions of either executor.

    Args:
      opened: gives an engine of a strategy.
    """
    logging.getLogger("oasr.engine").setLevel(logging.ERROR)  # Failing is meant.
    with opened(fakes.ReadyStrategy(), mode="streaming") as asr:
        found = [_left_behind("streams", lambda names: _stream(asr, names))]
    with opened(fakes.ready_tokens(steps_per_tick=4)) as asr:
        found.append(_left_behind("token by token", lambda names: _write(asr, names)))
    return found


def _left_behind(kind: str, run: Callable[[Sequence[str]], object]) -> contest.Result:
    names = [f"s{number}" for number in range(_SESSIONS)]
    run(names)  # What is made once is made.
    resident = _resident()
    run(names)
    grown = _resident() - resident
    tracemalloc.start()
    run(names)
    gc.collect()
    gc.disable()
    before = tracemalloc.get_traced_memory()[0]
    run(names)
    garbage = gc.collect()
    gc.enable()
    left = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    note = f"{left} bytes left, {garbage} objects of garbage; resident grew by {grown}"
    case = f"{_SESSIONS} sessions, interleaved, every 4th aborted or failing"
    return contest.Result(case, kind, 0, 0, note)


def _resident() -> int:
    pages = int(pathlib.Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize()


def _stream(asr: engine.ASREngine, names: Sequence[str]) -> None:
    for first in range(0, len(names), _AT_ONCE):
        group = names[first : first + _AT_ONCE]
        for name in group:
            asr.add_request(engine.Request(name, None))
        for turn in range(6):
            for place, name in enumerate(group):
                fails = place % 8 == 4 and turn == 3
                if not (place % 8 == 4 and turn > 3):
                    asr.feed_chunk(name, fakes.BROKEN if fails else fakes.CHUNK)
            asr.step()
        for place, name in enumerate(group):
            if place % 8 == 0:
                asr.abort_request(name)
            elif place % 8 != 4:
                asr.finalize(name)
        asr.step()


def _write(asr: engine.ASREngine, names: Sequence[str]) -> None:
    options = engine.DecodingOptions(max_new_tokens=9)
    for place, name in enumerate(names):
        inputs = fakes.BROKEN if place % 8 == 4 else fakes.CHUNK
        asr.add_request(engine.Request(name, inputs, options))
        if place % 8 == 0:
            asr.step()
            asr.abort_request(name)
    while asr.has_unfinished_requests():
        asr.step()
