"""Packages whose names load when they are used, by PEP 562.

So a lower module never loads a higher one, and a library is needed by its users only.
"""

from collections.abc import Callable, Mapping
import importlib
import sys
from typing import Any


def exports(
    package: str, module_of: Mapping[str, str]
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Returns the `__getattr__` and the `__dir__` of a package.

    Args:
      package: its `__name__`.
      module_of: for each name that it exports, which of its modules has it.
    """

    def load(name: str) -> Any:
        if name not in module_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module = importlib.import_module(f"{package}.{module_of[name]}")
        value = getattr(module, name)
        setattr(sys.modules[package], name, value)
        return value

    def names() -> list[str]:
        return sorted({*vars(sys.modules[package]), *module_of})

    return load, names
