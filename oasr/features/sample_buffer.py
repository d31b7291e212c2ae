"""Samples that grow in place.

Shapes: S samples.
"""

import numpy as np
from numpy import typing as npt

# A day of audio at 16 kHz; a file that states more is believed as it is read.
_MOST_AT_ONCE = 24 * 3600 * 16_000


class SampleBuffer:
    """Samples in one piece of memory, of which only the used part is ever touched.

    Args:
      expected: how many there will be, as far as is known.
    """

    def __init__(self, expected: int) -> None:
        self._room = np.empty(min(expected, _MOST_AT_ONCE), np.float32)
        self._count = 0

    def append(self, block: npt.NDArray[np.float32]) -> None:
        """Adds `[S]` samples."""
        end = self._count + len(block)
        if end > len(self._room):
            # Nothing else refers to the memory, so it can move.
            self._room.resize(max(end, len(self._room) * 3 // 2), refcheck=False)
        self._room[self._count : end] = block
        self._count = end

    def samples(self, count: int) -> npt.NDArray[np.float32]:
        """Returns the first `count`; zeros follow where there are fewer.

        The buffer is not to be used after that.
        """
        if self._count < count:
            self.append(np.zeros(count - self._count, np.float32))
        if count * 2 < len(self._room):  # A file that stated too much.
            return self._room[:count].copy()
        return self._room[:count]
