"""The file `oasr.json`: what a directory is, and that its files are the same still.

{"format_version": 1, "family": "ctc", "vocab_size": 500, "blank_id": 0,
 "seconds_per_frame": 0.04, "extras": {},
 "tokenizer": {"kind": "symbol_table", "options": {"special_ids": [0, 1, 2]},
               "files": {"table": {"path": "tokens.txt", "sha256": "..."}}}}
"""

from collections.abc import Mapping
import contextlib
import hashlib
import json
import os
from typing import Any

from oasr import tokenizers
from oasr.checkpoints import directory as directories
from oasr.checkpoints import whole_file
from oasr.tokenizers import assets
from oasr.tokenizers import errors
from oasr.tokenizers import tokenizer_json

NAME = "oasr.json"
FORMAT_VERSION = 1

_FIELDS = ("blank_id", "extras", "family", "seconds_per_frame", "vocab_size")


def write(
    directory: str | os.PathLike[str],
    spec: tokenizers.TokenizerSpec,
    fields: Mapping[str, Any],
) -> tokenizers.TokenizerSpec:
    """Writes the file, and copies of the tokenizer's files that lie elsewhere.

    Returns:
      The spec of the tokenizer in `directory`.
    """
    with contextlib.ExitStack() as undo:
        for folder in _missing(directory):
            os.makedirs(folder, exist_ok=True)
            undo.callback(_remove_empty, folder)
        target = directories.CheckpointDirectory(directory)
        names, copies = _settle(target, spec.files)
        for name, content in copies.items():
            path = os.path.join(target.path, name)
            whole_file.write(path, content)
            undo.callback(os.unlink, path)
        entries = {
            role: {"path": name, "sha256": _sha256(target.file(name))}
            for role, name in names.items()
        }
        manifest = {
            "format_version": FORMAT_VERSION,
            **fields,
            "tokenizer": {**spec.to_dict(), "files": entries},
        }
        whole_file.write(os.path.join(target.path, NAME), _as_bytes(manifest))
        undo.pop_all()  # All is written, so all of it stays.
    return _spec_in(target, spec, names)


def _missing(directory: str | os.PathLike[str]) -> list[str]:
    """Returns the folders that are to be made for a directory, the outermost first."""
    path, missing = os.path.abspath(directory), []
    while not os.path.lexists(path):
        missing.append(path)
        path = os.path.dirname(path)
    return missing[::-1]


def _remove_empty(folder: str) -> None:
    with contextlib.suppress(OSError):  # Somebody else may have written there.
        os.rmdir(folder)


def _as_bytes(content: Mapping[str, Any]) -> bytes:
    text = json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
    # Half of a surrogate pair, which no UTF-8 can hold, is "\\udc80" in JSON, too.
    return text.encode("utf-8", "backslashreplace")


def exists(path: str | os.PathLike[str]) -> bool:
    """Returns whether `path` is such a file, or a directory that has one."""
    if not os.fspath(path):
        return False  # And not what is where the process stands.
    is_file = os.path.isfile(path) and os.fspath(path).endswith(".json")
    return is_file or os.path.lexists(os.path.join(path, NAME))


def place(path: str | os.PathLike[str]) -> str:
    """Returns the path of the file at `path`, of which `exists` is true."""
    return os.fspath(path if os.path.isfile(path) else os.path.join(path, NAME))


def read(
    path: str | os.PathLike[str],
) -> tuple[str, tokenizers.TokenizerSpec, dict[str, Any]]:
    """Reads the file and checks the files that it names.

    Args:
      path: the directory, or the file in it.

    Returns:
      The file's path, the spec of the tokenizer, and the other fields.
    """
    folder, name = path, NAME
    if os.path.isfile(path):
        folder, name = os.path.split(os.path.abspath(path))
    source = directories.CheckpointDirectory(folder)
    place = source.file(name, max_bytes=directories.MAX_TEXT_BYTES)
    content = dict(tokenizer_json.read_object(place))
    _check_version(content.pop("format_version", None), place)
    tokenizer = content.pop("tokenizer", None)
    _check_names(content, place)
    spec = _read_spec(source, tokenizer, place)
    return place, spec, content


def _settle(
    target: directories.CheckpointDirectory, files: Mapping[str, str]
) -> tuple[dict[str, str], dict[str, bytes]]:
    """Returns the name of each file in `target`, and the contents to be copied there.

    Args:
      target: where the files will be.
      files: their paths by role.

    Raises:
      AssetError: if a file is absent, or another one has its name.
    """
    names: dict[str, str] = {}
    copies: dict[str, bytes] = {}
    for role, path in files.items():
        name = os.path.relpath(os.path.abspath(path), target.path)
        if name.split(os.sep)[0] == os.pardir:
            name = os.path.basename(path)
            content = assets.read_bytes(path)
            there = copies.get(name)
            if there is None and name in target:
                there = assets.read_bytes(target.file(name))
            if there is None:
                copies[name] = content
            elif there != content:
                raise errors.AssetError(
                    f"{os.path.join(target.path, name)}: is not overwritten, as it"
                    f" differs from {path}; another directory is needed."
                )
        else:
            target.file(name)  # Checked to be inside.
        names[role] = _as_json(name, target)
    return names, copies


def _as_json(name: str, target: directories.CheckpointDirectory) -> str:
    try:
        name.encode()
    except UnicodeEncodeError as error:
        raise errors.AssetError(
            f"{target.path}: the name {name!r} is no UTF-8, which JSON must be."
        ) from error
    return name.replace(os.sep, "/")


def _read_spec(
    source: directories.CheckpointDirectory, fields: Any, place: str
) -> tokenizers.TokenizerSpec:
    if not isinstance(fields, dict) or not isinstance(fields.get("files"), dict):
        raise errors.AssetError(
            f"{place}: expected an object with 'kind', 'files' and 'options' as"
            f" 'tokenizer', found {tokenizer_json.shown(fields)}."
        )
    names = {}
    for role, entry in fields["files"].items():
        where = f"{place}: tokenizer.files[{tokenizer_json.shown(role)}]"
        match entry:
            case {"path": str(name), "sha256": str(expected), **rest} if not rest:
                _check_file(source, name, expected, where)
            case _:
                raise errors.AssetError(
                    f"{where}: expected an object with 'path' and 'sha256', found"
                    f" {tokenizer_json.shown(entry)}."
                )
        names[role] = name
    try:
        spec = tokenizers.TokenizerSpec.from_dict({**fields, "files": {}})
    except (TypeError, ValueError, RecursionError) as error:
        raise errors.AssetError(f"{place}: {error}") from error
    return _spec_in(source, spec, names)


def _check_file(
    source: directories.CheckpointDirectory, name: str, expected: str, where: str
) -> None:
    try:
        path = source.file(name)
    except errors.AssetError as error:
        raise errors.AssetError(f"{where}: {error}") from error
    found = _sha256(path)
    if found != expected:
        raise errors.AssetError(
            f"{where}: {path} was changed since it was converted: its sha256 is"
            f" {found}, expected {tokenizer_json.shown(expected)}."
        )


def _check_version(version: object, place: str) -> None:
    if type(version) is not int or version < 1:
        raise errors.AssetError(
            f"{place}: expected the number of a format, e.g. {FORMAT_VERSION}, as"
            f" 'format_version', found {tokenizer_json.shown(version)}."
        )
    if version > FORMAT_VERSION:
        raise errors.AssetError(
            f"{place}: the format {version} is newer than this OASR, which reads"
            f" formats up to {FORMAT_VERSION}."
        )


def _check_names(found: Mapping[str, Any], place: str) -> None:
    for name in found:
        if name not in _FIELDS:
            raise errors.AssetError(
                f"{place}: the field {tokenizer_json.shown(name)} is unknown; valid"
                f" are {sorted([*_FIELDS, 'format_version', 'tokenizer'])}."
            )
    for name in ("family", "vocab_size"):
        if name not in found:
            raise errors.AssetError(f"{place}: the field {name!r} is missing.")


def _spec_in(
    directory: directories.CheckpointDirectory,
    spec: tokenizers.TokenizerSpec,
    names: Mapping[str, str],
) -> tokenizers.TokenizerSpec:
    files = {role: os.path.join(directory.path, name) for role, name in names.items()}
    return tokenizers.TokenizerSpec(spec.kind, files, spec.options)


def _sha256(path: str) -> str:
    return hashlib.sha256(assets.read_bytes(path)).hexdigest()
