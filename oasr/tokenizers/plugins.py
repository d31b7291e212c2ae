"""What registries share: their tables, what code adds, what packages add."""

from collections.abc import Container
import importlib
from importlib import metadata
import logging
from typing import Any

from oasr import showing


def check(
    what: str,
    name: object,
    factory: object,
    taken: Container[str],
    *,
    takes: str,
    replace: bool,
) -> None:
    """Raises for a registration that cannot be.

    Args:
      what: what a name stands for, e.g. "tokenizer kind".
      name: what it is registered as.
      factory: what is registered.
      taken: the names that are there.
      takes: what the factory is called with, e.g. "with a TokenizerSpec".
      replace: whether the name may be taken already.

    Raises:
      ValueError: if the name is taken and not `replace`, or is no name.
      TypeError: if the factory cannot be called.
    """
    if not isinstance(name, str) or not name:
        raise ValueError(f"A {what} has a non-empty name, got {showing.shown(name)}.")
    if not callable(factory):
        raise TypeError(
            f"The factory of {what} {showing.shown(name)} must be callable {takes},"
            f" got {showing.shown(factory)}."
        )
    if name in taken and not replace:
        raise ValueError(
            f"{what.capitalize()} {name!r} is already registered; replace=True"
            " replaces it."
        )


def load(reference: str) -> Any:
    """Returns what a reference like "package.module:name" means."""
    module, _, name = reference.partition(":")
    return getattr(importlib.import_module(module), name)


def find(
    group: str, builtin: Container[str], what: str, logger: logging.Logger
) -> dict[str, metadata.EntryPoint]:
    """Returns the entry points of a group by name; none is loaded.

    Args:
      group: the group, e.g. "oasr.tokenizers".
      builtin: names that no package can take; a warning says who tried.
      what: what a name stands for, as the warning calls it.
      logger: where the warning goes.
    """
    found: dict[str, metadata.EntryPoint] = {}
    for point in metadata.entry_points(group=group):
        if point.name in builtin or point.name in found:
            logger.warning(
                "Entry point %s = %s is ignored: the %s is taken.",
                point.name,
                point.value,
                what,
            )
        else:
            found[point.name] = point
    return found
