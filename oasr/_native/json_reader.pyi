from collections.abc import Callable
from typing import Any, Literal

MOST_DEPTH: int
MOST_DIGITS: int

def read(
    document: bytes, twice: Callable[[str, Any, Any], object]
) -> tuple[Any, tuple[Literal["syntax", "utf-8", "depth"], int, str] | None]:
    """Returns the value of a JSON document, or why there is none.

    Args:
      document: UTF-8.
      twice: called with a key that an object has again, and its first and second
        value; what it raises passes through.

    Returns:
      The value and None; or None and the fault: its kind, its place in bytes, and
      what was expected there.
    """
