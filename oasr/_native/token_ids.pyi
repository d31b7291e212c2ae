import numpy as np

def all_int(ids: list[int]) -> bool:
    """Returns whether every element is exactly an int (a bool is not)."""

def in_range(ids: list[int], size: int) -> bool:
    """Returns whether every element is exactly an int in [0, size)."""

def select(
    ids: list[int], first: int, last: int, dropped: frozenset[int] | bytes
) -> list[int] | None:
    """Returns the elements in [first, last) that are not dropped.

    Args:
      ids: a list.
      first: the first id that is kept.
      last: one more than the last.
      dropped: a set of ids, or a byte for each id from 0 on that is not 0 for those.

    Returns:
      `ids` itself if all are kept; None if an element is no int.
    """

def mask(
    ids: list[int], first: int, last: int, dropped: frozenset[int] | bytes
) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Returns for each int whether it is in [first, last) and not dropped."""
