"""Results as files that people use: txt, jsonl, srt, vtt.

Names load when they are used.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from oasr.formats.base import Format
    from oasr.formats.registry import build_format
    from oasr.formats.registry import list_formats
    from oasr.formats.registry import register_format

_MODULE_OF = {
    "Format": "base",
    "build_format": "registry",
    "list_formats": "registry",
    "register_format": "registry",
}

__all__ = ["Format", "build_format", "list_formats", "register_format"]


def __getattr__(name: str) -> Any:
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = importlib.import_module(f"{__name__}.{_MODULE_OF[name]}")
    value = globals()[name] = getattr(module, name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
