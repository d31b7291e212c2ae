"""Clang-format, Google style, would change no C++ file."""

import pathlib
import sys

from tools.lint import lint


def test_every_file_is_formatted():
    program = str(pathlib.Path(sys.executable).with_name("clang-format"))
    files = lint.sources(".cc", ".h")
    lint.run(program, "--style=Google", "--dry-run", "--Werror", *files)
