"""Lets pip build the wheel from a clone: the hooks of PEP 517, which ask Bazel."""

from collections.abc import Mapping
import os
import pathlib
import shutil
import subprocess
import sys
from typing import Any

_ROOT = pathlib.Path(__file__).resolve().parents[2]


def build_wheel(
    wheel_directory: str,
    config_settings: Mapping[str, Any] | None = None,
    metadata_directory: str | None = None,
) -> str:
    """Builds the wheel that fits this interpreter; returns its name.

    Args:
      wheel_directory: where it goes.
      config_settings: settings of a user; there are none.
      metadata_directory: where an earlier hook left metadata; there is none.

    Raises:
      CalledProcessError: if Bazel cannot build it; Bazel has said why.
    """
    # The interpreter on PATH is the one that Bazel builds for.
    here = os.path.dirname(sys.executable)
    path = os.pathsep.join([here, os.environ.get("PATH", os.defpath)])
    bazel = os.fspath(_ROOT / "tools" / "bazel")
    command = [bazel, "build", "//:wheel"]
    subprocess.run(command, cwd=_ROOT, env=os.environ | {"PATH": path}, check=True)
    [wheel] = (_ROOT / "bazel-bin" / "wheel").iterdir()
    shutil.copyfile(wheel, pathlib.Path(wheel_directory, wheel.name))
    return wheel.name


def build_sdist(
    sdist_directory: str, config_settings: Mapping[str, Any] | None = None
) -> str:
    """Raises: there is no source distribution; the repository is the source."""
    raise NotImplementedError(
        "OASR has no source distribution; a wheel is built from a clone."
    )
