"""The process that reads a checkpoint apart: its limits, its question, its end."""

from collections.abc import Mapping
import dataclasses
import json
import os
import pathlib
import signal
import subprocess
from typing import Any

from oasr import showing
from oasr.checkpoints import apart_child
from oasr.checkpoints import child_process
from oasr.tokenizers import errors

# Five times what the largest published vocabularies take: Gemma's file of 33 MB some
# ten seconds and half a gigabyte.
SECONDS = 60
MAX_BYTES = 4 << 30


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


@dataclasses.dataclass(frozen=True)
class Question:
    """A question to the process apart, and the files that both know.

    Attributes:
      path: the checkpoint.
      limits: of the child.
      folder: where the child says what it reads, and what it found.
    """

    path: str
    limits: Limits
    folder: pathlib.Path

    def answer(self, question: Mapping[str, Any]) -> Mapping[str, Any]:
        """Returns the child's answer; the child is gone when this returns.

        Args:
          question: what it is asked, but for what is known here.

        Raises:
          AssetError: if it does not answer, saying what became of it.
        """
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
