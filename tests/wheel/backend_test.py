"""Tests for backend: pip itself builds a clone, where a script stands for Bazel."""

import os
import pathlib
import shutil
import subprocess
import sys

import pytest

from tests.wheel import environments

_ROOT = pathlib.Path(__file__).parents[2]
# It does what Bazel does, and writes down how it was called.
BAZEL = """#!/bin/sh
echo "$PWD" "$@" > called
command -v python3 >> called
mkdir -p bazel-bin/wheel
cp "$BUILT_WHEEL" bazel-bin/wheel
"""


@pytest.fixture
def clone(tmp_path):
    """A folder with all of a clone that pip looks at."""
    tools = tmp_path / "clone" / "tools"
    (tools / "wheel").mkdir(parents=True)
    for name in ("pyproject.toml", "tools/wheel/backend.py"):
        shutil.copyfile(_ROOT / name, tmp_path / "clone" / name)
    (tools / "bazel").write_text(BAZEL)
    (tools / "bazel").chmod(0o755)
    return tmp_path / "clone"


def pip_wheel(clone, folder):
    command = [sys.executable, "-m", "pip", "wheel", "--no-index", "--no-deps"]
    command += ["--disable-pip-version-check", f"--wheel-dir={folder}", clone]
    wheel = str(environments.wheel())
    environment = os.environ | {"BUILT_WHEEL": wheel, "HOME": str(folder)}
    return subprocess.run(
        command, env=environment, capture_output=True, encoding="utf-8", check=False
    )


def test_pip_gets_the_wheel_that_bazel_built(clone, tmp_path):
    done = pip_wheel(clone, tmp_path / "made")
    assert done.returncode == 0, done.stdout + done.stderr
    built = environments.wheel()
    assert (tmp_path / "made" / built.name).read_bytes() == built.read_bytes()
    called, python = (clone / "called").read_text().splitlines()
    assert called == f"{clone} build //:wheel"
    assert pathlib.Path(python).parent == pathlib.Path(sys.executable).parent


def test_pip_fails_where_bazel_does(clone, tmp_path):
    (clone / "tools" / "bazel").write_text("#!/bin/sh\necho No compiler. >&2\nexit 7\n")
    done = pip_wheel(clone, tmp_path / "made")
    assert done.returncode != 0
    assert "No compiler." in done.stdout + done.stderr
    assert not [*(tmp_path / "made").glob("*.whl")]
