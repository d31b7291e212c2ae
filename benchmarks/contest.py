"""Times contenders side by side, and says what came out.

Contenders run interleaved (A B C, B C A, ...) in one process, so that what else the
machine does hits all alike; short calls are looped until a sample lasts 2 ms; the
result is the median of the rounds. Only ratios within one run mean anything.
"""

from collections.abc import Callable, Mapping, Sequence
import dataclasses
import datetime
import json
import os
import pathlib
import platform
import statistics
import time

Contenders = Mapping[str, Callable[[], object]]
Clock = Callable[[], float]

_SAMPLE_SECONDS = 2e-3


@dataclasses.dataclass(frozen=True)
class Result:
    """One line of a report.

    Attributes:
      case: what was done.
      contender: who did it.
      seconds: the median of a call.
      ratio: `seconds` over those of the case's first contender.
      note: what else is worth saying.
    """

    case: str
    contender: str
    seconds: float
    ratio: float
    note: str = ""


def run(
    case: str,
    contenders: Contenders,
    *,
    rounds: int = 7,
    notes: Mapping[str, str] | None = None,
    clock: Clock = time.perf_counter,
) -> list[Result]:
    """Returns a result for each contender; the first is what ratios are to.

    Args:
      case: what is done.
      contenders: do it, by name.
      rounds: how often each is sampled.
      notes: what else is worth saying, by name.
      clock: seconds; `time.thread_time` leaves out what other processes take.
    """
    seconds = _medians(contenders, rounds, clock)
    first = seconds[next(iter(contenders))]
    return [
        Result(
            case,
            name,
            seconds[name],
            seconds[name] / first,
            (notes or {}).get(name, ""),
        )
        for name in contenders
    ]


def _medians(contenders: Contenders, rounds: int, clock: Clock) -> dict[str, float]:
    calls = {name: _calls_per_sample(call, clock) for name, call in contenders.items()}
    samples: dict[str, list[float]] = {name: [] for name in contenders}
    names = list(contenders)
    for turn in range(rounds):
        start = turn % len(names)
        for name in names[start:] + names[:start]:
            samples[name].append(_time(contenders[name], calls[name], clock))
    return {name: statistics.median(times) for name, times in samples.items()}


def _calls_per_sample(call: Callable[[], object], clock: Clock) -> int:
    calls = 1
    while _time(call, calls, clock) * calls < _SAMPLE_SECONDS:
        calls *= 2
    return calls


def _time(call: Callable[[], object], calls: int, clock: Clock) -> float:
    """Returns the seconds of one of several calls."""
    start = clock()
    for _ in range(calls):
        call()
    return (clock() - start) / calls


def report(title: str, results: Sequence[Result], json_path: str | None) -> None:
    """Prints a table with machine and date, and writes it as JSON."""
    about = {
        "title": title,
        "machine": _machine(),
        "date": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
    }
    print(f"{title}\n{about['machine']}\n{about['date']}\n")
    width = max(len(result.contender) for result in results)
    case = None
    for result in results:
        if result.case != case:
            case = result.case
            print(case)
        timed = f"{_shown(result.seconds):>12} {result.ratio:8.2f}x"
        timed = timed if result.seconds else ""
        print(f"  {result.contender:<{width}} {timed}  {result.note}".rstrip())
    if json_path:
        table = {**about, "results": [dataclasses.asdict(r) for r in results]}
        # `bazel run` starts elsewhere than the user does.
        folder = os.environ.get("BUILD_WORKING_DIRECTORY", "")
        path = pathlib.Path(folder, json_path)
        path.write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")


def _shown(seconds: float) -> str:
    for unit, scale in (("ms", 1e3), ("us", 1e6)):
        if seconds * scale >= 1:
            return f"{seconds * scale:.3f} {unit}"
    return f"{seconds * 1e9:.1f} ns"


def _machine() -> str:
    model = platform.processor() or platform.machine()
    cpuinfo = pathlib.Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                model = line.partition(":")[2].strip()
                break
    return f"{model}, {os.cpu_count()} cores, Python {platform.python_version()}"
