def all_int(ids: list[int]) -> bool:
    """Returns whether every element is exactly an int (a bool is not)."""

def in_range(ids: list[int], size: int) -> bool:
    """Returns whether every element is exactly an int in [0, size)."""
