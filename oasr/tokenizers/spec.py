"""What a checkpoint says about its tokenizer."""

from collections.abc import Mapping, Set
import copy
import dataclasses
import math
import numbers
import os
from typing import Any

from oasr.tokenizers import token_ids

# Blank, unknown and sentence boundary in the tables of WeNet and of icefall.
DEFAULT_SPECIAL_IDS = frozenset({0, 1, 2})


@dataclasses.dataclass(frozen=True)
class TokenizerSpec:
    """What a checkpoint says about its tokenizer.

    Attributes:
      kind: the registered name, e.g. "symbol_table".
      files: asset paths by role, e.g. {"table": "/ckpt/tokens.txt"}.
      options: settings of that kind, e.g. {"special_ids": [0, 1, 2]}; values are
        kept as JSON has them (sets become sorted lists, tuples lists).
    """

    kind: str
    files: Mapping[str, str] = dataclasses.field(default_factory=dict)
    options: Mapping[str, Any] = dataclasses.field(default_factory=dict)

    def __post_init__(self) -> None:
        if not isinstance(self.kind, str) or not self.kind:
            raise ValueError(
                f"TokenizerSpec.kind must be a kind's name, got {self.kind!r}."
            )
        files = {role: _path(role, path) for role, path in _items("files", self.files)}
        options = {
            name: _as_json(f"TokenizerSpec.options[{name!r}]", value)
            for name, value in _items("options", self.options)
        }
        object.__setattr__(self, "files", files)
        object.__setattr__(self, "options", options)

    def __hash__(self) -> int:
        return hash((self.kind, frozenset(self.files.items())))

    def file(self, role: str) -> str:
        """Returns the path of an asset this kind requires."""
        if role not in self.files:
            raise ValueError(
                f"Tokenizer kind {self.kind!r} needs the file {role!r};"
                f" got {sorted(self.files)}."
            )
        return self.files[role]

    def special_ids(self) -> frozenset[int]:
        """Returns the declared special ids, by default {0, 1, 2}."""
        declared = self.options.get("special_ids")
        if declared is None:
            return DEFAULT_SPECIAL_IDS
        return frozenset(token_ids.as_list(declared))

    def check(self, *, files: Set[str], options: Set[str]) -> None:
        """Raises ValueError for a file role or an option the kind does not have."""
        for what, given, valid in (
            ("file role", self.files, files),
            ("option", self.options, options),
        ):
            for name in given:
                if name not in valid:
                    raise ValueError(
                        f"Tokenizer kind {self.kind!r} has no {what} {name!r};"
                        f" valid are {sorted(valid)}."
                    )

    def to_dict(self) -> dict[str, Any]:
        """Returns the spec as plain dictionaries, ready for JSON."""
        return {
            "kind": self.kind,
            "files": dict(self.files),
            "options": copy.deepcopy(dict(self.options)),
        }

    @classmethod
    def from_dict(cls, fields: Mapping[str, Any]) -> "TokenizerSpec":
        """Returns the spec that `to_dict` wrote."""
        if not isinstance(fields, Mapping) or "kind" not in fields:
            raise ValueError(
                f"A TokenizerSpec is a mapping with a 'kind', got {fields!r}."
            )
        names = [field.name for field in dataclasses.fields(cls)]
        for name in fields:
            if name not in names:
                raise ValueError(
                    f"TokenizerSpec has no field {name!r}; valid are {names}."
                )
        return cls(**fields)


def _items(field: str, mapping: object) -> list[tuple[str, Any]]:
    if not isinstance(mapping, Mapping):
        raise ValueError(f"TokenizerSpec.{field} must be a mapping, got {mapping!r}.")
    for name in mapping:
        if not isinstance(name, str):
            raise ValueError(f"TokenizerSpec.{field} has {name!r} as a name.")
    return list(mapping.items())


def _path(role: str, path: object) -> str:
    found = os.fspath(path) if isinstance(path, os.PathLike) else path
    if not isinstance(found, str):
        raise ValueError(f"TokenizerSpec.files[{role!r}] must be a path, got {path!r}.")
    return found


def _as_json(place: str, value: Any) -> Any:
    """Returns `value` in the types JSON has; shares nothing with it."""
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, numbers.Integral):  # NumPy's integers, too.
        return int(value)
    if isinstance(value, numbers.Real) and math.isfinite(value):
        return float(value)
    if isinstance(value, Mapping):
        for name in value:
            if not isinstance(name, str):
                raise ValueError(f"{place} has {name!r} as a name.")
        return {n: _as_json(f"{place}[{n!r}]", item) for n, item in value.items()}
    if isinstance(value, Set):
        items = [_as_json(place, item) for item in value]
        return sorted(items, key=lambda item: (type(item).__name__, item))
    if isinstance(value, list | tuple):
        return [_as_json(f"{place}[{k}]", item) for k, item in enumerate(value)]
    raise ValueError(
        f"{place} must be of a type that JSON has, got {type(value).__name__}."
    )
