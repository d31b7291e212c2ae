"""Results as files that people use: txt, jsonl, verbose_json, srt, vtt, tsv, ctm.

Names load when they are used.
"""

from typing import TYPE_CHECKING

from oasr import lazy

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

if not TYPE_CHECKING:  # To type checkers a module with a `__getattr__` has all names.
    __getattr__, __dir__ = lazy.exports(__name__, _MODULE_OF)
