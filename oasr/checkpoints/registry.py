"""Which converter knows a directory: their names, their claims, the best one.

The built-in converters are the table below; a converter's module loads when claims
are asked for. Installed packages add converters by entry points of the group
`oasr.checkpoints`.
"""

from collections.abc import Callable
import functools
import logging
import os
from typing import Any

from oasr.checkpoints import checkpoint as checkpoints
from oasr.checkpoints import claims
from oasr.checkpoints import converter as converters
from oasr.checkpoints import directory as directories
from oasr.checkpoints import manifest
from oasr.tokenizers import errors
from oasr.tokenizers import plugins

Factory = Callable[[], converters.CheckpointConverter]

ENTRY_POINT_GROUP = "oasr.checkpoints"

_logger = logging.getLogger("oasr.checkpoints")
_BUILTIN_CONVERTERS = {
    "ctranslate2_whisper": (
        "oasr.checkpoints.ctranslate2_whisper:CTranslate2WhisperConverter"
    ),
    "icefall": "oasr.checkpoints.icefall:IcefallConverter",
    "moonshine": "oasr.checkpoints.moonshine:MoonshineConverter",
    "nemo": "oasr.checkpoints.nemo:NemoConverter",
    "paraformer": "oasr.checkpoints.paraformer:ParaformerConverter",
    "qwen2_audio": "oasr.checkpoints.qwen2_audio:Qwen2AudioConverter",
    "sensevoice": "oasr.checkpoints.sensevoice:SenseVoiceConverter",
    "wenet": "oasr.checkpoints.wenet:WenetConverter",
    "whisper": "oasr.checkpoints.whisper:WhisperConverter",
}
_registered_converters: dict[str, Factory] = {}


def register_converter(name: str, factory: Factory, *, replace: bool = False) -> None:
    """Adds a converter for this process.

    Args:
      name: what claims call it.
      factory: builds it without arguments, e.g. its class.
      replace: whether `name` may be taken already.

    Raises:
      ValueError: if the name is taken and not `replace`, or is none.
      TypeError: if the factory cannot be called.
    """
    plugins.check(
        "converter",
        name,
        factory,
        list_converters(),
        takes="without arguments",
        replace=replace,
    )
    _registered_converters[name] = factory


def list_converters() -> list[str]:
    """Returns the name of every converter, sorted."""
    return sorted({*_BUILTIN_CONVERTERS, *_registered_converters, *_entry_points()})


def rank_claims(path: str | os.PathLike[str]) -> list[claims.Claim]:
    """Returns what every converter says of a directory, the surest first.

    Raises:
      AssetError: if there is no such directory.
    """
    return rank(directories.CheckpointDirectory(path))


def rank(directory: directories.CheckpointDirectory) -> list[claims.Claim]:
    """Returns what every converter says of a directory, the surest first."""
    said = [_claim(name, directory) for name in list_converters()]
    return sorted(said, key=lambda claim: -claim.strength)


def convert_checkpoint(
    path: str | os.PathLike[str], *, converter: str | None = None
) -> checkpoints.ConvertedCheckpoint:
    """Returns what a directory is, by the converter with the best claim to it.

    Args:
      path: a directory as it was downloaded; one with an `oasr.json`, which then
        counts alone; or that file.
      converter: the name of the converter to use, whatever the others claim.

    Raises:
      AssetError: if no converter knows the directory, if two know it equally well,
        or if a file is malformed.
      ValueError: if there is no converter of that name.
    """
    if converter is None and manifest.exists(path):
        return checkpoints.ConvertedCheckpoint.load(path)
    directory = directories.CheckpointDirectory(path)
    name = converter or best_claim(rank(directory), path).converter
    return convert(name, directory)


def best_claim(
    ranked: list[claims.Claim], path: str | os.PathLike[str]
) -> claims.Claim:
    """Returns the first of the ranked claims to the directory at `path`.

    Raises:
      AssetError: if it claims nothing, or the second is as good. Files that were
        there and could not be read are said first.
    """
    if not ranked or ranked[0].strength is claims.Strength.NONE:
        raise errors.AssetError(_unknown(ranked, path))
    tied = [claim for claim in ranked if claim.strength == ranked[0].strength]
    if len(tied) > 1:
        raise errors.AssetError(
            f"{os.fspath(path)}: {len(tied)} converters claim this directory equally:"
            f" {'. '.join(map(str, tied))}. Name one,"
            f" e.g. converter={tied[0].converter!r}."
        )
    return ranked[0]


def _claim(name: str, directory: directories.CheckpointDirectory) -> claims.Claim:
    """Returns a converter's claim; one that fails claims nothing, and says why."""
    try:
        found = _build(name).claim(directory)
        return claims.Claim(found.strength, found.reasons, name)
    except errors.AssetError as error:
        reason = str(error).rstrip(".")
    except Exception as error:  # Those of other packages must not harm the rest.
        _logger.warning("The converter %s failed: %r.", name, error)
        reason = f"it failed: {error!r}"
    return claims.Claim(claims.Strength.NONE, (reason,), name, at_fault=True)


def _unknown(ranked: list[claims.Claim], path: str | os.PathLike[str]) -> str:
    """Returns what is said of a directory that no converter claims.

    First the files that were there and could not be read, which is most often why.
    """
    faults: dict[str, str] = {}  # Who says so, by what: several read the same file.
    for claim in ranked:
        if claim.at_fault:
            faults.setdefault("; ".join(claim.reasons), claim.converter)
    looked_for = (
        f"{claim.converter}: {_looks_for(claim.converter)}"
        + ("" if claim.at_fault else f" ({'; '.join(claim.reasons)})")
        for claim in ranked
    )
    said = [f"{name}: {reason}" for reason, name in faults.items()]
    found = [*said, f"Looked for {'. '.join(looked_for)}"]
    return f"{os.fspath(path)}: no converter knows this directory. {'. '.join(found)}."


def _looks_for(name: str) -> str:
    """Returns the files that a converter knows a directory by."""
    try:
        return _build(name).looks_for
    except Exception:  # Why it cannot be built is in the reasons of its claim.
        return "its files"


def convert(
    name: str, directory: directories.CheckpointDirectory
) -> checkpoints.ConvertedCheckpoint:
    """Returns what a directory is, by the converter of that name.

    Raises:
      AssetError: if a file is malformed, or says what cannot be.
      ValueError: if there is no converter of that name.
    """
    built = _build(name)
    try:
        converted = built.convert(directory)
    except errors.AssetError:
        raise
    except ValueError as error:  # E.g. a blank beyond the labels.
        raise errors.AssetError(f"{directory.path}: {error}") from error
    if not isinstance(converted, checkpoints.ConvertedCheckpoint):
        raise TypeError(
            f"The converter {name!r} returned {converted!r}, which is no"
            " oasr.checkpoints.ConvertedCheckpoint."
        )
    return converted


def _build(name: str) -> converters.CheckpointConverter:
    built: Any = _factory(name)()
    if not isinstance(built, converters.CheckpointConverter):
        raise TypeError(
            f"The factory of converter {name!r} returned {built!r}, which is no"
            " oasr.checkpoints.CheckpointConverter."
        )
    return built


def _factory(name: str) -> Factory:
    if name in _registered_converters:
        return _registered_converters[name]
    if name in _BUILTIN_CONVERTERS:
        factory: Factory = plugins.load(_BUILTIN_CONVERTERS[name])
        return factory
    if name in _entry_points():
        loaded: Factory = _entry_points()[name].load()
        return loaded
    raise ValueError(
        f"Unknown converter {name!r}; expected one of {list_converters()}."
    )


@functools.cache
def _entry_points() -> dict[str, Any]:
    """Returns the converters of installed packages; loading waits for a claim."""
    return dict(
        plugins.find(ENTRY_POINT_GROUP, _BUILTIN_CONVERTERS, "converter", _logger)
    )
