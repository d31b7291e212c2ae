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
