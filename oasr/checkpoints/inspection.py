"""All that can be said of a directory: what it is, why, and what looks wrong."""

from collections.abc import Collection, Mapping
import dataclasses
import os
from typing import Any

from oasr import tokenizers
from oasr.checkpoints import checkpoint as checkpoints
from oasr.checkpoints import claims
from oasr.checkpoints import directory as directories
from oasr.checkpoints import finding
from oasr.checkpoints import lint
from oasr.checkpoints import manifest
from oasr.checkpoints import registry
from oasr.checkpoints import tokenizer_files
from oasr.checkpoints import vocabulary
from oasr.tokenizers import errors


@dataclasses.dataclass(frozen=True)
class Inspection:
    """What a directory is, why, and what looks wrong in it.

    Attributes:
      path: the directory, or the `oasr.json` that was read.
      detected: the name of the converter, or "oasr.json" where that says it.
      reasons: why.
      claims: what every converter says, the surest first; none with an `oasr.json`.
      checkpoint: what the directory is.
      specials: the ids that `decode` drops, by the names that the files have for them.
      vocab_size: how many ids the vocabulary has; the model's is the checkpoint's.
      supports_encode: whether text can become ids.
      findings: what looks wrong, the graver first.
    """

    path: str
    detected: str
    reasons: tuple[str, ...]
    claims: tuple[claims.Claim, ...]
    checkpoint: checkpoints.ConvertedCheckpoint
    specials: Mapping[str, int]
    vocab_size: int
    supports_encode: bool
    findings: tuple[finding.Finding, ...]

    def to_dict(self) -> dict[str, Any]:
        """Returns all of it as plain values, ready for JSON."""
        checkpoint = self.checkpoint
        return {
            "path": self.path,
            "detected": self.detected,
            "reasons": list(self.reasons),
            "claims": [
                {
                    "converter": claim.converter,
                    "strength": claim.strength.name.lower(),
                    "reasons": list(claim.reasons),
                }
                for claim in self.claims
            ],
            "family": checkpoint.family,
            "tokenizer": checkpoint.tokenizer.to_dict(),
            "vocab_size": self.vocab_size,
            "model_vocab_size": checkpoint.vocab_size,
            "blank_id": checkpoint.blank_id,
            "seconds_per_frame": checkpoint.seconds_per_frame,
            "specials": dict(self.specials),
            "supports_encode": self.supports_encode,
            "extras": dict(checkpoint.extras),
            "findings": [dataclasses.asdict(found) for found in self.findings],
        }


def inspect_checkpoint(
    path: str | os.PathLike[str], *, converter: str | None = None
) -> Inspection:
    """Returns all that can be said of a directory.

    Args:
      path: as for `convert_checkpoint`.
      converter: as for `convert_checkpoint`.

    Raises:
      AssetError: if no converter knows the directory, if two know it equally well,
        or if a file is malformed.
      ImportError: if the tokenizer needs a library that is not installed.
    """
    said: list[claims.Claim] = []
    files = tokenizer_files.TokenizerFiles()
    if converter is None and manifest.exists(path):
        checkpoint = checkpoints.ConvertedCheckpoint.load(path)
        detected, source = manifest.NAME, manifest.place(path)
        reasons: tuple[str, ...] = (f"{manifest.NAME} says so",)
    else:
        directory, source = directories.CheckpointDirectory(path), os.fspath(path)
        files = directory.tokenizer_files
        said = registry.rank(directory)
        detected = converter or registry.best_claim(said, path).converter
        checkpoint = registry.convert(detected, directory)
        reasons = next(one.reasons for one in said if one.converter == detected)
    tokenizer = _built(checkpoint, source, files)
    pieces = vocabulary.read_pieces(checkpoint.tokenizer, files)
    return Inspection(
        path=os.fspath(path),
        detected=detected,
        reasons=reasons,
        claims=tuple(said),
        checkpoint=checkpoint,
        specials=_named(tokenizer.special_ids, pieces),
        vocab_size=max(pieces, default=tokenizer.vocab_size - 1) + 1,
        supports_encode=tokenizer.supports_encode,
        findings=tuple(lint.lint(checkpoint, tokenizer, pieces, files)),
    )


def _built(
    checkpoint: checkpoints.ConvertedCheckpoint,
    source: str,
    files: tokenizer_files.TokenizerFiles,
) -> tokenizers.Tokenizer:
    try:
        return files.build(checkpoint.tokenizer)
    except errors.AssetError:
        raise
    # E.g. a kind that is none, an option of another kind, an id of a hundred bits.
    except (ArithmeticError, LookupError, TypeError, ValueError) as error:
        raise errors.AssetError(f"{source}: tokenizer: {error}") from error


def _named(ids: Collection[int], pieces: Mapping[int, str]) -> dict[str, int]:
    """Returns ids by their pieces, by their numbers where that names no other."""
    named: dict[str, int] = {}
    for token_id in sorted(ids):
        name = pieces.get(token_id, f"id {token_id}")
        named[f"{name} (id {token_id})" if name in named else name] = token_id
    return named
