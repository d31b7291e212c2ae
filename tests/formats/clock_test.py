"""Tests for clock: times rounded once, and written."""

import datetime
import decimal
import math
import random

import pytest

from oasr.formats import clock
from tests import conftest


@pytest.mark.parametrize(
    ("seconds", "milliseconds"),
    [(0, 0), (0.0004, 0), (0.0006, 1), (1.2345678, 1235), (7200, 7200000)],
)
def test_times_are_rounded_to_milliseconds(seconds, milliseconds):
    assert clock.milliseconds(seconds) == milliseconds


@pytest.mark.parametrize("seconds", [-0.001, math.nan, math.inf, -math.inf])
def test_what_is_no_time_is_refused(seconds):
    with pytest.raises(ValueError, match=rf"is {seconds}; expected seconds"):
        clock.milliseconds(seconds)


@pytest.mark.parametrize("seed", range(50 * conftest.SCALE))
def test_times_are_those_of_other_clocks(seed):
    milliseconds = random.Random(seed).randrange(24 * 3600 * 1000)
    moment = datetime.datetime.min + datetime.timedelta(milliseconds=milliseconds)
    expected = moment.time().isoformat("milliseconds")
    assert clock.clock(milliseconds, ".") == expected
    assert clock.clock(milliseconds, ",") == expected.replace(".", ",")
    assert decimal.Decimal(clock.decimal(milliseconds)) * 1000 == milliseconds
