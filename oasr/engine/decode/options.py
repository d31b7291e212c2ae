"""Reads a family's own settings from `EngineConfig.decode_options`."""

from collections.abc import Mapping
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
    what = f"Decode option of family {family!r}"
    return checks.read_fields(what, fields, options_type)
