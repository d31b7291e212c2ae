"""The contract of formats: how outputs are written as text."""

import abc
from typing import ClassVar

from oasr.engine import request as requests


class Format(abc.ABC):
    """Writes outputs, one after the other, as the text of one file.

    The file is `header()`, then `render(output)` of each output, joined.

    Attributes:
      needs_words: whether outputs must have `words`.
      takes_segments: whether `segments` will do, where an output has no words.
      holds_many: whether a file can hold more than one utterance; where times count
        from the start of the audio, it cannot.
    """

    needs_words: ClassVar[bool] = False
    takes_segments: ClassVar[bool] = False
    holds_many: ClassVar[bool] = True

    def header(self) -> str:
        """Returns what stands before the first output."""
        return ""

    @abc.abstractmethod
    def render(self, output: requests.RequestOutput) -> str:
        """Returns the text of one output, its line ends included.

        Raises:
          ValueError: if the output lacks what the format writes.
        """
