"""`oasr inspect`: what a directory is, why, and what looks wrong in it."""

import argparse
import json

from oasr import checkpoints
from tools.cli import command
from tools.cli import exits
from tools.cli import inspect_page
from tools.cli import output

_DESCRIPTION = """\
Says what the directory of a checkpoint is and why; its tokenizer, files, sizes and
special ids; and what looks wrong, each with what would put it right. The exit code is 1
if anything of that is an error, by which texts come out wrong."""

_EXAMPLE = r"""
mkdir -p /tmp/oasr
printf '%s\n' '<blank> 0' '<unk> 1' '▁he 2' 'llo 3' '<sos/eos> 4' > /tmp/oasr/units.txt
OASR inspect /tmp/oasr
"""


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("directory", metavar="DIR", help="as it was downloaded")
    parser.add_argument(
        "--json", action="store_true", help="write all of it as a JSON object"
    )
    add_converter(parser)
    output.add_argument(parser)


def add_converter(parser: argparse.ArgumentParser) -> None:
    """Declares `--converter`."""
    parser.add_argument(
        "--converter",
        metavar="NAME",
        help="read the directory as this converter does, whatever the others claim",
    )


def _run(args: argparse.Namespace) -> int:
    with output.opened(args.output) as results:
        found = checkpoints.inspect_apart(args.directory, converter=args.converter)
        if args.json:
            page = json.dumps(found.to_dict(), ensure_ascii=False, indent=1) + "\n"
        else:
            page = inspect_page.page(found)
        results.write(page)
    wrong = any(finding.severity == "error" for finding in found.findings)
    return exits.FAILED if wrong else exits.OK


COMMAND = command.Command(
    name="inspect",
    summary="say what a directory is, and what looks wrong",
    description=_DESCRIPTION,
    example=_EXAMPLE,
    add_arguments=_add_arguments,
    run=_run,
)
