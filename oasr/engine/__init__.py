"""Requests in, transcripts out.

Names load when they are used, so that a lower module never loads a higher one.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from oasr.engine.config import EngineConfig
    from oasr.engine.engine import ASREngine
    from oasr.engine.request import DecodingOptions
    from oasr.engine.request import Request
    from oasr.engine.request import RequestOutput
    from oasr.engine.request import Segment
    from oasr.engine.request import WordTiming

_MODULE_OF = {
    "ASREngine": "engine",
    "DecodingOptions": "request",
    "EngineConfig": "config",
    "Request": "request",
    "RequestOutput": "request",
    "Segment": "request",
    "WordTiming": "request",
}

__all__ = [
    "ASREngine",
    "DecodingOptions",
    "EngineConfig",
    "Request",
    "RequestOutput",
    "Segment",
    "WordTiming",
]


def __getattr__(name: str) -> Any:
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = importlib.import_module(f"{__name__}.{_MODULE_OF[name]}")
    value = globals()[name] = getattr(module, name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
