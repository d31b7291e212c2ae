"""Numbers on the command line, refused in words that say what would be right."""

import argparse
import math


def positive(text: str) -> int:
    """Returns a whole number from 1 on."""
    return _whole(text, least=1)


def count(text: str) -> int:
    """Returns a whole number from 0 on."""
    return _whole(text, least=0)


def duration(text: str) -> float:
    """Returns a number of seconds above 0."""
    seconds = _real(text)
    if not (math.isfinite(seconds) and seconds > 0):
        raise argparse.ArgumentTypeError(f"{text!r} is no duration above 0 seconds")
    return seconds


def temperature(text: str) -> float:
    """Returns a number from 0 on."""
    number = _real(text)
    if not 0 <= number < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r} is no temperature from 0 on")
    return number


def up_to(most: int, text: str) -> int:
    """Returns a whole number from 1 to `most`."""
    number = positive(text)
    if number > most:
        raise argparse.ArgumentTypeError(f"{text} is above {most}")
    return number


def _whole(text: str, *, least: int) -> int:
    try:
        number = int(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number") from error
    if number < least:
        raise argparse.ArgumentTypeError(f"{text} is below {least}")
    return number


def _real(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan  # Which none of them takes.
