"""Groups the pieces of one hypothesis into timed words.

`csrc/tokenizers/word_grouping.h` states the rule. Texts are UTF-8 as written
with "surrogatepass"; N is the number of tokens. Contiguous arrays of the types
named are read in place and must not change during the call. All functions raise
`ValueError` for lengths that differ and values that are out of place.
"""

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy import typing as npt

def group_words(
    text: bytes,
    piece_ends: npt.NDArray[np.int64],
    lends: npt.NDArray[np.bool_] | npt.NDArray[np.uint8],
    starts: npt.NDArray[np.float64],
    ends: npt.NDArray[np.float64],
    confidences: npt.NDArray[np.float64] | None = None,
) -> list[tuple[str, float, float, float | None]]:
    """Returns (word, start, end, confidence) for each word, in order.

    Args:
      text: all pieces joined.
      piece_ends: `[N]`; piece k is `text[piece_ends[k - 1] : piece_ends[k]]`.
      lends: `[N]`; whether token k, when its piece is empty, lends its span and
        confidence to a word. False for special and out-of-range ids.
      starts: `[N]` seconds, or any unit.
      ends: `[N]`, as `starts`.
      confidences: `[N]`; without them each word's is None.
    """

def group_pieces(
    pieces: Sequence[str],
    lends: npt.NDArray[np.bool_] | npt.NDArray[np.uint8],
    starts: npt.NDArray[np.float64],
    ends: npt.NDArray[np.float64],
    confidences: npt.NDArray[np.float64] | None = None,
) -> list[tuple[str, float, float, float | None]]:
    """Returns what `group_words` does, of pieces that are str."""

def word_spans(
    text: bytes,
    piece_ends: npt.NDArray[np.int64],
    lends: npt.NDArray[np.bool_] | npt.NDArray[np.uint8],
) -> list[tuple[str, int, int]]:
    """Returns (word, first token, last token) for each word, in order."""

def is_space(code_point: int) -> bool:
    """Returns whether a code point parts words, as `str.isspace` says."""

def word_class(code_point: int) -> Literal["letter", "open", "close", "spaceless"]:
    """Returns the class of a code point in the rule of words."""

def grapheme_ends(text: bytes) -> list[int]:
    """Returns the end of each extended grapheme cluster of `text`, in bytes."""
