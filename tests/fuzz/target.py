"""What a fuzz target is: what to do with any bytes, and what may come of it."""

from collections.abc import Callable, Sequence
import dataclasses
import random

from oasr import tokenizers
from tests.fuzz import mutations

_LONGEST_MESSAGE = 4000


@dataclasses.dataclass(frozen=True, kw_only=True)
class Target:
    """A reader or a law, and how it is tried.

    Attributes:
      run: does with the bytes of an input what is to be tried.
      seeds: gives the inputs to begin with, in addition to those of the corpus.
      refusals: the errors that the documentation promises for a bad input; what else
        is raised is a finding.
      mutate: gives another input, from one and a source of randomness.
      short: how many inputs the default tests try.
    """

    run: Callable[[bytes], None]
    seeds: Callable[[], Sequence[bytes]] = tuple
    refusals: tuple[type[Exception], ...] = (tokenizers.AssetError,)
    mutate: Callable[[bytes, random.Random], bytes] = mutations.of_bytes
    short: int = 1000

    def execute(self, data: bytes) -> bool:
        """Tries one input; returns whether it was taken and not refused."""
        try:
            self.run(data)
        except self.refusals as error:
            _check_message(error)
            return False
        return True


def _check_message(error: Exception) -> None:
    """Asserts that an error is a sentence that people can read."""
    message = str(error)
    assert message, f"{error!r} says nothing"
    assert len(message) <= _LONGEST_MESSAGE, f"{len(message)}: {message[:200]}"
    assert message.encode("utf-8", "backslashreplace")
    if isinstance(error, tokenizers.AssetError):
        assert message.endswith("."), f"{message[-200:]!r} is no sentence"
