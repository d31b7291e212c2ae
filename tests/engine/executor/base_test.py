"""Tests for base: in a stage, only those requests fail that must."""

import pytest

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


def test_earlier_failures_pass_through():
    failure = base.Failure("before", ValueError("No."))
    assert base.run_stage("inverting", reciprocals, [failure, 2]) == [failure, 0.5]
    assert base.run_stage("inverting", reciprocals, [failure]) == [failure]


@pytest.mark.parametrize("results", [[], [1, 2, 3]])
def test_a_wrong_number_of_results_is_a_failure(results):
    found = base.run_stage("counting", lambda values: results, [1, 1])
    assert [str(failure) for failure in found] == [
        f"counting: 1 requests need as many results, got {len(results)}."
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
