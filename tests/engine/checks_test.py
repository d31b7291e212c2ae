"""Tests for checks: what passes, and the sentence for what does not."""

import fractions
import re

import numpy as np
import pytest

from oasr.engine import checks


@pytest.mark.parametrize("value", [1, 7, np.int64(3), 10**30])
def test_integers_pass(value):
    checks.integer("x", value, at_least=1)


@pytest.mark.parametrize("value", [0, -1, True, 1.0, "1", None, np.float32(2)])
def test_other_values_are_no_integers(value):
    with pytest.raises(ValueError, match=r"^x must be an integer of at least 1, got "):
        checks.integer("x", value, at_least=1)


@pytest.mark.parametrize("value", [0.5, 1, np.float32(0.5), fractions.Fraction(1, 3)])
def test_numbers_pass(value):
    checks.number("x", value, above=0, at_most=1)


@pytest.mark.parametrize(
    "value", [0, 1.1, True, "0.5", None, float("nan"), float("inf"), 1j]
)
def test_other_values_are_no_numbers(value):
    with pytest.raises(
        ValueError, match=r"^x must be a finite number above 0 and at most 1, got "
    ):
        checks.number("x", value, above=0, at_most=1)


@pytest.mark.parametrize(
    "value",
    [10**400, -(10**400), 10**5000, fractions.Fraction(10**400, 3)],
    ids=range(4),
)
def test_a_number_that_no_float_holds_is_refused(value):
    with pytest.raises(
        ValueError, match=r"^x must be a finite number, got [^ ]{1,60}"
    ) as caught:
        checks.number("x", value)
    assert len(str(caught.value)) < 100


def test_a_value_is_shown_in_short():
    for check in (
        checks.boolean,
        checks.mapping,
        checks.number,
        lambda name, value: checks.one_of(name, value, ("a",)),
        lambda name, value: checks.integer(name, value, at_least=1),
    ):
        for value in ("a" * 10**6, ["a"] * 10**6):
            with pytest.raises(ValueError, match=r"aa*.*\.\.\.\.$") as caught:
                check("x", value)
            assert len(str(caught.value)) < 120
    with pytest.raises(ValueError, match=r"^Knob 'a{56}\.\.\. is unknown"):
        checks.known_names("Knob", ["a" * 10**6], ["b"])


def test_a_number_without_bounds_is_finite():
    checks.number("x", -1e300)
    with pytest.raises(ValueError, match=r"^x must be a finite number, got inf\.$"):
        checks.number("x", float("inf"))


@pytest.mark.parametrize(
    ("check", "message"),
    [
        (lambda: checks.boolean("x", 1), "x must be True or False, got 1."),
        (lambda: checks.text("x", ""), "x must be a non-empty string, got ''."),
        (lambda: checks.text("x", 3), "x must be a non-empty string, got 3."),
        (
            lambda: checks.one_of("x", "c", ("b", "a")),
            "x must be one of ['a', 'b'], got 'c'.",
        ),
        (
            lambda: checks.one_of("x", ["a"], ("b", "a")),
            "x must be one of ['a', 'b'], got ['a'].",
        ),
        (lambda: checks.mapping("x", []), "x must be a mapping from names, got []."),
        (
            lambda: checks.mapping("x", {1: 2}),
            "x must be a mapping from names, got {1: 2}.",
        ),
        (
            lambda: checks.known_names("Knob", {"c": 1}, ["b", "a"]),
            "Knob 'c' is unknown; valid are ['a', 'b'].",
        ),
    ],
)
def test_messages(check, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        check()
