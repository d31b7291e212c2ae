"""Fresh Python environments for the wheel, without a network.

What the wheel needs comes from the environment that runs the test: links to the very
files of the distributions that its metadata asks for, and to no others.
"""

from importlib import metadata
import os
import pathlib
import subprocess
import sys
import zipfile

from packaging import metadata as core_metadata
from packaging import requirements
from packaging import utils

_ROOT = pathlib.Path(__file__).parents[2]
NAME = "oasr-server"


def wheel():
    """Returns the path of the wheel that Bazel built."""
    [path] = (_ROOT / "wheel").iterdir()
    return path


def described(path):
    """Returns the metadata of a wheel, by `packaging`, which refuses what is wrong."""
    with zipfile.ZipFile(path) as archive:
        [name] = [n for n in archive.namelist() if n.endswith(".dist-info/METADATA")]
        return core_metadata.Metadata.from_email(archive.read(name))


def needed(path, extras=()):
    """Returns the names of all distributions that a wheel needs with these extras."""
    return _closure(described(path).requires_dist, extras)


def _closure(wanted, extras):
    found, pending = set(), [(text, ("", *extras)) for text in map(str, wanted)]
    seen = set()
    while pending:
        text, extras = pending.pop()
        asked = requirements.Requirement(text)
        if asked.marker and not any(
            asked.marker.evaluate({"extra": e}) for e in extras
        ):
            continue
        name = utils.canonicalize_name(asked.name)
        if (name, *sorted(asked.extras)) in seen:
            continue
        seen.add((name, *sorted(asked.extras)))
        if name == NAME:  # An extra that includes another.
            pending += [(str(one), ("", *asked.extras)) for one in wanted]
            continue
        found.add(name)
        requires = metadata.requires(name) or []
        pending += [(one, ("", *asked.extras)) for one in requires]
    return found


class Environment:
    """A venv of its own.

    Attributes:
      python: its interpreter.
      scripts: where its programs are.
      site: where its packages are.
    """

    def __init__(self, folder):
        subprocess.run(
            [sys.executable, "-m", "venv", "--without-pip", folder], check=True
        )
        self.scripts = folder / "bin"
        self.python = self.scripts / "python"
        [self.site] = folder.glob("lib/python3*/site-packages")
        self._home = folder

    def link(self, names):
        """Makes installed distributions importable here."""
        for name in names:
            distribution = metadata.distribution(name)
            parts = {file.parts[0] for file in distribution.files}
            for part in parts - {"..", "__pycache__"}:
                (self.site / part).symlink_to(distribution.locate_file(part))

    def run(self, *command, cwd, stdin="", **variables):
        """Runs a program to its end, with nothing of the test's environment."""
        path = os.pathsep.join([str(self.scripts), os.environ["PATH"]])
        return subprocess.run(
            command,
            cwd=cwd,
            input=stdin,
            env={"PATH": path, "HOME": str(self._home), **variables},
            capture_output=True,
            encoding="utf-8",
            timeout=120,
            check=False,
        )

    def python_says(self, program, *arguments, cwd):
        """Returns what a Python program prints; it must not fail."""
        done = self.run(self.python, "-c", program, *arguments, cwd=cwd)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def pip(self, *arguments):
        """Runs pip for this environment, without a network."""
        pip = [sys.executable, "-m", "pip", "--python", self.python]
        pip += ["--disable-pip-version-check", "--no-cache-dir"]
        return self.run(*pip, *arguments, cwd=self._home, PIP_NO_INDEX="1")

    def install(self, requirement):
        """Installs a wheel, for which all that it needs must be here."""
        done = self.pip("install", str(requirement))
        assert done.returncode == 0, done.stderr
