"""Clang-format, Google style, would change no C++ file."""

import pathlib
import subprocess
import sys

from tools.lint import lint


def test_every_file_is_formatted():
    program = pathlib.Path(sys.executable).with_name("clang-format")
    subprocess.run(
        [
            program,
            "--style=Google",
            "--dry-run",
            "--Werror",
            *lint.sources(".cc", ".h"),
        ],
        cwd=lint.ROOT,
        check=True,
    )
