"""`oasr convert`: a directory as downloaded becomes one with an `oasr.json`."""

import argparse
import os

from oasr import checkpoints
from tools.cli import command
from tools.cli import exits
from tools.cli import inspect
from tools.cli import messages
from tools.cli import output

_DESCRIPTION = """\
Writes oasr.json, which says what a checkpoint is, and the files of its tokenizer beside
it; prints the path of oasr.json. Nothing else is overwritten. The other commands and
the engine read the new directory without guessing, and refuse it if a file changed."""

_EXAMPLE = r"""
mkdir -p /tmp/oasr
printf '%s\n' '<blank> 0' '<unk> 1' '▁he 2' 'llo 3' '<sos/eos> 4' > /tmp/oasr/units.txt
OASR convert /tmp/oasr --output /tmp/oasr_converted
"""


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("directory", metavar="DIR", help="as it was downloaded")
    parser.add_argument(
        "--output", metavar="DIR", required=True, help="where to write; may be new"
    )
    inspect.add_converter(parser)


def _run(args: argparse.Namespace) -> int:
    converted = checkpoints.convert_apart(args.directory, converter=args.converter)
    converted.save(args.output)
    with output.opened(None) as results:
        results.write_path(os.path.join(args.output, "oasr.json"))
    messages.say(
        f"{args.directory} is a checkpoint of family {converted.family!r} with a"
        f" tokenizer of kind {converted.tokenizer.kind!r}"
    )
    return exits.OK


COMMAND = command.Command(
    name="convert",
    summary="write what a directory is, with the files of its tokenizer",
    description=_DESCRIPTION,
    example=_EXAMPLE,
    add_arguments=_add_arguments,
    run=_run,
)
