"""Models in the source tree: external repositories, which Bazel fetches."""

import os
import pathlib
import subprocess
import sys

from oasr import showing
from tools.cli import models_table

_LONGEST_REASON = 600
_FAILED = "Error in fail: "


def workspace() -> pathlib.Path | None:
    """Returns the source tree of OASR, if `bazel run` started the program there."""
    root = pathlib.Path(os.environ.get("BUILD_WORKSPACE_DIRECTORY", "/absent"))
    # A workspace that only embeds OASR knows nothing of its models.
    here = pathlib.Path("tools", "cli", "models_bazel.py")
    return root if (root / here).is_file() and _external().name == "external" else None


def directory(model: models_table.NamedModel, workspace: pathlib.Path) -> str:
    """Returns the directory of a model, which is fetched if it is absent or another.

    Args:
      model: what to fetch.
      workspace: the source tree of OASR.

    Raises:
      OSError: if it cannot be.
    """
    repository = _external() / model.repository
    if not _is_there(model, repository):
        model.say_size()
        _fetch(model, workspace)
    return str(repository / pathlib.PurePath(model.folder).name)


def _external() -> pathlib.Path:
    """Returns where Bazel has external repositories, of which the venv is in one."""
    return pathlib.Path(sys.prefix, "..", "..").resolve()


def _is_there(model: models_table.NamedModel, repository: pathlib.Path) -> bool:
    # What tools/package_file.bzl pinned it by stays beside it.
    pinned = repository / "requirement.txt"
    return pinned.is_file() and model.sha256 in pinned.read_text("utf-8")


def _fetch(model: models_table.NamedModel, workspace: pathlib.Path) -> None:
    # `bazel run` has handed its place over to the program: no other Bazel waits. It is
    # to work where that one did, and to see the PATH that it saw.
    bazel = workspace / "tools" / "bazel"
    path = os.environ.get("OASR_BAZEL_PATH", os.environ.get("PATH", ""))
    result = subprocess.run(
        [
            bazel,
            f"--output_base={_external().parent}",
            "fetch",
            f"@{model.repository}//:all",
        ],
        cwd=workspace,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    if result.returncode:
        said = _reason(result.stderr) or f"Bazel ended with {result.returncode}"
        raise OSError(
            f"{model.name}: @{model.repository} could not be fetched:"
            f" {showing.shortened(said, _LONGEST_REASON).rstrip('.')}. It needs a"
            " network once; or give --model a directory."
        )


def _reason(said: str) -> str:
    """Returns the error among what Bazel said, of a rule's `fail` what it was told."""
    lines = [line.strip() for line in said.splitlines()]
    for place, line in enumerate(lines):
        if line.startswith(_FAILED):
            return " ".join(lines[place : place + 2]).removeprefix(_FAILED)
    return next((line for line in lines if line.startswith("ERROR: ")), "")
