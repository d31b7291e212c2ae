"""`oasr encode`: lines of text in, JSON arrays of token ids out."""

import argparse
import json

from oasr import tokenizers
from tools.cli import command
from tools.cli import inputs
from tools.cli import messages
from tools.cli import output
from tools.cli import vocabulary

_DESCRIPTION = """\
Reads lines of text and writes the token ids of each as a JSON array on a line. A line
that cannot be read is named, and null stands in its place."""

_EXAMPLE = r"""
mkdir -p /tmp/oasr_characters
echo '["<blank>", "<s>", "</s>", "你", "好", "hel@@", "lo", "<unk>"]' \
  > /tmp/oasr_characters/tokens.json
echo '你好 hello' | OASR encode --checkpoint /tmp/oasr_characters
"""


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    vocabulary.add_arguments(parser)
    parser.add_argument(
        "--split_special_tokens",
        action="store_true",
        help="read names of control tokens as any other text; what users typed is"
        " encoded so",
    )
    parser.add_argument(
        "--json", action="store_true", help="read each line as a JSON string"
    )
    output.add_argument(parser)
    inputs.add_argument(parser, "lines of text")


def _run(args: argparse.Namespace) -> int:
    tokenizer = vocabulary.build(args)
    if not tokenizer.supports_encode:
        _refuse(args, tokenizer)
    failures = messages.Failures()
    with output.opened(args.output) as results:
        for place, line in inputs.lines(args.file):
            ids: list[int] | None = None
            try:
                text = _text(line, is_json=args.json)
                ids = tokenizer.encode(
                    text, split_special_tokens=args.split_special_tokens
                )
            except ValueError as error:
                failures.add(place, str(error))
            results.write(json.dumps(ids) + "\n")
    return failures.exit_code


def _text(line: bytes, *, is_json: bool) -> str:
    text = inputs.text_of(line)
    if not is_json:
        return text
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"expected a JSON string: {error}.") from error
    if not isinstance(found, str):
        raise ValueError(f"expected a JSON string, found {text[:40]!r}.")
    return found


def _refuse(args: argparse.Namespace, tokenizer: "tokenizers.Tokenizer") -> None:
    """Raises what the kind itself says of text that it cannot encode."""
    try:
        tokenizer.encode("")
    except NotImplementedError as error:
        place = args.spec or args.checkpoint
        raise tokenizers.AssetError(f"{place}: {error}") from error


COMMAND = command.Command(
    name="encode",
    summary="write the token ids of text",
    description=_DESCRIPTION,
    example=_EXAMPLE,
    add_arguments=_add_arguments,
    run=_run,
)
