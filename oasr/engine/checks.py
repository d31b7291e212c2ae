"""Checks of single settings; each error names the setting, its value and a right one.

A boolean counts as no number here, though Python has it so.
"""

from collections.abc import Collection, Mapping
import dataclasses
import math
import numbers
from typing import TYPE_CHECKING, Any, TypeVar

from oasr import showing

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

_DataclassT = TypeVar("_DataclassT", bound="DataclassInstance")


def integer(
    name: str, value: object, *, at_least: int, at_most: int | None = None
) -> None:
    """Raises ValueError unless `value` is an integer inside the bounds."""
    if not _is(value, numbers.Integral) or value < at_least:  # type: ignore[operator]
        raise ValueError(
            f"{name} must be an integer of at least {at_least}, got"
            f" {showing.shown(value)}."
        )
    if at_most is not None and value > at_most:  # type: ignore[operator]
        raise ValueError(
            f"{name} must be at most {at_most}, got {showing.shown(value)}."
        )


def number(
    name: str,
    value: object,
    *,
    at_least: float = -math.inf,
    above: float = -math.inf,
    at_most: float = math.inf,
) -> None:
    """Raises ValueError unless `value` is a finite number inside all the bounds."""
    if _is(value, numbers.Real):
        found = _as_float(value)
        if math.isfinite(found) and found > above and at_least <= found <= at_most:
            return
    bounds = [
        f"{word} {bound:g}"
        for word, bound in (
            ("above", above),
            ("at least", at_least),
            ("at most", at_most),
        )
        if math.isfinite(bound)
    ]
    wanted = " ".join(["a finite number", " and ".join(bounds)]).strip()
    raise ValueError(f"{name} must be {wanted}, got {showing.shown(value)}.")


def boolean(name: str, value: object) -> None:
    """Raises ValueError unless `value` is True or False."""
    if not isinstance(value, bool):
        raise ValueError(f"{name} must be True or False, got {showing.shown(value)}.")


def text(name: str, value: object, *, at_most: int | None = None) -> None:
    """Raises ValueError unless `value` is a string that is neither empty nor long.

    Args:
      name: of the setting.
      value: what it is.
      at_most: how many characters it may have, if that is limited.
    """
    if not isinstance(value, str) or not value:
        raise ValueError(
            f"{name} must be a non-empty string, got {showing.shown(value)}."
        )
    if at_most is not None and len(value) > at_most:
        raise ValueError(
            f"{name} must have at most {at_most} characters, got {len(value)}."
        )


def one_of(name: str, value: object, choices: Collection[str]) -> None:
    """Raises ValueError unless `value` is one of `choices`."""
    if not isinstance(value, str) or value not in choices:
        raise ValueError(
            f"{name} must be one of {sorted(choices)}, got {showing.shown(value)}."
        )


def mapping(name: str, value: object) -> None:
    """Raises ValueError unless `value` is a mapping whose keys are strings."""
    if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
        raise ValueError(
            f"{name} must be a mapping from names, got {showing.shown(value)}."
        )


def known_names(what: str, names: Collection[str], valid: Collection[str]) -> None:
    """Raises ValueError for a name that is not among `valid`."""
    for name in names:
        if name not in valid:
            raise ValueError(
                f"{what} {showing.shown(name)} is unknown; valid are {sorted(valid)}."
            )


def read_fields(
    what: str, fields: Mapping[str, Any], into: type[_DataclassT]
) -> _DataclassT:
    """Returns `fields` as a dataclass; those that are absent keep their defaults.

    Raises:
      ValueError: for a field that it does not have, naming those it has.
    """
    known_names(what, fields, [field.name for field in dataclasses.fields(into)])
    return into(**fields)


def _as_float(value: object) -> float:
    try:
        return float(value)  # type: ignore[arg-type]
    except OverflowError:  # An integer or a fraction of hundreds of digits.
        return math.inf


def _is(value: object, kind: type) -> bool:
    return isinstance(value, kind) and not isinstance(value, bool)
