"""Reads a checkpoint that nobody vouches for in a process apart, which dies alone.

The libraries that read vocabularies are native code, and others wrote the files. What
becomes of the child, e.g. that it crashes or never ends, is one `AssetError` here. What
it says is JSON, and the files that it names are looked at again: nothing of it is run.
"""

from collections.abc import Callable, Mapping
import logging
import os
import pathlib
import shutil
import tempfile
from typing import Any, TypeVar

from oasr import showing
from oasr.checkpoints import apart_answers
from oasr.checkpoints import apart_process
from oasr.checkpoints import checkpoint as checkpoints
from oasr.checkpoints import directory as directories
from oasr.checkpoints import generated
from oasr.checkpoints import inspection
from oasr.tokenizers import errors

# What is raised here as it was in the child; any other class is a defect of OASR.
_ERRORS: Mapping[str, type[Exception]] = {
    "AssetError": errors.AssetError,
    "ImportError": ImportError,
    "OSError": OSError,
    "ValueError": ValueError,
}

_Found = TypeVar("_Found")


def convert_apart(
    path: str | os.PathLike[str],
    *,
    converter: str | None = None,
    limits: apart_process.Limits | None = None,
) -> checkpoints.ConvertedCheckpoint:
    """Returns what `convert_checkpoint` does, of a directory that may do harm.

    Converters that were registered in this process are not known.

    Args:
      path: as for `convert_checkpoint`.
      converter: as for `convert_checkpoint`.
      limits: of the process that reads it.

    Raises:
      AssetError: as `convert_checkpoint`, and if reading it takes more than it may or
        ends the process.
      ImportError: if a file needs a library that is not installed.
      ValueError: if there is no converter of that name.
    """
    return _ask("convert", path, converter, limits, apart_answers.checkpoint)


def inspect_apart(
    path: str | os.PathLike[str],
    *,
    converter: str | None = None,
    limits: apart_process.Limits | None = None,
) -> inspection.Inspection:
    """Returns what `inspect_checkpoint` does, of a directory that may do harm.

    Converters that were registered in this process are not known.

    Args:
      path: as for `inspect_checkpoint`.
      converter: as for `inspect_checkpoint`.
      limits: of the process that reads it.

    Raises:
      AssetError: as `inspect_checkpoint`, and if reading it takes more than it may or
        ends the process.
      ImportError: if a file needs a library that is not installed.
      ValueError: if there is no converter of that name.
    """
    return _ask("inspect", path, converter, limits, apart_answers.inspection)


def _ask(
    what: str,
    path: str | os.PathLike[str],
    converter: str | None,
    limits: apart_process.Limits | None,
    read: Callable[[Mapping[str, Any]], _Found],
) -> _Found:
    """Returns what the child found; its files are in the checkpoint, or were made.

    Args:
      what: "convert" or "inspect".
      path: the checkpoint.
      converter: the name of the converter, if it is given.
      limits: of the child.
      read: makes a value of the child's answer.
    """
    path, made = os.fspath(path), generated.new_folder()
    try:
        with tempfile.TemporaryDirectory(prefix="oasr-") as folder:
            asked = apart_process.Question(
                path, limits or apart_process.Limits(), pathlib.Path(folder)
            )
            answer = asked.answer({"what": what, "converter": converter, "made": made})
        found = _read(answer, path, made, read)
        if isinstance(found, Exception):
            raise found
    except BaseException:
        shutil.rmtree(made, ignore_errors=True)
        raise
    if not os.listdir(made):
        os.rmdir(made)
    return found


def _read(
    answer: Mapping[str, Any],
    path: str,
    made: str,
    read: Callable[[Mapping[str, Any]], _Found],
) -> _Found | Exception:
    """Returns what the child found, or raised; logs what it logged.

    Raises:
      AssetError: if its answer is none, or names a file elsewhere.
    """
    try:
        for name, level, message in answer["log"]:
            logging.getLogger(name).log(level, "%s", message)
        if "error" in answer:
            return _ERRORS.get(answer["error"], RuntimeError)(answer["message"])
        found = read(answer["found"])
        _check_files(answer["found"]["tokenizer"]["files"], path, made)
    except errors.AssetError:
        raise
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        raise errors.AssetError(
            f"{path}: expected what a checkpoint is, found that the process that read"
            f" it answered something else: {showing.shown(error, 200)}."
        ) from error
    return found


def _check_files(files: Mapping[str, str], path: str, made: str) -> None:
    """Raises AssetError for a file that is neither in the checkpoint nor was made."""
    folder = os.path.dirname(os.path.abspath(path)) if os.path.isfile(path) else path
    roots = [folder, *([made] if os.path.isdir(made) else [])]
    for role, place in files.items():
        if not any(_holds(root, place) for root in roots):
            raise errors.AssetError(
                f"{path}: expected the tokenizer's files inside, found the"
                f" {showing.shown(role)} at {showing.shown(place, 200)}."
            )


def _holds(root: str, place: str) -> bool:
    directory = directories.CheckpointDirectory(root)
    try:
        directory.file(os.path.relpath(place, directory.path))
    except errors.AssetError:
        return False
    return True
