"""`oasr score`: how far transcripts are from what was said."""

import argparse
from collections.abc import Sequence
import dataclasses
import shutil

from oasr.formats import json_text
from tools.cli import command
from tools.cli import exits
from tools.cli import inputs
from tools.cli import output
from tools.cli import score_counts
from tools.cli import score_normal
from tools.cli import score_page
from tools.cli import score_texts

_DESCRIPTION = """\
Compares transcripts with references: counts substitutions, deletions and insertions of
the alignment with the fewest, and shows it. The word error rate is their number by that
of the words of the reference; of characters with --cer. Line k of HYP belongs to line k
of REF; with ids in both, ids say what belongs together: JSON lines (.jsonl, as
`oasr transcribe` and `oasr decode` write them) have a request_id or an id beside the
text, lines of text begin with one if --ids says so. The path of an audio file is also
found by its name without folder and suffix."""

_EXAMPLE = r"""
mkdir -p /tmp/oasr
printf '%s\n' 'ever tried' 'ever failed no matter' > /tmp/oasr/ref.txt
printf '%s\n' 'ever tried' 'never failed matter' > /tmp/oasr/hyp.txt
OASR score /tmp/oasr/ref.txt /tmp/oasr/hyp.txt
"""


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("reference", metavar="REF", help="what was said; - is stdin")
    parser.add_argument(
        "hypothesis", metavar="HYP", help="what was recognised; - is stdin"
    )
    parser.add_argument(
        "--cer",
        action="store_true",
        help="compare characters, blanks among them, and not words",
    )
    parser.add_argument(
        "--normalize",
        choices=score_normal.NAMES,
        default="none",
        help="basic: letter case, compatible forms (NFKC) and punctuation do not count,"
        " but for apostrophes within words; default: %(default)s",
    )
    parser.add_argument(
        "--ids", action="store_true", help="each line of text begins with an id"
    )
    parser.add_argument(
        "--alignment",
        choices=("errors", "all", "none"),
        default="errors",
        help="which utterances to show; default: those with %(default)s",
    )
    parser.add_argument(
        "--json", action="store_true", help="write one object with all of it"
    )
    output.add_argument(parser)


def _run(args: argparse.Namespace) -> int:
    pairs = _pairs(args)
    if not any(pair.reference for pair in pairs):
        raise ValueError(
            f"{inputs.name_of(args.reference)}: there are no words in it, so there is"
            " no rate; expected at least one."
        )
    scored = score_counts.score(pairs, characters=args.cer)
    with output.opened(args.output) as results:
        if args.json:
            results.write(_json(scored, args))
        else:
            _write_page(scored, args, results)
    return exits.OK


def _pairs(args: argparse.Namespace) -> list[score_texts.Pair]:
    paths = (args.reference, args.hypothesis)
    if paths == ("-", "-"):
        raise ValueError("REF and HYP are both -; stdin can be only one of them.")
    texts = [score_texts.read(path, ids=args.ids) for path in paths]
    return [
        dataclasses.replace(
            pair,
            reference=score_normal.normalized(pair.reference, args.normalize),
            hypothesis=score_normal.normalized(pair.hypothesis, args.normalize),
        )
        for pair in score_texts.paired(paths, *texts)
    ]


def _write_page(
    scored: Sequence[score_counts.Scored],
    args: argparse.Namespace,
    results: output.Results,
) -> None:
    width = 80
    if output.is_terminal(args.output):
        width = shutil.get_terminal_size().columns
    for one in scored:
        if args.alignment == "all" or (args.alignment == "errors" and one.errors):
            page = score_page.alignment(one, characters=args.cer, width=width)
            results.write(page + "\n")
    results.write(score_page.summary(scored, characters=args.cer))


def _json(scored: Sequence[score_counts.Scored], args: argparse.Namespace) -> str:
    fields = {
        "metric": "cer" if args.cer else "wer",
        "normalize": args.normalize,
        **_counts(score_counts.total(scored)),
        "utterances": [
            {
                "id": one.name,
                **_counts(one),
                "alignment": [dataclasses.asdict(step) for step in one.steps],
            }
            for one in scored
        ],
    }
    return json_text.line(fields)


def _counts(scored: score_counts.Scored) -> dict[str, float | None]:
    return {
        "rate": scored.rate,
        "reference": scored.expected,
        "hits": scored.count(score_counts.EQUAL),
        "substitutions": scored.count(score_counts.SUBSTITUTE),
        "deletions": scored.count(score_counts.DELETE),
        "insertions": scored.count(score_counts.INSERT),
    }


COMMAND = command.Command(
    name="score",
    summary="compare transcripts with references: WER, CER and alignments",
    description=_DESCRIPTION,
    example=_EXAMPLE,
    add_arguments=_add_arguments,
    run=_run,
)
