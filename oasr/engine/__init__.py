"""Requests in, transcripts out.

Names load when they are used, so that a lower module never loads a higher one.
"""

from typing import TYPE_CHECKING

from oasr import lazy

if TYPE_CHECKING:
    from oasr.engine.config import EngineConfig
    from oasr.engine.conversation import Conversation
    from oasr.engine.endpointing import Endpointing
    from oasr.engine.engine import ASREngine
    from oasr.engine.request import DecodingOptions
    from oasr.engine.request import Request
    from oasr.engine.request import RequestOutput
    from oasr.engine.request import Segment
    from oasr.engine.request import WordTiming

_MODULE_OF = {
    "ASREngine": "engine",
    "Conversation": "conversation",
    "DecodingOptions": "request",
    "Endpointing": "endpointing",
    "EngineConfig": "config",
    "Request": "request",
    "RequestOutput": "request",
    "Segment": "request",
    "WordTiming": "request",
}

__all__ = [
    "ASREngine",
    "Conversation",
    "DecodingOptions",
    "Endpointing",
    "EngineConfig",
    "Request",
    "RequestOutput",
    "Segment",
    "WordTiming",
]

if not TYPE_CHECKING:  # To type checkers a module with a `__getattr__` has all names.
    __getattr__, __dir__ = lazy.exports(__name__, _MODULE_OF)
