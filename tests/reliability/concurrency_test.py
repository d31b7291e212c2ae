"""One tokenizer of each kind and 16 threads: what one thread gets, and no growth."""

import concurrent.futures
import pickle
import random
import sys
import threading
import time

import pytest

from tests import conftest
from tests.fuzz import kinds
from tests.reliability import memory
from tests.reliability import work

THREADS = 16
SECONDS = 60 if conftest.SCALE > 1 else 5


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    return kinds.build(tmp_path_factory.mktemp("kinds"))


@pytest.fixture(scope="module")
def tasks(made):
    """(tokenizer, item, what one thread gets) of all kinds."""
    return [
        (tokenizer, item, work.do(tokenizer, item))
        for seed, tokenizer in enumerate(made.values())
        for item in work.items(tokenizer, count=20, seed=seed)
    ]


def run_threads(function):
    """Calls `function(number)` in all threads at once; returns the results."""
    barrier = threading.Barrier(THREADS)

    def started(number):
        barrier.wait()
        return function(number)

    with concurrent.futures.ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(started, range(THREADS)))


@pytest.fixture
def quick_switches():
    """Lets threads take turns a hundred times as often as usual."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(5e-5)
    yield
    sys.setswitchinterval(before)


def mixed(tasks, seconds, number):
    """Returns how many tasks were done; each gave what it should."""
    rng, end, done = random.Random(number), time.monotonic() + seconds, 0
    while time.monotonic() < end:
        tokenizer, item, expected = rng.choice(tasks)
        assert work.do(tokenizer, item) == expected
        done += 1
    return done


def test_mixed_work_of_all_kinds(tasks, quick_switches):
    done = run_threads(lambda n: mixed(tasks, SECONDS / 2, n))
    held, blocks = memory.resident(), sys.getallocatedblocks()
    done += run_threads(lambda n: mixed(tasks, SECONDS / 2, n))
    # A list that grew by an element a task would have grown by all of these.
    assert sys.getallocatedblocks() - blocks < sum(done) / 2 + 5_000
    assert memory.resident() <= 1.05 * held
    print(f"\n{sum(done)} tasks by {THREADS} threads in {SECONDS} s")


@pytest.mark.parametrize("part", range(4))
def test_all_begin_with_a_tokenizer_of_which_nothing_was_asked(
    made, tasks, part, quick_switches
):
    for name in list(made)[part::4]:
        own = [(i, said) for t, i, said in tasks if t is made[name]]
        expected = [said for _, said in own]
        for _ in range(3 * min(conftest.SCALE, 10)):
            cold = pickle.loads(pickle.dumps(made[name]))
            found = run_threads(
                lambda _, t=cold, own=own: [work.do(t, i) for i, _ in own]
            )
            assert found == [expected] * THREADS, name
