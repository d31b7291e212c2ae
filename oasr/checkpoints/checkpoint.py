"""What a checkpoint is: family, tokenizer, sizes; as a value and as `oasr.json`."""

from collections.abc import Mapping
import dataclasses
import json
import math
import os
from typing import Any

from oasr import tokenizers
from oasr.checkpoints import manifest
from oasr.tokenizers import errors

# Labels are 32-bit integers in native code.
_MAX_SIZE = 2**31 - 1


@dataclasses.dataclass(frozen=True, kw_only=True)
class ConvertedCheckpoint:
    """What a checkpoint is, as far as text is concerned.

    Attributes:
      family: the way of decoding, a name the strategy registry knows.
      tokenizer: how ids become text.
      vocab_size: the number of labels of the model's output, where it is known; else
        of the vocabulary's ids.
      blank_id: the label that stands for no token; None in families without one.
      seconds_per_frame: between the model's output frames; None if not known.
      extras: what else the files say, as JSON has it, e.g. ids of control tokens by
        name.
    """

    family: str
    tokenizer: tokenizers.TokenizerSpec
    vocab_size: int
    blank_id: int | None = None
    seconds_per_frame: float | None = None
    extras: Mapping[str, Any] = dataclasses.field(default_factory=dict)

    def __post_init__(self) -> None:
        if not isinstance(self.family, str) or not self.family:
            raise ValueError(
                f"ConvertedCheckpoint.family must be a name, got {self.family!r}."
            )
        if not isinstance(self.tokenizer, tokenizers.TokenizerSpec):
            raise ValueError(
                "ConvertedCheckpoint.tokenizer must be a TokenizerSpec, got"
                f" {self.tokenizer!r}."
            )
        self._check_numbers()
        object.__setattr__(self, "extras", _as_json("extras", self.extras))
        _as_json("tokenizer.options", self.tokenizer.options)

    def __hash__(self) -> int:
        return hash((self.family, self.tokenizer, self.vocab_size, self.blank_id))

    def save(self, directory: str | os.PathLike[str]) -> "ConvertedCheckpoint":
        """Writes `oasr.json`, and beside it the files that are not there yet.

        `oasr.json` appears whole or not at all. Files of the tokenizer that lie
        elsewhere are copied; no other file is overwritten.

        Returns:
          The checkpoint as `load` will return it.

        Raises:
          AssetError: if a file is absent, or one of its name has another content.
          OSError: if the directory cannot be written.
        """
        spec = manifest.write(directory, self.tokenizer, self._numbers())
        return dataclasses.replace(self, tokenizer=spec)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> "ConvertedCheckpoint":
        """Returns what `save` wrote.

        Args:
          path: the directory, or the `oasr.json` in it.

        Raises:
          AssetError: if `oasr.json` is absent, malformed or of a newer format, or
            names a file that is outside, absent, or was changed since.
        """
        source, spec, fields = manifest.read(path)
        try:
            return cls(tokenizer=spec, **fields)
        except (TypeError, ValueError, RecursionError) as error:
            raise errors.AssetError(f"{source}: {error}") from error

    def _numbers(self) -> dict[str, Any]:
        """Returns all but the tokenizer."""
        return {
            field.name: getattr(self, field.name)
            for field in dataclasses.fields(self)
            if field.name != "tokenizer"
        }

    def _check_numbers(self) -> None:
        if type(self.vocab_size) is not int or not 1 <= self.vocab_size <= _MAX_SIZE:
            raise ValueError(
                "ConvertedCheckpoint.vocab_size must be an integer in"
                f" [1, {_MAX_SIZE}], got {self.vocab_size!r}."
            )
        blank = self.blank_id
        if blank is not None and (
            type(blank) is not int or not 0 <= blank < self.vocab_size
        ):
            raise ValueError(
                "ConvertedCheckpoint.blank_id must be a label in"
                f" [0, {self.vocab_size}) or None, got {blank!r}."
            )
        seconds = self.seconds_per_frame
        if seconds is not None and not _is_duration(seconds):
            raise ValueError(
                "ConvertedCheckpoint.seconds_per_frame must be a finite number above 0"
                f" or None, got {seconds!r}."
            )


def _is_duration(value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    try:
        return math.isfinite(value) and value > 0
    except OverflowError:  # An integer beyond all floats.
        return False


def _as_json(name: str, value: Mapping[str, Any]) -> Any:
    """Returns `value` as JSON reads it back; refuses what JSON cannot hold."""
    if not isinstance(value, Mapping):
        raise ValueError(
            f"ConvertedCheckpoint.{name} must be a mapping, got {value!r}."
        )
    try:
        return json.loads(json.dumps(dict(value), allow_nan=False))
    except (TypeError, ValueError, RecursionError) as error:
        raise ValueError(
            f"ConvertedCheckpoint.{name} must hold what JSON can: {error}."
        ) from error
