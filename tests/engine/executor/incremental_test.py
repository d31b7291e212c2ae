"""Tests for incremental: requests side by side are as they are alone."""

import gc
import itertools
import weakref

import numpy as np
import pytest

from oasr import engine
from oasr.engine import request as requests
from oasr.engine.decode import detokenize
from oasr.engine.decode import incremental as families
from oasr.engine.executor import incremental
from oasr.engine.executor import rendering
from tests import conftest
from tests.engine.decode import token_models


class Plain(families.IncrementalStrategy):
    """One prompt for all; fails at the prompt of audio of length 9."""

    def honours(self, mode):
        return frozenset({"n_best", "max_new_tokens", "temperature", "seed"})

    def begin(self, encoded, options):
        if len(encoded) == 9:
            raise ValueError("No prompt.")
        search = self._search(options, self._limits(options))
        return families.Prompt(np.array([1]), search)


class Clock:
    """Says what time it is; it moves on by a second each time it is asked."""

    def __init__(self, seconds=0.0):
        self.time = 0.0
        self.seconds = seconds

    def __call__(self):
        self.time += self.seconds
        return self.time


def executor(model=None, batch_size=3, *, clock=None, **options):
    config = engine.EngineConfig(scores="log_probs")
    given = {"end_ids": [0], "max_new_tokens": 9, "steps_per_tick": 1} | options
    strategy = Plain(
        model or token_models.HistoryModel(),
        config,
        families.IncrementalOptions(**given),
    )
    renderer = rendering.Renderer(detokenize.Detokenizer(), config)
    return incremental.IncrementalExecutor(
        strategy, renderer, batch_size, clock=clock or Clock()
    )


OPTIONS = [
    {},
    {"n_best": 2},
    {"temperature": 1.5, "seed": 3},
    {"max_new_tokens": 2},
    {"n_best": 3, "temperature": 1.0},
    {"max_new_tokens": 1},
]


def batch(count, first=0):
    return [
        requests.Request(f"r{n}", n % 7, OPTIONS[n % len(OPTIONS)])
        for n in range(first, first + count)
    ]


def alone(group, model=None):
    """Returns the hypotheses of each request, decoded by itself."""
    own = executor(model)._strategy
    audio = own.run_model(own.model, [request.inputs for request in group])
    return own.decode(audio, [request.options for request in group])


def check(outputs, group, model=None):
    by_id = {output.request_id: output for output in outputs if output.finished}
    for request, hypotheses in zip(group, alone(group, model), strict=True):
        output = by_id.pop(request.request_id)
        assert output.error is None
        assert output.tokens == [list(one.ids) for one in hypotheses]
        assert output.scores == [one.score for one in hypotheses]
    assert by_id == {}


@pytest.mark.parametrize("batch_size", [1, 3, 50])
def test_side_by_side_is_as_alone(batch_size):
    group = batch(30 * conftest.SCALE)
    outputs = executor(batch_size=batch_size).run(group)
    assert [o.request_id for o in outputs] == [r.request_id for r in group]
    check(outputs, group)


@pytest.mark.parametrize("seed", range(5 * conftest.SCALE))
def test_requests_join_and_leave_when_it_is_time(seed):
    source = np.random.default_rng(seed)
    runs = executor(batch_size=4, steps_per_tick=2)
    group, outputs = batch(20), []
    waiting = list(group)
    while waiting or runs.has_unfinished():
        for _ in range(source.integers(0, 3)):
            if waiting:
                runs.add(waiting.pop(0))
        outputs += runs.step()
        assert len(runs._running) <= 4
    check(outputs, group)


def test_the_next_request_joins_while_others_run():
    model = token_models.HistoryModel(shortest=9)
    runs = executor(model, batch_size=2, max_new_tokens=50)
    for request in batch(1):
        runs.add(request)
    runs.step()
    assert model.batches == []
    runs.add(requests.Request("late joiner", 3))
    runs.step()
    runs.step()
    assert model.batches == [1, 2]


def test_a_request_that_fails_fails_alone():
    group = batch(12)
    bad = ["model", "nan", "late", 9]
    mixed = [
        *group[:5],
        *(requests.Request(f"bad {given}", given) for given in bad),
        *group[5:],
    ]
    model = token_models.HistoryModel(shortest=3)
    outputs = executor(model, batch_size=8).run(mixed)
    failed = [output for output in outputs if output.error]
    assert [(o.request_id, o.error) for o in failed] == [
        ("bad model", "model: RuntimeError: no memory"),
        (
            "bad nan",
            "scores: Scores must be finite or -inf: row 0, column 0 is nan.",
        ),
        ("bad late", "model: RuntimeError: no memory"),
        ("bad 9", "prompt: No prompt."),
    ]
    check([output for output in outputs if not output.error], group, model)


class Broken(token_models.HistoryModel):
    """Gives too little."""

    def __init__(self, what):
        super().__init__(shortest=3)
        self.what = what

    def step(self, states, ids):
        scores, states = super().step(states, ids)
        if self.what == "rows":
            return scores[:-1], states
        if self.what == "states":
            return scores, states[:-1]
        if self.what == "shape":
            return scores[0], states
        return None

    def select(self, states, rows):
        found = super().select(states, rows)
        return found[:-1] if self.what == "select" else found


@pytest.mark.parametrize("what", ["rows", "states", "shape", "none"])
def test_a_model_that_gives_too_little_is_said(what):
    request = requests.Request("a", 3, {"max_new_tokens": 4})
    (output,) = executor(Broken(what)).run([request])
    assert output.finish_reason == "error"
    assert output.error.startswith("model: ")
    if what != "none":
        assert "[B, V] scores and B states for B=1 rows" in output.error


def test_a_model_that_selects_too_little_is_said():
    request = requests.Request("a", 3, {"n_best": 2})
    (output,) = executor(Broken("select")).run([request])
    assert output.error == "model: 2 request(s) need as many results, got 1."


def long_model():
    return token_models.HistoryModel(shortest=20)


def test_a_tick_ends_after_its_steps():
    runs = executor(long_model(), steps_per_tick=4, max_new_tokens=30)
    runs.add(requests.Request("a", 0, {"temperature": 0}))
    (partial,) = runs.step()
    assert len(partial.tokens[0]) == 4


def test_a_tick_ends_after_its_time():
    # The clock is asked once for the start and once per step.
    runs = executor(
        long_model(),
        steps_per_tick=30,
        max_new_tokens=30,
        milliseconds_per_tick=2500.0,
        clock=Clock(1.0),
    )
    runs.add(requests.Request("a", 0))
    (partial,) = runs.step()
    assert len(partial.tokens[0]) == 3


def test_partials_can_be_left_out():
    runs = executor(long_model(), partials=False)
    runs.add(requests.Request("a", 0))
    assert runs.step() == []
    assert runs.has_unfinished()


def test_a_request_can_be_dropped_at_any_time():
    runs = executor(long_model(), batch_size=1, max_new_tokens=30)
    for name in ("running", "waiting"):
        runs.add(requests.Request(name, 0))
    runs.step()
    for name in ("running", "waiting"):
        assert name in runs
        assert runs.abort(name)
        assert not runs.abort(name)
        assert name not in runs
    assert not runs.has_unfinished()
    assert runs.step() == []


@pytest.mark.parametrize("calls", range(1, 9))
def test_a_request_that_its_model_has_aborted_harms_no_other(calls):
    class Aborting(token_models.HistoryModel):
        called = 0

        def step(self, states, ids):
            self.called += 1
            if self.called == calls:
                aborted.append(runs.abort("r1"))
            return super().step(states, ids)

    group, aborted, outputs = batch(3), [], []
    runs = executor(Aborting())
    for request in group:
        runs.add(request)
    while runs.has_unfinished():
        outputs += runs.step()
    check(outputs, group[::2] if aborted == [True] else group)


def test_all_can_be_dropped():
    runs = executor(long_model(), batch_size=1)
    for request in batch(3):
        runs.add(request)
    runs.step()
    runs.clear()
    assert not runs.has_unfinished()


class Interrupted(token_models.HistoryModel):
    """Is interrupted at its third step, once."""

    def __init__(self):
        super().__init__(shortest=4)
        self.calls = 0

    def step(self, states, ids):
        self.calls += 1
        found = super().step(states, ids)
        if self.calls == 3:
            raise KeyboardInterrupt
        return found


def test_what_is_interrupted_begins_anew():
    group = [requests.Request("a", 2, {"seed": 5}), requests.Request("b", 3)]
    wanted = executor(token_models.HistoryModel(shortest=4)).run(group)
    runs, outputs = executor(Interrupted()), []
    for request in group:
        runs.add(request)
    interrupted = 0
    while runs.has_unfinished():
        try:
            outputs += runs.step()
        except KeyboardInterrupt:
            interrupted += 1
    assert interrupted == 1
    finals = {o.request_id: o for o in outputs if o.finished}
    for output in wanted:
        assert finals[output.request_id].tokens == output.tokens
        own = [o for o in outputs if o.request_id == output.request_id]
        for before, after in itertools.pairwise(own):
            assert len(after.tokens[0]) > len(before.tokens[0]) or after.finished
            assert after.text.startswith(before.stable_text)


class Watched(token_models.HistoryModel):
    """Knows which of its states are still kept."""

    def __init__(self):
        super().__init__()
        self.alive = weakref.WeakSet()

    def prefill(self, encoded, prompts):
        scores, states = super().prefill(encoded, prompts)
        self.alive.update(states)
        return scores, states

    def step(self, states, ids):
        scores, states = super().step(states, ids)
        self.alive.update(states)
        return scores, states


def test_nothing_is_left_behind():
    model = Watched()
    runs, outputs = executor(model, batch_size=8), []
    for request in batch(300):
        runs.add(request)
        outputs += runs.step()
        gc.collect(0)
        # The rows of eight requests, each with three at most.
        assert len(model.alive) <= 3 * 8
    while runs.has_unfinished():
        outputs += runs.step()
    gc.collect()
    assert sum(output.finished for output in outputs) == 300
    assert not model.alive


def test_no_requests_are_no_outputs():
    assert executor().run([]) == []
    assert executor().step() == []
