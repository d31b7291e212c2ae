"""Token ids as callers hand them over: checked once, where they enter."""

from collections.abc import Iterable, Sequence
import contextlib
import operator
from typing import Any, Protocol, TypeAlias, TypeGuard, runtime_checkable

import numpy as np
from numpy import typing as npt

from oasr import showing
from oasr._native import token_ids as _native


@runtime_checkable
class _Array(Protocol):
    def tolist(self) -> Any: ...


# A list, a tuple or another sequence of integers, or an array of one axis.
TokenIds: TypeAlias = Sequence[int] | _Array


def as_list(ids: TokenIds) -> list[int]:
    """Returns `ids` as a list of Python integers, possibly `ids` itself.

    Raises:
      TypeError: naming the position of the first element that is no integer
        (booleans are none), or the type of what is no sequence at all.
    """
    if isinstance(ids, tuple):  # As hypotheses have them; whether a tuple is an array
        ids = list(ids)  # takes longer to ask.
    if isinstance(ids, list) and _native.all_int(ids):
        return ids
    elements = ids.tolist() if isinstance(ids, _Array) else ids
    if isinstance(elements, str | bytes | bytearray) or not isinstance(
        elements, Sequence
    ):
        raise TypeError(
            f"Token ids must be a sequence of integers, got {showing.shown(ids)}"
            f" of type {type(ids).__name__}."
        )
    return [_as_int(element, place) for place, element in enumerate(elements)]


def as_set(ids: Iterable[int]) -> frozenset[int]:
    """Returns `ids`, in any collection, as a set of Python integers.

    Raises:
      TypeError: as `as_list`; the position is that in the collection's order.
    """
    if isinstance(ids, Iterable) and not isinstance(ids, str | bytes | bytearray):
        ids = list(ids)
    return frozenset(as_list(ids))


def in_range(ids: TokenIds, size: int) -> TypeGuard[list[int]]:
    """Returns whether `ids` is a list of plain integers, all in [0, size)."""
    return isinstance(ids, list) and _native.in_range(ids, size)


def flags(ids: Iterable[int], size: int) -> bytes:
    """Returns a byte for each id in [0, size) that is not 0 for those of `ids`."""
    flagged = bytearray(size)
    for token_id in ids:
        if 0 <= token_id < size:
            flagged[token_id] = 1
    return bytes(flagged)


def select(
    ids: TokenIds, first: int, last: int, dropped: frozenset[int] | bytes
) -> list[int]:
    """Returns the ids in [first, last) that are not dropped, possibly `ids` itself.

    Args:
      ids: the ids.
      first: the first that is kept.
      last: one more than the last.
      dropped: ids, or what `flags` gives of them.

    Raises:
      TypeError: as `as_list`.
    """
    if isinstance(ids, list):
        selected = _native.select(ids, first, last, dropped)
        if selected is not None:
            return selected
    selected = _native.select(as_list(ids), first, last, dropped)
    assert selected is not None
    return selected


def mask(
    ids: TokenIds, first: int, last: int, dropped: frozenset[int] | bytes
) -> npt.NDArray[np.bool_]:
    """Returns for each id whether it is in [first, last) and not dropped.

    Args:
      ids: the ids.
      first: as for `select`, like the others.
      last: one more than the last.
      dropped: ids, or what `flags` gives of them.

    Raises:
      TypeError: as `as_list`.
    """
    return _native.mask(as_list(ids), first, last, dropped)


def _as_int(element: object, place: int) -> int:
    if type(element) is int:
        return element
    # NumPy's integers and their like are indices; so are Python's booleans.
    if not isinstance(element, bool | _Array) or isinstance(element, np.integer):
        with contextlib.suppress(TypeError):
            return operator.index(element)  # type: ignore[arg-type]
    raise TypeError(
        f"Token ids must be integers: the id at position {place} is"
        f" {showing.shown(element)} of type {type(element).__name__}."
    )
