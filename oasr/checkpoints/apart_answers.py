"""What a process apart says of a checkpoint: values, and what JSON has for them."""

from collections.abc import Mapping
import dataclasses
from typing import Any

from oasr import tokenizers
from oasr.checkpoints import checkpoint as checkpoints
from oasr.checkpoints import claims
from oasr.checkpoints import finding
from oasr.checkpoints import inspection as inspections


def of_checkpoint(found: checkpoints.ConvertedCheckpoint) -> dict[str, Any]:
    """Returns a checkpoint as plain values."""
    return {
        "family": found.family,
        "tokenizer": found.tokenizer.to_dict(),
        "model_vocab_size": found.vocab_size,
        "blank_id": found.blank_id,
        "seconds_per_frame": found.seconds_per_frame,
        "extras": dict(found.extras),
    }


def checkpoint(fields: Mapping[str, Any]) -> checkpoints.ConvertedCheckpoint:
    """Returns the checkpoint of plain values."""
    return checkpoints.ConvertedCheckpoint(
        family=fields["family"],
        tokenizer=tokenizers.TokenizerSpec.from_dict(fields["tokenizer"]),
        vocab_size=fields["model_vocab_size"],
        blank_id=fields["blank_id"],
        seconds_per_frame=fields["seconds_per_frame"],
        extras=fields["extras"],
    )


def of_inspection(found: inspections.Inspection) -> dict[str, Any]:
    """Returns an inspection as plain values, those of its checkpoint among them."""
    claimed = [
        {**dataclasses.asdict(claim), "strength": claim.strength.name}
        for claim in found.claims
    ]
    return {**found.to_dict(), "claims": claimed}


def inspection(fields: Mapping[str, Any]) -> inspections.Inspection:
    """Returns the inspection of plain values."""
    return inspections.Inspection(
        path=fields["path"],
        detected=fields["detected"],
        reasons=tuple(fields["reasons"]),
        claims=tuple(_claim(**claim) for claim in fields["claims"]),
        checkpoint=checkpoint(fields),
        specials=dict(fields["specials"]),
        vocab_size=fields["vocab_size"],
        supports_encode=fields["supports_encode"],
        findings=tuple(
            finding.Finding(**{**found, "ids": tuple(found["ids"])})
            for found in fields["findings"]
        ),
    )


def _claim(strength: str, reasons: list[str], **fields: Any) -> claims.Claim:
    return claims.Claim(claims.Strength[strength], tuple(reasons), **fields)
