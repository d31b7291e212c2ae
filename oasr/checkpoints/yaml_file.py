"""Reads YAML files of plain values: no code runs, nothing grows beyond the file."""

import os
import textwrap
from typing import Any

import yaml

from oasr.tokenizers import assets
from oasr.tokenizers import errors

# Ten times a published config.yaml with its list of 8,404 tokens. The reader handles
# some 300 kB a second.
MAX_BYTES = 2**20

_MAX_DEPTH = 32

# The library raises these, too, for a date, a number or a tagged value that is none.
_FAULTS = (yaml.YAMLError, AttributeError, LookupError, RecursionError, ValueError)


class _Loader(yaml.SafeLoader):
    """The safe loader, without what lets a small file mean a large one.

    An alias of a collection multiplies it wherever it is merged or walked, so only
    plain values may be repeated.
    """

    _depth = 0

    def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node | None:
        is_alias = self.check_event(yaml.AliasEvent)
        mark = self.get_mark()
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise yaml.MarkedYAMLError(
                problem=f"collections are nested over {_MAX_DEPTH} deep",
                problem_mark=mark,
            )
        node = super().compose_node(parent, index)
        self._depth -= 1
        if is_alias and not isinstance(node, yaml.ScalarNode):
            raise yaml.MarkedYAMLError(
                problem="a collection is repeated by an alias", problem_mark=mark
            )
        return node


def read_mapping(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Returns the mapping in a YAML file.

    Raises:
      AssetError: if the file is absent or too large, or holds anything but one
        mapping of plain values; with the line where there is one.
    """
    content = assets.read_bytes(path)
    if len(content) > MAX_BYTES:
        raise errors.AssetError(
            f"{path}: the file has {len(content)} bytes; no configuration has over"
            f" {MAX_BYTES}."
        )
    found = _parse(path, assets.read_text(path))
    if not isinstance(found, dict):
        raise errors.AssetError(
            f"{path}: expected a YAML mapping, found {type(found).__name__}."
        )
    return found


def _parse(path: str | os.PathLike[str], text: str) -> Any:
    try:
        return yaml.load(text, _Loader)  # A subclass of SafeLoader.
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = f"{path}:{mark.line + 1}" if mark else f"{path}"
        raise errors.AssetError(
            f"{place}: expected YAML of plain values: {error.problem}."
        ) from error
    except _FAULTS as error:
        reason = textwrap.shorten(str(error), 200).rstrip(".")
        raise errors.AssetError(
            f"{path}: expected YAML of plain values: {reason}."
        ) from error
