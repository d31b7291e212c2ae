"""Hundreds of sessions, started and ended in all ways: nothing is left of them."""

import logging
import time

import pytest

from oasr import engine
from tests import conftest
from tests.reliability import memory
from tests.reliability import soaking

# An hour in the long run, half of it for each search; else a number of steps.
SECONDS = 1800 if conftest.SCALE > 1 else 0
STEPS = 800


# What requests ask for, by search.
N_BEST = {"prefix_beam": (1, 1, 3), "greedy": (1,)}


@pytest.mark.parametrize("search", N_BEST)
def test_memory_stays_and_no_session_does(tmp_path, search, caplog):
    caplog.set_level(logging.CRITICAL, "oasr.engine")  # pytest keeps what is logged.
    fields = {"decode_options": {"search": search, "beam_size": 6}}
    table = str(tmp_path / "tokens.txt")
    requests = [
        engine.Request(f"{n}", audio) for n, audio in enumerate(soaking.utterances())
    ]
    with engine.ASREngine(soaking.config(table, mode="offline", **fields)) as asr:
        whole = asr.transcribe(requests)
    with engine.ASREngine(soaking.config(table, **fields)) as asr:
        run = soaking.Soak(asr, whole, n_best=N_BEST[search])
        _run_for(run, STEPS / 2, SECONDS / 3)
        run.latencies.clear()
        warm = memory.resident()
        _run_for(run, STEPS, SECONDS * 2 / 3)
        run.latencies.clear()
        assert memory.resident() <= 1.05 * warm
        run.end()
        assert not asr.has_unfinished_requests()
        assert not asr.step()
    counts = run.counts
    print(f"\n{search}: {counts}, {warm >> 20} MiB")
    assert min(counts.finished, counts.failed, counts.aborted, counts.partials) > 0


def _run_for(run, steps, seconds):
    """Takes as many steps at least, and as long."""
    steps, end = run.counts.steps + steps, time.monotonic() + seconds
    while run.counts.steps < steps or time.monotonic() < end:
        run.step()
