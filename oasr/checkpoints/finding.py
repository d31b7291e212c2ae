"""One thing that looks wrong in a checkpoint."""

import dataclasses

# The graver first.
SEVERITIES = ("error", "warning", "note")


@dataclasses.dataclass(frozen=True)
class Finding:
    """One thing that looks wrong in a checkpoint.

    Attributes:
      rule: what was looked for, e.g. "duplicate_piece".
      severity: "error", texts come out wrong; "warning", they may; "note", they do
        not, but somebody may wonder.
      message: what was found, without a full stop.
      fix: what would put it right, without a full stop.
      ids: where it was found; of gaps the first thousand.
    """

    rule: str
    severity: str
    message: str
    fix: str
    ids: tuple[int, ...] = ()

    @property
    def order(self) -> tuple[int, str]:
        """The graver first, then by rule."""
        return SEVERITIES.index(self.severity), self.rule

    def __str__(self) -> str:
        return f"{self.severity}: {self.message} ({self.rule}); {self.fix}."
