"""The commands of the program, and the one that was asked for.

Libraries load when a command runs that needs them: the annotations that would load
one are in quotes.
"""

import argparse
from collections.abc import Sequence
import sys
from typing import Any

from absl.flags import argparse_flags

from tools.cli import convert
from tools.cli import decode
from tools.cli import detokenize
from tools.cli import encode
from tools.cli import exits
from tools.cli import inspect
from tools.cli import messages
from tools.cli import output
from tools.cli import score
from tools.cli import transcribe
from tools.cli import versions

_COMMANDS = (
    transcribe.COMMAND,
    score.COMMAND,
    inspect.COMMAND,
    convert.COMMAND,
    detokenize.COMMAND,
    encode.COMMAND,
    decode.COMMAND,
)
_DESCRIPTION = """\
Speech to transcripts, token ids to text and back, recorded scores to transcripts.

Relative paths start where you stand. Results go to stdout, or whole into --output;
messages go to stderr. The exit code is 0 if all went well, 1 if anything failed (it is
named, and the rest is done), 2 for a wrong command line, 130 after an interrupt."""


class _Parser(argparse_flags.ArgumentParser):
    """A parser whose pages are never lost unnoticed, e.g. on a full disk."""

    def _print_message(self, message: str, file: Any = None) -> None:
        if file is not None and file is sys.stdout:
            with output.naming("stdout"):
                file.write(message)
        else:
            super()._print_message(message, file)


class _Version(argparse.Action):
    """Prints the versions, which are looked up only when they are asked for."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any, **__: Any) -> None:
        print(versions.page())
        parser.exit()


def parse(argv: Sequence[str]) -> argparse.Namespace:
    """Returns the arguments of a command line.

    Args:
      argv: the program's name and its arguments.

    Raises:
      SystemExit: after a page of help or of versions, or for a wrong command line.
    """
    parser = _Parser(  # type: ignore[no-untyped-call]
        prog="oasr",
        description=_DESCRIPTION,
        epilog="`oasr COMMAND --help` shows an example of each.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--version", action=_Version, nargs=0, help="print what this stands on"
    )
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for command in _COMMANDS:
        command.add_to(commands)
    args: argparse.Namespace = parser.parse_args(argv[1:])
    return args


def execute(args: argparse.Namespace) -> int:
    """Does what was asked; returns the exit code."""
    messages.show_log()
    return exits.code_of(lambda: args.run(args))


def run(arguments: Sequence[str]) -> int:
    """Parses and does; returns the exit code.

    Args:
      arguments: those behind the program's name.
    """
    return exits.code_of(lambda: execute(parse(["oasr", *arguments])))
