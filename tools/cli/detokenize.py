"""`oasr detokenize`: lines of token ids in, lines of text out."""

import argparse
import json

from oasr import tokenizers
from oasr.formats import txt
from tools.cli import command
from tools.cli import detokenize_stream
from tools.cli import id_lines
from tools.cli import inputs
from tools.cli import messages
from tools.cli import output
from tools.cli import vocabulary

_DESCRIPTION = """\
Reads lines of token ids, separated by blanks or as a JSON array, and writes the text of
each on a line. A line that cannot be read is named, and its text is an empty line (null
with --json). Line breaks within a text are written as blanks, so that lines stay
aligned; --json keeps them."""

_EXAMPLE = r"""
mkdir -p /tmp/oasr
printf '%s\n' '<blank> 0' '<unk> 1' '▁he 2' 'llo 3' '<sos/eos> 4' > /tmp/oasr/units.txt
printf '%s\n' '2 3 4' '[2, 3]' | OASR detokenize --checkpoint /tmp/oasr
"""


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    vocabulary.add_arguments(parser)
    form = parser.add_mutually_exclusive_group()
    form.add_argument(
        "--stream",
        action="store_true",
        help="write the text that each id settles as soon as the id is read",
    )
    form.add_argument(
        "--json", action="store_true", help="write each text as a JSON string"
    )
    output.add_argument(parser)
    inputs.add_argument(parser, "lines of ids")


def _run(args: argparse.Namespace) -> int:
    tokenizer = vocabulary.build(args)
    failures = messages.Failures()
    with output.opened(args.output) as results:
        if args.stream:
            name = inputs.name_of(args.file)
            stream = detokenize_stream.Stream(tokenizer, results, failures, name)
            for chunk in inputs.chunks(args.file):
                stream.feed(chunk)
            stream.end()
        else:
            _write_lines(args, tokenizer, results, failures)
    return failures.exit_code


def _write_lines(
    args: argparse.Namespace,
    tokenizer: "tokenizers.Tokenizer",
    results: output.Results,
    failures: messages.Failures,
) -> None:
    broken = 0
    for place, line in inputs.lines(args.file):
        text: str | None = None
        try:
            text = tokenizer.decode(id_lines.parse(line))
        except ValueError as error:
            failures.add(place, str(error))
        if args.json:
            results.write(json.dumps(text, ensure_ascii=False) + "\n")
            continue
        shown = txt.one_line(text or "")
        broken += shown != (text or "")
        results.write(shown + "\n")
    if broken:
        messages.say(
            f"note: {broken} texts have line breaks, which were written as blanks;"
            " --json keeps them"
        )


COMMAND = command.Command(
    name="detokenize",
    summary="write the text of token ids",
    description=_DESCRIPTION,
    example=_EXAMPLE,
    add_arguments=_add_arguments,
    run=_run,
)
