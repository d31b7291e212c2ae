from collections.abc import Mapping

import numpy as np

class SymbolTable:
    """The bytes that each id renders."""

    def __init__(self, pieces: Mapping[int, bytes]) -> None: ...
    def token_pieces(self, ids: list[int]) -> list[str]:
        """Returns the text each id adds to the stripped text of `ids`."""

    def joined_pieces(
        self, ids: list[int]
    ) -> tuple[bytes, np.ndarray[tuple[int], np.dtype[np.int64]]]:
        """Returns the UTF-8 of all pieces, and the byte at which each ends."""

    def is_text(self, ids: list[int]) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """Returns for each id whether the table has it."""
