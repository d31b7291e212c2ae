"""Tests for base: in a stage, only those requests fail that must."""

import gc
import logging
import math
import weakref

import pytest

from oasr.engine import request
from oasr.engine.executor import base


def reciprocals(values):
    return [1 / value for value in values]


def test_a_stage_gives_one_result_for_each_value():
    assert base.run_stage("inverting", reciprocals, [1, 2, 4]) == [1.0, 0.5, 0.25]
    assert base.run_stage("inverting", reciprocals, []) == []


def test_only_the_culprit_fails():
    found = base.run_stage("inverting", reciprocals, [1, 0, 4])
    assert (found[0], found[2]) == (1.0, 0.25)
    assert str(found[1]) == "inverting: ZeroDivisionError: division by zero"


def test_one_at_a_time_is_the_exception():
    sizes = []

    def noted(values):
        sizes.append(len(values))
        return reciprocals(values)

    base.run_stage("inverting", noted, [1, 2, 4])
    base.run_stage("inverting", noted, [1, 0])
    assert sizes == [3, 2, 1, 1]


@pytest.mark.parametrize("size", [1, 2, 7, 8, 100])
def test_the_culprit_is_found_by_halves(size):
    for place in (0, size // 2, size - 1):
        calls = []

        def noted(values, calls=calls):
            calls.append(values)
            return reciprocals(values)

        values = [1] * size
        values[place] = 0
        found = base.run_stage("inverting", noted, values)
        assert found[:place] + found[place + 1 :] == [1] * (size - 1)
        assert str(found[place]) == "inverting: ZeroDivisionError: division by zero"
        assert len(calls) <= 1 + 2 * math.ceil(math.log2(size))


def test_what_is_no_sequence_of_results_is_a_failure():
    (found,) = base.run_stage("counting", lambda values: None, [1])
    assert (
        str(found) == "counting: TypeError: Expected a sequence of results, got None."
    )


def test_values_have_as_many_results():
    assert base.as_many("ab", iter([1, 2])) == [1, 2]
    with pytest.raises(
        ValueError, match=r"^2 request\(s\) need as many results, got 1"
    ):
        base.as_many("ab", [1])


class MuteError(ValueError):
    """An exception without a text."""

    def __str__(self):
        raise RuntimeError("no")


def test_an_exception_without_a_text_is_a_failure_like_others(caplog):
    def fails(values):
        raise MuteError

    (failure,) = base.run_stage("stage", fails, [1])
    output = base.failed_output(request.Request("a", None), failure)
    assert output.error == "stage: MuteError without a text"
    assert output.error in caplog.text


def test_earlier_failures_pass_through():
    failure = base.Failure("before", ValueError("No."))
    assert base.run_stage("inverting", reciprocals, [failure, 2]) == [failure, 0.5]
    assert base.run_stage("inverting", reciprocals, [failure]) == [failure]


@pytest.mark.parametrize("results", [[], [1, 2, 3]])
def test_a_wrong_number_of_results_is_a_failure(results):
    found = base.run_stage("counting", lambda values: results, [1, 1])
    assert [str(failure) for failure in found] == [
        f"counting: 1 request(s) need as many results, got {len(results)}."
    ] * 2


@pytest.mark.parametrize(
    ("cause", "text"),
    [
        (ValueError("A sentence."), "stage: A sentence."),
        (ValueError(), "stage: ValueError: "),
        (KeyError("x"), "stage: KeyError: 'x'"),
    ],
)
def test_a_failure_names_the_stage(cause, text):
    assert str(base.Failure("stage", cause)) == text


def test_an_interrupt_is_no_failure_of_a_request():
    def interrupted(values):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        base.run_stage("waiting", interrupted, [1])


class Audio:
    """What an exception's frames might hold on to."""


def retried(values):
    """Fails, with what failed before in a local name."""
    try:
        raise KeyError(len(values))
    except KeyError as error:
        before = error
    raise RuntimeError("no more tries") from before


def unraised(values):
    """Fails while another failure is handled, because of one that was never raised."""
    try:
        raise KeyError(len(values))
    except KeyError:
        raise RuntimeError("no") from ValueError("not raised")


def grouped(values):
    """Fails for several reasons."""
    try:
        raise KeyError(len(values))
    except KeyError as error:
        reasons = [error]
    raise ExceptionGroup("all of them", reasons)


@pytest.mark.parametrize("function", [retried, unraised, grouped])
@pytest.mark.parametrize("size", [1, 3])
def test_a_failure_that_was_said_holds_on_to_nothing(function, size, caplog):
    caplog.set_level(logging.ERROR, logger="oasr.engine")  # Records would be kept.
    gc.collect()
    gc.disable()
    try:
        audio = [Audio() for _ in range(size)]
        known = [weakref.ref(one) for one in audio]
        for failure in base.run_stage("model", function, audio):
            base.failed_output(request.Request("a", None), failure)
        del audio, failure
        assert [one() for one in known] == [None] * size
    finally:
        gc.enable()
