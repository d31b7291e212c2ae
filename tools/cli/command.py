"""The contract of commands: what each one is called, takes and does."""

import argparse
from collections.abc import Callable
import dataclasses
from typing import Any

# How the examples call the program: an installed one by its name.
_INSTALLED = __name__.startswith("oasr.")
PROGRAM = "oasr" if _INSTALLED else "./tools/bazel run //tools:oasr --"


@dataclasses.dataclass(frozen=True)
class Command:
    """One command of the program.

    Attributes:
      name: what the user types.
      summary: what it does, for the list of commands.
      description: what it does, what it reads and writes.
      example: lines for a shell that work when pasted.
      add_arguments: declares what it takes.
      run: does it; returns the exit code.
    """

    name: str
    summary: str
    description: str
    example: str
    add_arguments: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], int]

    def add_to(self, commands: Any) -> None:
        """Adds the command to what a parser's `add_subparsers` returned."""
        example = self.example.replace("OASR", PROGRAM).strip().replace("\n", "\n  ")
        parser = commands.add_parser(
            self.name,
            help=self.summary,
            description=self.description,
            epilog=f"example:\n  {example}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        self.add_arguments(parser)
        parser.set_defaults(run=self.run)
