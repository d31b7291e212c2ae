"""The vocabulary that a command works with: of a checkpoint, or of a spec."""

import argparse
import os

from oasr import checkpoints
from oasr import tokenizers
from oasr.tokenizers import tokenizer_json


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares `--checkpoint` and `--spec`, of which one is needed."""
    one = parser.add_mutually_exclusive_group(required=True)
    one.add_argument(
        "--checkpoint",
        metavar="DIR",
        help="a directory as it was downloaded, or one that `convert` wrote",
    )
    one.add_argument(
        "--spec",
        metavar="FILE.json",
        help="a TokenizerSpec as JSON, with kind, files and options; its files are"
        " found from where it lies",
    )


def read_spec(path: str) -> "tokenizers.TokenizerSpec":
    """Returns the spec in a JSON file, its files found from where it lies.

    Raises:
      AssetError: if it is absent, malformed or no spec.
    """
    fields = tokenizer_json.read_object(path)
    try:
        spec = tokenizers.TokenizerSpec.from_dict(fields)
    except (TypeError, ValueError, RecursionError) as error:
        raise tokenizers.AssetError(f"{path}: {error}") from error
    folder = os.path.dirname(path)
    files = {role: os.path.join(folder, name) for role, name in spec.files.items()}
    return tokenizers.TokenizerSpec(spec.kind, files, spec.options)


def build(args: argparse.Namespace) -> "tokenizers.Tokenizer":
    """Returns the tokenizer that the arguments name.

    Raises:
      AssetError: if a file is absent or malformed, or no converter knows the
        directory.
      ImportError: if the kind needs a library that is not installed.
      UnknownKindError: if there is no such kind.
    """
    if args.spec is not None:
        spec, place = read_spec(args.spec), args.spec
    else:
        spec = checkpoints.convert_checkpoint(args.checkpoint).tokenizer
        place = args.checkpoint
    try:
        return tokenizers.build_tokenizer(spec)
    except tokenizers.AssetError:
        raise
    except (TypeError, ValueError) as error:  # E.g. an option of another kind.
        raise tokenizers.AssetError(f"{place}: {error}") from error
