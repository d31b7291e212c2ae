"""Finds the sources that a lint test lists, and runs a linter over them."""

import os
import pathlib
import subprocess
import sys

import pytest

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


def run(*command: str) -> None:
    """Runs a linter at the root; fails the test with what it found."""
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if found.returncode:
        pytest.fail(found.stdout + found.stderr, pytrace=False)


def run_module(module: str, *arguments: str) -> None:
    """Runs a linter that is a Python module of the environment."""
    run(sys.executable, "-m", module, *arguments)
