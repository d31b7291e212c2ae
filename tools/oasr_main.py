"""The command line: ./tools/bazel run //tools:oasr -- COMMAND."""

import os
import sys

from absl import app

from tools.cli import exits
from tools.cli import main as commands


def main() -> int:
    """Does what the command line says, where the user stands; returns the exit code."""
    os.chdir(os.environ.get("BUILD_WORKING_DIRECTORY", "."))
    app.run(commands.execute, flags_parser=commands.parse)
    return exits.OK


if __name__ == "__main__":
    # This file cannot be called oasr.py: it would hide the package of that name.
    sys.exit(exits.code_of(main))
