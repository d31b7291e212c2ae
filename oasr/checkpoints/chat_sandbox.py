"""Renders a chat template, which is a program that nobody vouches for, in a child.

The sandbox of jinja2 bounds neither time nor memory; the child has limits for both,
and is killed.
"""

from collections.abc import Mapping, Sequence
import dataclasses
import json
import os
import pathlib
import subprocess
import sys
from typing import Any

from oasr.checkpoints import chat_sandbox_child
from oasr.checkpoints import child_process
from oasr.tokenizers import errors

# Rendering takes milliseconds; the rest is for starting Python on a busy machine.
SECONDS = 20
# Python and jinja2 take up a tenth of it.
MAX_BYTES = 512 << 20


@dataclasses.dataclass(frozen=True)
class Rendering:
    """What a template made of one context.

    Attributes:
      text: what it wrote.
      error: why it wrote nothing, else None.
    """

    text: str = ""
    error: str | None = None


def render(
    source: str,
    contexts: Sequence[Mapping[str, Any]],
    *,
    place: str,
    seconds: int = SECONDS,
    max_bytes: int = MAX_BYTES,
) -> list[Rendering]:
    """Returns a rendering per context.

    Args:
      source: the template, in Jinja.
      contexts: the variables of each rendering, as JSON has them.
      place: names the template in messages.
      seconds: the time for all of them, of the processor and of the clock.
      max_bytes: the memory.

    Raises:
      AssetError: if it is no template, or takes too much time or memory.
    """
    question = {
        "source": source,
        "contexts": list(contexts),
        "seconds": seconds,
        "bytes": max_bytes,
    }
    try:
        done = _ask(json.dumps(question), seconds)
    except subprocess.TimeoutExpired as error:
        raise errors.AssetError(
            f"{place}: expected a chat template that renders within {seconds} s, found"
            " that it does not end."
        ) from error
    return _read(done, place, f"{seconds} s and {max_bytes >> 20} MiB")


def _ask(question: str, seconds: int) -> subprocess.CompletedProcess[str]:
    """Returns what the child says; it is killed when the time is over."""
    child = pathlib.Path(chat_sandbox_child.__file__)
    return subprocess.run(
        [sys.executable, "-P", os.fspath(child)],
        input=question,
        capture_output=True,
        check=False,
        encoding="utf-8",
        env=child_process.environment(),
        timeout=seconds,
    )


def _read(
    done: subprocess.CompletedProcess[str], place: str, limits: str
) -> list[Rendering]:
    if done.returncode:  # Killed for its limits, most likely.
        last = done.stderr.strip().rpartition("\n")[2][:200]
        raise errors.AssetError(
            f"{place}: expected a chat template that renders within {limits}, found"
            f" that its process ended with {done.returncode} {last!r}."
        )
    answer = json.loads(done.stdout)
    if "error" in answer:
        raise errors.AssetError(
            f"{place}: expected a chat template in Jinja, found {answer['error']}."
        )
    return [Rendering(**found) for found in answer["renderings"]]
