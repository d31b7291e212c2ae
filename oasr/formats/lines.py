"""Breaks a subtitle into at most two lines."""

from collections.abc import Sequence

from oasr.formats import units as unit_lists

# Cells of a line: 42 letters, or 21 of the double width of Han and kana. Subtitling
# guidelines of broadcasters and streaming services have 37 to 42 letters.
MAX_CELLS = 42
# How many cells more two lines may differ by, for the first to end with a phrase.
_WORTH_OF_A_PHRASE = 24


def fits(units: Sequence[unit_lists.Unit]) -> bool:
    """Returns whether `units` fit two lines; a single word always does."""
    return len(units) <= 1 or _is_line(units) or bool(_breaks(units))


def split(units: Sequence[unit_lists.Unit]) -> list[str]:
    """Returns the lines of `units` that fit, of about the same width where two."""
    if len(units) <= 1 or _is_line(units):
        return [unit_lists.text(units)]
    at = min(_breaks(units), key=lambda k: _cost(units, k))
    return [unit_lists.text(units[:at]), unit_lists.text(units[at:])]


def _is_line(units: Sequence[unit_lists.Unit]) -> bool:
    # A word that is too long is left whole: cut, it would read as two.
    if len(units) == 1:
        return True
    # Words may have no width, as marks without their letters.
    return len(units) <= MAX_CELLS and unit_lists.width(units) <= MAX_CELLS


def _breaks(units: Sequence[unit_lists.Unit]) -> list[int]:
    """Returns the places at which two lines may part."""
    return [
        k for k in range(1, len(units)) if _is_line(units[:k]) and _is_line(units[k:])
    ]


def _cost(units: Sequence[unit_lists.Unit], at: int) -> int:
    unequal = abs(unit_lists.width(units[:at]) - unit_lists.width(units[at:]))
    return unequal - _WORTH_OF_A_PHRASE * units[at - 1].ends_phrase
