"""Finds the sources that a lint test lists, and runs a linter over them."""

import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).parents[2]


def sources(*suffixes: str) -> list[str]:
    """Returns the files below the root that end so, relative to it, sorted."""
    found = []
    for folder, _, names in os.walk(ROOT, followlinks=False):
        paths = [pathlib.Path(folder, name) for name in names]
        found += [str(p.relative_to(ROOT)) for p in paths if p.suffix in suffixes]
    if not found:
        raise FileNotFoundError(f"No file under {ROOT} ends with one of {suffixes}.")
    return sorted(found)


def run(module: str, *arguments: str) -> None:
    """Runs a linter of the environment; raises if it finds anything."""
    subprocess.run([sys.executable, "-m", module, *arguments], cwd=ROOT, check=True)
