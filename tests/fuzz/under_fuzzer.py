"""Runs a target for a set time in a process that atheris drives."""

import os
import pathlib
import re
import subprocess
import sys

_EXECUTED = re.compile(r"number_of_executed_units:\s*(\d+)")
# Besides the time that was asked for: to start, and for what runs at its end.
_SPARE_SECONDS = 600


class FindingError(Exception):
    """A fuzzer found an input of which the target does not hold."""


def run(name: str, seconds: int, folder: pathlib.Path) -> int:
    """Returns how many inputs were tried.

    Args:
      name: of the target.
      seconds: how long to try.
      folder: where findings are written.

    Raises:
      FindingError: with what the fuzzer says, if it found something.
    """
    done = subprocess.run(
        [sys.executable, "-m", "tests.fuzz.under_atheris", name, f"{seconds}", folder],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        check=False,
        timeout=seconds + _SPARE_SECONDS,
    )
    executed = _EXECUTED.search(done.stdout)
    if done.returncode or executed is None:
        raise FindingError(f"exit code {done.returncode}:\n{done.stdout[-8000:]}")
    return int(executed[1])
