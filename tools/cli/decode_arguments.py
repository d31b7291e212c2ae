"""What `oasr decode` takes, and the engine that it describes."""

import argparse
from collections.abc import Iterator
import contextlib
import re
from typing import Any

from oasr import checkpoints
from oasr import engine
from oasr import formats
from oasr import tokenizers
from tools.cli import decode_models
from tools.cli import numbers
from tools.cli import output
from tools.cli import vocabulary

_SCORE_FORMS = ("log_probs", "probs", "logits")

# How settings are called in messages of the engine, and how here.
_IN_FLAGS = (
    (re.compile(r"(?:EngineConfig|DecodingOptions)\.(\w+)"), r"--\1"),
    (re.compile(r"decode_options\['(\w+)'\]"), r"--\1"),
    (re.compile(r"\bscores='(\w+)'"), r"--scores \1"),
    (re.compile(r"\bword_timestamps=True"), "word timings"),
)


def add(parser: argparse.ArgumentParser) -> None:
    """Declares the arguments."""
    parser.add_argument(
        "recordings", metavar="SCORES", nargs="+", help=".npy, .npz or .json files"
    )
    vocabulary.add_arguments(parser)
    parser.add_argument(
        "--scores",
        choices=_SCORE_FORMS,
        default="log_probs",
        help="the form of the scores; default: %(default)s",
    )
    parser.add_argument(
        "--blank_id",
        type=numbers.count,
        metavar="N",
        help="the label that stands for no token; default: the checkpoint's, else 0",
    )
    parser.add_argument(
        "--beam_size",
        type=numbers.positive,
        metavar="N",
        help="search a beam of N prefixes; default: the best label of each frame",
    )
    parser.add_argument(
        "--n_best",
        type=numbers.positive,
        metavar="N",
        default=1,
        help="find N transcripts, which jsonl lists; default: %(default)s",
    )
    _add_times(parser)
    parser.add_argument(
        "--format",
        choices=formats.list_formats(),
        default="txt",
        help="of the results; default: %(default)s",
    )
    output.add_argument(parser)


def _add_times(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--word_timestamps",
        action="store_true",
        help="time each word, for jsonl and verbose_json; ctm, srt, tsv and vtt do so"
        " anyway",
    )
    parser.add_argument(
        "--seconds_per_frame",
        type=numbers.duration,
        metavar="S",
        help="between two frames of scores; default: the checkpoint's, if it says so",
    )


def build_engine(args: argparse.Namespace) -> "engine.ASREngine":
    """Returns the engine that the arguments describe.

    Raises:
      AssetError: if a file is absent or malformed.
      ValueError: for what the family of the checkpoint cannot do.
    """
    settings: dict[str, Any] = {"scores": args.scores}
    for name in ("blank_id", "seconds_per_frame"):
        if getattr(args, name) is not None:
            settings[name] = getattr(args, name)
    if args.beam_size is not None:
        settings["decode_options"] = {
            "search": "prefix_beam",
            "beam_size": args.beam_size,
        }
    if args.spec is not None:
        settings["tokenizer"] = vocabulary.read_spec(args.spec)
        ids = vocabulary.build(args).vocab_size
        config = engine.EngineConfig(**settings)
        return engine.ASREngine(config, decode_models.Scores(ids=ids))
    found = checkpoints.convert_checkpoint(args.checkpoint)
    try:
        scores = decode_models.Scores(labels=found.vocab_size)
        model = decode_models.of_family(found.family, scores)
        if args.beam_size is not None and found.family != "ctc":
            raise ValueError(f"--beam_size is for CTC, its family is {found.family}.")
        return engine.ASREngine.from_checkpoint(
            args.checkpoint, model=model, **settings
        )
    except tokenizers.AssetError:
        raise
    except (TypeError, ValueError) as error:  # TypeError: of a family of its own.
        raise ValueError(f"{args.checkpoint}: {error}") from error


def options(args: argparse.Namespace, *, needs_words: bool) -> "engine.DecodingOptions":
    """Returns what each request asks for."""
    words = args.word_timestamps or needs_words
    return engine.DecodingOptions(n_best=args.n_best, word_timestamps=words)


@contextlib.contextmanager
def errors_in_flags() -> Iterator[None]:
    """Lets errors of settings name flags, as nobody sees an EngineConfig here."""
    try:
        yield
    except ValueError as error:
        told = in_flags(str(error))
        if told == str(error):
            raise
        raise ValueError(told) from error


def in_flags(text: str) -> str:
    """Returns a message of the engine with flags in place of settings."""
    for setting, flag in _IN_FLAGS:
        text = setting.sub(flag, text)
    return text
