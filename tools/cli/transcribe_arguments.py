"""What `oasr transcribe` takes."""

import argparse
import functools

from oasr import formats
from oasr.formats import language_names
from tools.cli import models_table
from tools.cli import numbers

_TASKS = ("transcribe", "translate")
# Far above what is of use; a slip of the finger is not to take all memory or, as so
# many threads do, end the process.
_MOST_HYPOTHESES = 1000
_MOST_THREADS = 1024


def add(parser: argparse.ArgumentParser) -> None:
    """Declares the arguments."""
    parser.add_argument(
        "audio",
        metavar="AUDIO",
        nargs="+",
        help="files of any format, rate and number of channels; - is stdin",
    )
    sizes = (f"{one.name} ({one.megabytes} MB)" for one in models_table.MODELS.values())
    parser.add_argument(
        "--model",
        metavar="DIR|NAME",
        default="tiny.en",
        help="the directory of a Whisper model as CTranslate2 has them, or a name:"
        f" {', '.join(sizes)}, which is downloaded when it is first wanted; default:"
        " %(default)s",
    )
    _add_what_is_said(parser)
    _add_search(parser)
    _add_results(parser)


def _add_what_is_said(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--language",
        metavar="CODE",
        type=language_names.code_of,
        help="of the speech, as en or english; default: what the model hears",
    )
    parser.add_argument(
        "--task",
        choices=_TASKS,
        default="transcribe",
        help="translate writes English; default: %(default)s",
    )
    parser.add_argument(
        "--prompt",
        metavar="TEXT",
        help="what was said before, or names and spellings that may occur",
    )


def _add_search(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--temperature",
        type=numbers.temperature,
        metavar="T",
        help="draw tokens at this temperature; default: the best ones, and others only"
        " where those make no sense",
    )
    parser.add_argument(
        "--beam_size",
        type=functools.partial(numbers.up_to, _MOST_HYPOTHESES),
        metavar="N",
        help="how wide to search; default: 5",
    )
    parser.add_argument(
        "--n_best",
        type=functools.partial(numbers.up_to, _MOST_HYPOTHESES),
        metavar="N",
        default=1,
        help="find N transcripts, which jsonl lists; default: %(default)s",
    )
    parser.add_argument(
        "--threads",
        type=functools.partial(numbers.up_to, _MOST_THREADS),
        metavar="N",
        help="how many to use; default: as many as there are processors",
    )


def _add_results(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--word_timestamps",
        action="store_true",
        help="time each word; ctm does so anyway, srt and vtt lay out better cues",
    )
    parser.add_argument(
        "--format",
        dest="formats",
        metavar="FORMAT,...",
        type=_formats,
        default=["txt"],
        help=f"one or more of {', '.join(formats.list_formats())}, or all;"
        " default: txt",
    )
    parser.add_argument(
        "--output_dir",
        metavar="DIR",
        help="write the results of AUDIO.wav whole to DIR/AUDIO.txt and so on; default:"
        " stdout, for one format",
    )


def _formats(text: str) -> list[str]:
    known = formats.list_formats()
    if text == "all":
        return known
    names = list(dict.fromkeys(text.split(",")))
    for name in names:
        if name not in known:
            raise argparse.ArgumentTypeError(
                f"{name!r} is none of {', '.join(known)} and all"
            )
    return names
