"""When an utterance of a stream is over: Kaldi's three rules."""

from collections.abc import Mapping
import dataclasses
import fractions
import math
from typing import Any

from oasr.engine import checks


@dataclasses.dataclass(frozen=True, kw_only=True)
class Endpointing:
    """The settings of the rules; None leaves a rule out.

    The defaults are those of sherpa-onnx.

    Attributes:
      silence_seconds: an utterance in which nothing was said ends behind so much blank.
      pause_seconds: one in which something was said ends behind so much blank.
      utterance_seconds: any ends when it is so long.
    """

    silence_seconds: float | None = 2.4
    pause_seconds: float | None = 1.2
    utterance_seconds: float | None = 20.0

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self):
            value = getattr(self, field.name)
            if value is not None:
                checks.number(f"Endpointing.{field.name}", value, above=0)

    @classmethod
    def from_mapping(cls, fields: Mapping[str, Any]) -> "Endpointing":
        """Returns the settings that `fields` name; all others keep their defaults."""
        checks.mapping("EngineConfig.endpointing", fields)
        return checks.read_fields("Endpointing field", fields, cls)

    def rules(self, seconds_per_frame: float) -> "EndpointRules":
        """Returns the rules in frames of a model."""
        return EndpointRules(
            silence=_frames(self.silence_seconds, seconds_per_frame),
            pause=_frames(self.pause_seconds, seconds_per_frame),
            utterance=_frames(self.utterance_seconds, seconds_per_frame),
        )


@dataclasses.dataclass(frozen=True, kw_only=True, slots=True)
class EndpointRules:
    """The rules in frames; infinity leaves one out.

    Attributes:
      silence: of blank, where nothing was said.
      pause: of blank, behind what was said.
      utterance: of the whole.
    """

    silence: float
    pause: float
    utterance: float

    def end(self, *, frames: int, blanks: int, is_said: bool) -> bool:
        """Returns whether an utterance ends here.

        Args:
          frames: of the utterance so far, at least 1.
          blanks: how many of the last of them are blank.
          is_said: whether any token was said in it.
        """
        most = self.pause if is_said else self.silence
        return blanks >= most or frames >= self.utterance


def _frames(seconds: float | None, seconds_per_frame: float) -> float:
    """Returns the least number of frames that last so long, at least one."""
    if seconds is None:
        return math.inf
    # As they were written: 2.4 s are 60 frames of 0.04 s, and not a little more.
    written = fractions.Fraction(repr(float(seconds)))
    return max(
        1, math.ceil(written / fractions.Fraction(repr(float(seconds_per_frame))))
    )
