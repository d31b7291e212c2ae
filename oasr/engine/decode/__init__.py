"""Scores to hypotheses: the decode families behind one contract.

Names load when they are used, so a family's code is needed only by that family.
"""

from typing import TYPE_CHECKING

from oasr import lazy

if TYPE_CHECKING:
    from oasr.engine.decode.base import DecodeStrategy
    from oasr.engine.decode.base import Hypothesis
    from oasr.engine.decode.base import StrategySetup
    from oasr.engine.decode.registry import build_decode_strategy
    from oasr.engine.decode.registry import list_decode_strategies
    from oasr.engine.decode.registry import register_decode_strategy

_MODULE_OF = {
    "DecodeStrategy": "base",
    "Hypothesis": "base",
    "StrategySetup": "base",
    "build_decode_strategy": "registry",
    "list_decode_strategies": "registry",
    "register_decode_strategy": "registry",
}

__all__ = [
    "DecodeStrategy",
    "Hypothesis",
    "StrategySetup",
    "build_decode_strategy",
    "list_decode_strategies",
    "register_decode_strategy",
]

if not TYPE_CHECKING:  # To type checkers a module with a `__getattr__` has all names.
    __getattr__, __dir__ = lazy.exports(__name__, _MODULE_OF)
