"""One fuzz target: over its corpus and seeded mutations, or for a time by atheris."""

import faulthandler
import os
import pathlib
import random

import pytest

from tests import conftest
from tests.fuzz import corpus
from tests.fuzz import registry
from tests.fuzz import under_fuzzer

NAME = os.environ["OASR_FUZZ_TARGET"]
SECONDS = int(os.environ.get("OASR_FUZZ_SECONDS", "0"))
# An input takes milliseconds.
HANGS_AFTER_SECONDS = 50
# Bazel keeps what is written there.
OUTPUTS = os.environ.get("TEST_UNDECLARED_OUTPUTS_DIR")


@pytest.fixture(scope="module")
def target():
    return registry.load(NAME)


@pytest.fixture
def tries(target, tmp_path):
    """Tries inputs; the last one is kept, for when it ends the process."""
    place = pathlib.Path(OUTPUTS or tmp_path) / f"{NAME}.input"

    def try_one(data):
        os.ftruncate(last, 0)
        os.pwrite(last, data, 0)
        faulthandler.dump_traceback_later(HANGS_AFTER_SECONDS, exit=True)
        try:
            return target.execute(data)
        finally:
            faulthandler.cancel_dump_traceback_later()

    last = os.open(place, os.O_CREAT | os.O_WRONLY)
    yield try_one
    os.close(last)
    place.unlink()  # Not reached if the process ends.


def test_what_was_found_once_is_no_finding(tries):
    for name, data in corpus.kept(NAME).items():
        print(name)
        tries(data)


def test_seeds_are_taken(target, tries):
    assert [tries(seed) for seed in target.seeds()].count(True) >= 1


def test_mutations(target, tries):
    if SECONDS:
        folder = pathlib.Path(OUTPUTS or f"fuzz_{NAME}")
        count = under_fuzzer.run(NAME, SECONDS, folder)
        print(f"\n{NAME}: {count} inputs in {SECONDS} s under atheris")
        return
    rng = random.Random(NAME)
    pool = corpus.inputs(NAME, target)
    taken = 0
    for _ in range(target.short * conftest.SCALE):
        data = target.mutate(rng.choice(pool), rng)
        # What is taken in spite of the change is a good place to go on from.
        if tries(data):
            taken += 1
            pool.append(data)
    assert taken
    print(f"\n{NAME}: {target.short * conftest.SCALE} inputs, {taken} taken")
