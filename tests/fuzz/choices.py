"""Reads values from the bytes of an input, so that a fuzzer chooses them."""

from collections.abc import Sequence
import struct
from typing import TypeVar

_T = TypeVar("_T")
# The last gives halves of surrogate pairs.
_ERRORS = ("replace", "ignore", "replace", "surrogateescape")
_FAR = (-1, -(2**70), 2**31 - 1, 2**31, 2**32, 2**63 - 1, 2**63, 2**70)


class Choices:
    """Gives values from the front of some bytes; zeros when they are used up.

    Args:
      data: the bytes.
    """

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._place = 0

    def byte(self) -> int:
        """Returns the next byte."""
        self._place += 1
        return self._data[self._place - 1] if self._place <= len(self._data) else 0

    def up_to(self, most: int) -> int:
        """Returns an integer in [0, most]."""
        value = self.byte()
        if most > 255:
            value = value << 8 | self.byte()
        return value % (most + 1)

    def one_of(self, values: Sequence[_T]) -> _T:
        """Returns one of `values`."""
        return values[self.up_to(len(values) - 1)]

    def bytes(self, most: int) -> bytes:
        """Returns at most `most` of the next bytes."""
        start = self._place + 1
        size = self.up_to(most)
        self._place = start + size
        return self._data[start : start + size]

    def text(self, most: int) -> str:
        """Returns a text, now and then with half of a surrogate pair."""
        return self.bytes(most).decode("utf-8", self.one_of(_ERRORS))

    def ids(self, size: int, *, most: int = 24) -> list[int]:
        """Returns ids of a vocabulary of `size`, now and then of no vocabulary."""
        return [
            self.one_of(_FAR) if self.byte() > 240 else self.up_to(size + 1)
            for _ in range(self.up_to(most))
        ]

    def number(self) -> float:
        """Returns any float, mostly a small one."""
        if self.byte() < 230:
            return self.byte() / 16 - 4
        [value] = struct.unpack("<d", self.bytes(8).ljust(8, b"\0"))
        return float(value)

    def rest(self) -> bytes:
        """Returns what is left."""
        rest = self._data[self._place :]
        self._place = len(self._data)
        return rest
