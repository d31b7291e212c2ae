"""Scores to hypotheses: the decode families behind one contract.

Names load when they are used, so a family's code is needed only by that family.
"""

import importlib
from typing import TYPE_CHECKING, Any

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


def __getattr__(name: str) -> Any:
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = importlib.import_module(f"{__name__}.{_MODULE_OF[name]}")
    value = globals()[name] = getattr(module, name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
