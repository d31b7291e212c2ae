"""Maps the name of a format to what writes it.

The built-in formats are the table below; a format's module loads when it is built.
"""

from collections.abc import Callable
from typing import Any

from oasr import showing
from oasr.formats import base
from oasr.tokenizers import plugins

Factory = Callable[..., base.Format]

_BUILTIN_FORMATS = {
    "ctm": "oasr.formats.ctm:Ctm",
    "jsonl": "oasr.formats.jsonl:Jsonl",
    "srt": "oasr.formats.srt:Srt",
    "tsv": "oasr.formats.tsv:Tsv",
    "txt": "oasr.formats.txt:Txt",
    "verbose_json": "oasr.formats.verbose_json:VerboseJson",
    "vtt": "oasr.formats.vtt:Vtt",
}
_registered_formats: dict[str, Factory] = {}


def register_format(name: str, factory: Factory, *, replace: bool = False) -> None:
    """Adds a format for this process.

    Args:
      name: what `build_format` calls it, e.g. the suffix of its files.
      factory: builds it without arguments, e.g. its class.
      replace: whether `name` may be taken already.

    Raises:
      ValueError: if the name is taken and not `replace`, or is none.
      TypeError: if the factory cannot be called.
    """
    plugins.check(
        "format",
        name,
        factory,
        list_formats(),
        takes="without arguments",
        replace=replace,
    )
    _registered_formats[name] = factory


def list_formats() -> list[str]:
    """Returns the name of every format, sorted."""
    return sorted({*_BUILTIN_FORMATS, *_registered_formats})


def build_format(name: str, **settings: Any) -> base.Format:
    """Returns what writes the format of that name.

    Args:
      name: one of `list_formats()`.
      **settings: of its own, e.g. the `task` of verbose_json; most have none.

    Raises:
      ValueError: if there is none.
      TypeError: if it has no such setting.
    """
    if name in _registered_formats:
        return _registered_formats[name](**settings)
    if name in _BUILTIN_FORMATS:
        factory: Factory = plugins.load(_BUILTIN_FORMATS[name])
        return factory(**settings)
    raise ValueError(
        f"Unknown format {showing.shown(name)}; expected one of {list_formats()}."
    )
