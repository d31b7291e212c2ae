"""Reads a family's own settings from `EngineConfig.decode_options`."""

from collections.abc import Mapping
import dataclasses
from typing import TYPE_CHECKING, Any, TypeVar

from oasr.engine import checks

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

_OptionsT = TypeVar("_OptionsT", bound="DataclassInstance")


def read_options(
    family: str, options_type: type[_OptionsT], fields: Mapping[str, Any]
) -> _OptionsT:
    """Returns `fields` as the dataclass of a family.

    Raises:
      ValueError: for a field the family does not have, naming those it has.
    """
    valid = [field.name for field in dataclasses.fields(options_type)]
    checks.known_names(f"Decode option of family {family!r}", fields, valid)
    return options_type(**fields)
