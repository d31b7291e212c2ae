"""Tokenizers in other processes: pickled to them, or there by a fork."""

import multiprocessing
import os
import threading
import time

import pytest

from tests.fuzz import kinds
from tests.reliability import work

# A child that waits for a lock that nobody holds would wait for ever.
_PATIENCE_SECONDS = 60


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    return kinds.build(tmp_path_factory.mktemp("kinds"))


def work_of(tokenizer, seed):
    return [
        work.do(tokenizer, item) for item in work.items(tokenizer, count=10, seed=seed)
    ]


def all_work(made):
    return {name: work_of(tokenizer, 7) for name, tokenizer in made.items()}


@pytest.mark.parametrize("method", ["spawn", "fork", "forkserver"])
def test_a_pool_gets_what_one_process_gets(made, method):
    expected = all_work(made)
    with multiprocessing.get_context(method).Pool(2) as pool:
        found = pool.map_async(all_work, [made, made])
        assert found.get(_PATIENCE_SECONDS) == [expected, expected]


def test_forks_while_threads_are_at_work(made):
    expected, over = all_work(made), threading.Event()

    def keep_busy():
        while not over.is_set():
            all_work(made)

    threads = [threading.Thread(target=keep_busy) for _ in range(4)]
    for thread in threads:
        thread.start()
    try:
        for _ in range(10):
            assert _exit_code(lambda: all_work(made) == expected) == 0
    finally:
        over.set()
        for thread in threads:
            thread.join()


def test_a_stream_goes_on_in_a_fork(made):
    for name, tokenizer in made.items():
        ids = work.items(tokenizer, count=1, seed=3)[0]
        state = tokenizer.new_decode_state()
        given = tokenizer.decode_incremental(ids[:5], state)

        def goes_on(tokenizer=tokenizer, state=state, ids=ids, given=given):
            rest = tokenizer.decode_incremental(ids[5:], state)
            whole = given + rest + tokenizer.flush_incremental(state)
            return whole == tokenizer.decode(ids)

        assert _exit_code(goes_on) == 0, name
        assert goes_on(), name


def _exit_code(check):
    """Returns the exit code of a fork: 0 if `check` is true there."""
    child = os.fork()
    if child == 0:
        code = 2
        try:
            code = 0 if check() else 1
        finally:
            os._exit(code)
    end = time.monotonic() + _PATIENCE_SECONDS
    while time.monotonic() < end:
        found, status = os.waitpid(child, os.WNOHANG)
        if found:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.005)
    os.kill(child, 9)
    os.waitpid(child, 0)
    raise AssertionError("the fork does not end")
