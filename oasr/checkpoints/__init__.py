"""A directory as published, and what it is: tokenizer, vocabulary, frames, family.

Names load when they are used, so a converter's libraries are needed only by it.
"""

from typing import TYPE_CHECKING

from oasr import lazy

if TYPE_CHECKING:
    from oasr.checkpoints.apart import convert_apart
    from oasr.checkpoints.apart import inspect_apart
    from oasr.checkpoints.apart_process import Limits
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
    "Limits": "apart_process",
    "Strength": "claims",
    "convert_apart": "apart",
    "convert_checkpoint": "registry",
    "inspect_apart": "apart",
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
    "Limits",
    "Strength",
    "convert_apart",
    "convert_checkpoint",
    "inspect_apart",
    "inspect_checkpoint",
    "list_converters",
    "rank_claims",
    "register_converter",
]

if not TYPE_CHECKING:  # To type checkers a module with a `__getattr__` has all names.
    __getattr__, __dir__ = lazy.exports(__name__, _MODULE_OF)
