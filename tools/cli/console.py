"""The program, as a script on the user's PATH calls it."""

from absl import app

from tools.cli import exits
from tools.cli import main as commands


def main() -> int:
    """Does what the command line says; returns the exit code."""
    return exits.code_of(run)


def run() -> int:
    """Does the same, and lets errors and absl's exits through."""
    exits.heed_signals()
    app.run(commands.execute, flags_parser=commands.parse)
    return exits.OK
