"""What a converter says of a directory: how sure it is that it knows it, and why."""

import dataclasses
import enum


class Strength(enum.IntEnum):
    """How sure a converter is.

    Attributes:
      NONE: the directory is not of this kind.
      POSSIBLE: files of the right names are there.
      LIKELY: what is in them agrees.
      CERTAIN: a file names the model.
    """

    NONE = 0
    POSSIBLE = 1
    LIKELY = 2
    CERTAIN = 3


@dataclasses.dataclass(frozen=True)
class Claim:
    """What one converter says of one directory.

    Attributes:
      strength: how sure it is.
      reasons: why, each a sentence without its full stop.
      converter: the name that the converter is registered by; the registry fills it.
      at_fault: whether a file was there and could not be read as it should be.
    """

    strength: Strength
    reasons: tuple[str, ...]
    converter: str = ""
    at_fault: bool = False

    def __str__(self) -> str:
        return f"{self.converter} ({self.strength.name.lower()}): " + "; ".join(
            self.reasons
        )


def none(*reasons: str) -> Claim:
    """Returns the claim of a converter that does not know the directory."""
    return Claim(Strength.NONE, reasons)
