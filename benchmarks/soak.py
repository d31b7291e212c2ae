"""Hundreds of sessions for a time: latency of a partial, memory, what became of all.

./tools/bazel run //benchmarks:soak -- --seconds=3600
"""

from collections.abc import Sequence
import logging
import pathlib
import statistics
import tempfile
import time

from absl import app
from absl import flags

from oasr import engine
from tests.reliability import memory
from tests.reliability import soaking

_SECONDS = flags.DEFINE_integer("seconds", 60, "How long.", lower_bound=10)
_SESSIONS = flags.DEFINE_integer("sessions", 200, "How many are open at once.")
_SEARCH = flags.DEFINE_enum("search", "prefix_beam", ["prefix_beam", "greedy"], "")

_PARTS = 10


def main(argv: Sequence[str]) -> None:
    """Prints a line for each tenth of the time."""
    del argv
    logging.getLogger("oasr.engine").setLevel(logging.CRITICAL)  # It tells of errors.
    fields = {"decode_options": {"search": _SEARCH.value, "beam_size": 6}}
    with tempfile.TemporaryDirectory() as folder:
        table = str(pathlib.Path(folder) / "tokens.txt")
        requests = [
            engine.Request(f"{n}", audio)
            for n, audio in enumerate(soaking.utterances())
        ]
        with engine.ASREngine(soaking.config(table, mode="offline", **fields)) as asr:
            whole = asr.transcribe(requests)
        with engine.ASREngine(soaking.config(table, **fields)) as asr:
            _run(soaking.Soak(asr, whole, n_best=(1,), sessions=_SESSIONS.value))


def _run(run: soaking.Soak) -> None:
    medians = []
    print("part  seconds  partial, median  99 of 100   memory")
    for part in range(1, _PARTS + 1):
        run.latencies.clear()
        end = time.monotonic() + _SECONDS.value / _PARTS
        while time.monotonic() < end:
            run.step()
        medians.append(statistics.median(run.latencies))
        late = statistics.quantiles(run.latencies, n=100)[-1]
        print(
            f"{part:4}  {part * _SECONDS.value / _PARTS:7.0f}"
            f"  {1e6 * medians[-1]:12.1f} us  {1e6 * late:6.1f} us"
            f"  {memory.resident() / 2**20:5.1f} MiB",
            flush=True,
        )
    run.end()
    # The first part warms up.
    print(f"last / second part: {medians[-1] / medians[1]:.3f}; {run.counts}")


if __name__ == "__main__":
    app.run(main)
