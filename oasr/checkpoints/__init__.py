"""A directory as published, and what it is: tokenizer, vocabulary, frames, family.

Names load when they are used, so a converter's libraries are needed only by it.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from oasr.checkpoints.checkpoint import ConvertedCheckpoint
    from oasr.checkpoints.claims import Claim
    from oasr.checkpoints.claims import Strength
    from oasr.checkpoints.converter import CheckpointConverter
    from oasr.checkpoints.directory import CheckpointDirectory
    from oasr.checkpoints.finding import Finding
    from oasr.checkpoints.inspection import Inspection
    from oasr.checkpoints.inspection import inspect_checkpoint
    from oasr.checkpoints.registry import convert_checkpoint
    from oasr.checkpoints.registry import list_converters
    from oasr.checkpoints.registry import rank_claims
    from oasr.checkpoints.registry import register_converter

_MODULE_OF = {
    "CheckpointConverter": "converter",
    "CheckpointDirectory": "directory",
    "Claim": "claims",
    "ConvertedCheckpoint": "checkpoint",
    "Finding": "finding",
    "Inspection": "inspection",
    "Strength": "claims",
    "convert_checkpoint": "registry",
    "inspect_checkpoint": "inspection",
    "list_converters": "registry",
    "rank_claims": "registry",
    "register_converter": "registry",
}

__all__ = [
    "CheckpointConverter",
    "CheckpointDirectory",
    "Claim",
    "ConvertedCheckpoint",
    "Finding",
    "Inspection",
    "Strength",
    "convert_checkpoint",
    "inspect_checkpoint",
    "list_converters",
    "rank_claims",
    "register_converter",
]


def __getattr__(name: str) -> Any:
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = importlib.import_module(f"{__name__}.{_MODULE_OF[name]}")
    value = globals()[name] = getattr(module, name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
