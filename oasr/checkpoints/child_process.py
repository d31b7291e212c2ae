"""How the Python programs of this package are started, and what they may read."""

import os
import pathlib
import sys


def command(module: str) -> list[str]:
    """Returns what runs a module of OASR in another process.

    Nothing of where the user stands is imported there: a checkpoint may have come with
    a `json.py`.
    """
    return [sys.executable, "-P", "-m", module]


def environment() -> dict[str, str]:
    """Returns the environment in which a child finds what this process has.

    One thread and one arena do: each takes address space, which is limited.
    """
    root = pathlib.Path(__file__).parents[2]
    path = [*(place for place in sys.path if place), os.fspath(root)]
    one = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "RAYON_NUM_THREADS")
    return {
        **os.environ,
        **dict.fromkeys(one, "1"),
        "MALLOC_ARENA_MAX": "1",
        "PYTHONPATH": os.pathsep.join(path),
        "TOKENIZERS_PARALLELISM": "false",
    }
