"""Reads a checkpoint that nobody vouches for in a process apart, which dies alone.

The libraries that read vocabularies are native code, and others wrote the files. What
becomes of the child, e.g. that it crashes or never ends, is one `AssetError` here. What
it says is JSON, and the files that it names are looked at again: nothing of it is run.
"""

from collections.abc import Mapping
import dataclasses
import json
import logging
import os
import pathlib
import signal
import subprocess
import tempfile
from typing import Any

from oasr import showing
from oasr.checkpoints import apart_answers
from oasr.checkpoints import apart_child
from oasr.checkpoints import checkpoint as checkpoints
from oasr.checkpoints import child_process
from oasr.checkpoints import directory as directories
from oasr.checkpoints import generated
from oasr.checkpoints import inspection
from oasr.tokenizers import errors

# Five times what the largest published vocabularies take: Gemma's file of 33 MB some
# ten seconds and half a gigabyte.
SECONDS = 60
MAX_BYTES = 4 << 30

# What is raised here as it was in the child; any other class is a defect of OASR.
_ERRORS: Mapping[str, type[Exception]] = {
    "AssetError": errors.AssetError,
    "ImportError": ImportError,
    "OSError": OSError,
    "ValueError": ValueError,
}


@dataclasses.dataclass(frozen=True, kw_only=True)
class Limits:
    """What reading a checkpoint may take.

    Attributes:
      seconds: the time, of the processor and of the clock.
      max_bytes: the memory, as address space.
    """

    seconds: int = SECONDS
    max_bytes: int = MAX_BYTES

    def __str__(self) -> str:
        return f"{self.seconds} s and {self.max_bytes >> 20} MiB"


def convert_apart(
    path: str | os.PathLike[str],
    *,
    converter: str | None = None,
    limits: Limits | None = None,
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
    return apart_answers.checkpoint(_ask("convert", path, converter, limits))


def inspect_apart(
    path: str | os.PathLike[str],
    *,
    converter: str | None = None,
    limits: Limits | None = None,
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
    return apart_answers.inspection(_ask("inspect", path, converter, limits))


def _ask(
    what: str,
    path: str | os.PathLike[str],
    converter: str | None,
    limits: Limits | None,
) -> Mapping[str, Any]:
    """Returns what the child found; its files are in the checkpoint, or were made."""
    made = generated.new_folder()
    with tempfile.TemporaryDirectory(prefix="oasr-") as folder:
        asked = _Asked(os.fspath(path), limits or Limits(), pathlib.Path(folder))
        answer = asked.answer({"what": what, "converter": converter, "made": made})
    if not os.listdir(made):
        os.rmdir(made)
    for name, level, message in answer["log"]:
        logging.getLogger(name).log(level, "%s", message)
    if "error" in answer:
        raise _ERRORS.get(answer["error"], RuntimeError)(answer["message"])
    found: Mapping[str, Any] = answer["found"]
    _check_files(found["tokenizer"]["files"], os.fspath(path), made)
    return found


@dataclasses.dataclass(frozen=True)
class _Asked:
    """A question to a child, and the files that both know.

    Attributes:
      path: the checkpoint.
      limits: of the child.
      folder: where the child says what it reads, and what it found.
    """

    path: str
    limits: Limits
    folder: pathlib.Path

    def answer(self, question: Mapping[str, Any]) -> Mapping[str, Any]:
        """Returns the child's answer; it is gone when this returns."""
        files = {name: os.fspath(self.folder / name) for name in ("answer", "reads")}
        text = json.dumps(
            {
                **question,
                **files,
                "path": self.path,
                "seconds": self.limits.seconds,
                "bytes": self.limits.max_bytes,
            }
        )
        ended = self._run(text.encode())
        try:
            if ended:
                raise self._refusal(f"was ended by {ended}")
            answer: Mapping[str, Any] = json.loads(
                (self.folder / "answer").read_bytes()
            )
        except (OSError, ValueError) as error:
            if isinstance(error, errors.AssetError):
                raise
            raise self._refusal("gave no answer") from error
        return answer

    def _run(self, question: bytes) -> str:
        """Returns what ended the child, "" if it ended as it should."""
        with (
            open(self.folder / "said", "wb") as said,
            subprocess.Popen(
                child_process.command(apart_child.__name__),
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=said,
                env=child_process.environment(),
                start_new_session=True,  # What it starts itself ends with it.
            ) as child,
        ):
            try:
                child.communicate(question, self.limits.seconds)
            except subprocess.TimeoutExpired:
                return "its time limit"
            finally:
                # Whatever it left behind, and itself if it was interrupted.
                _kill_group(child.pid)
                child.wait()
        code = child.returncode
        return _signal_name(-code) if code < 0 else f"the exit code {code}" * (code > 0)

    def _refusal(self, fault: str) -> errors.AssetError:
        """Returns the error of a child that did not answer."""
        last = self._text("said").strip().rpartition("\n")[2]
        said = f" ({showing.shown(last, 160)})" if last else ""
        return errors.AssetError(
            f"{self._text('reads') or self.path}: expected a file that can be read"
            f" within {self.limits}, found that the process that read it {fault}{said}."
        )

    def _text(self, name: str) -> str:
        try:
            return (self.folder / name).read_text("utf-8", "surrogateescape")
        except OSError:
            return ""


def _kill_group(pid: int) -> None:
    try:
        os.killpg(pid, signal.SIGKILL)
    except ProcessLookupError:
        return  # It is over, and left nothing.


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"the signal {number}"


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
