"""Looks settings up in what a configuration file holds."""

from collections.abc import Mapping
import math
from typing import Any

from oasr import showing
from oasr.tokenizers import errors

# More than the largest published vocabulary; what is built takes memory per label.
MAX_LABELS = 2**20


def find(config: Mapping[str, Any], place: str) -> Any:
    """Returns what is at a place like "encoder_conf.input_layer", or None."""
    found: Any = config
    for name in place.split("."):
        found = found.get(name) if isinstance(found, Mapping) else None
    return found


def number(config: Mapping[str, Any], place: str) -> float | None:
    """Returns the number above 0 at a place, or None if there is none."""
    found = find(config, place)
    if isinstance(found, bool) or not isinstance(found, int | float):
        return None
    return found if math.isfinite(found) and found > 0 else None


def integer(config: Mapping[str, Any], place: str) -> int | None:
    """Returns the integer of at least 0 at a place, or None if there is none."""
    found = find(config, place)
    return found if type(found) is int and found >= 0 else None


def vocab_size(config: Mapping[str, Any], place: str) -> int | None:
    """Returns the number of labels at a place, or None if there is none.

    Raises:
      AssetError: if no model has so many.
    """
    found = integer(config, place)
    if found is not None and found > MAX_LABELS:
        raise errors.AssetError(
            f"{place} is {showing.shown(found)} in the configuration; no model has over"
            f" {MAX_LABELS} labels."
        )
    return found or None


def text(config: Mapping[str, Any], place: str) -> str | None:
    """Returns the string at a place, or None if there is none."""
    found = find(config, place)
    return found if isinstance(found, str) else None


def ids(config: Mapping[str, Any], place: str) -> list[int]:
    """Returns the ids of the list at a place, none if there is no list.

    A -1 among them, which stands for a list in somebody's code, is left out.
    """
    found = find(config, place)
    values = found if isinstance(found, list) else []
    return [value for value in values if type(value) is int and value >= 0]


def product(*factors: float) -> float:
    """Returns a product as it would be written, 0.06 and not 0.060000000000000005."""
    return round(math.prod(factors), 9)
