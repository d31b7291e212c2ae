"""`oasr decode`: recorded scores in, transcripts out."""

import argparse
from collections.abc import Iterator

from oasr import engine
from oasr import formats
from oasr.models import recorded
from tools.cli import command
from tools.cli import decode_arguments
from tools.cli import exits
from tools.cli import messages
from tools.cli import output
from tools.cli import progress

_DESCRIPTION = """\
Decodes recorded scores: of CTC models [T, V], T frames of V labels, of Paraformers
[U, V], a row per token, whose words have no times. .npy and .json files hold one
utterance, .npz files one per array. A recording that cannot be decoded is named and
the others are done; in txt its line is empty, in jsonl it has an error. srt, vtt, tsv
and verbose_json hold one recording. Other families need their network."""

_EXAMPLE = r"""
mkdir -p /tmp/oasr
printf '%s\n' '<blank> 0' '<unk> 1' '▁he 2' 'llo 3' '<sos/eos> 4' > /tmp/oasr/units.txt
echo '[[0, 0, 9, 0, 0], [0, 0, 0, 9, 0], [9, 0, 0, 0, 0]]' > /tmp/oasr/scores.json
OASR decode --checkpoint /tmp/oasr --scores logits \
  --seconds_per_frame 0.04 --format srt /tmp/oasr/scores.json
"""

# What is to be decoded: its name, and why it cannot be.
_Recording = tuple[str, str | None]


def _run(args: argparse.Namespace) -> int:
    writer = formats.build_format(args.format)
    recordings = list(_recordings(args.recordings))
    if len(recordings) != 1 and not writer.holds_many:
        raise ValueError(
            f"The format {args.format} holds one recording, as its times count from the"
            f" start of the audio, and {len(recordings)} were given; decode each on its"
            " own, or take --format jsonl."
        )
    failures = messages.Failures()
    with (
        decode_arguments.errors_in_flags(),
        decode_arguments.build_engine(args) as decoder,
        output.opened(args.output) as results,
    ):
        options = decode_arguments.options(args, needs_words=writer.needs_words)
        waiting = writer.header()
        for name, reason in progress.over(recordings, args.output):
            found = _decode(decoder, name, reason, options)
            if found.error is not None:
                # Nobody knows of a model here: it is the file that was read.
                said = found.error.removeprefix("model: ")
                failures.add(name, decode_arguments.in_flags(said))
            if found.error is None or writer.holds_many:
                results.write(waiting + writer.render(found))
                waiting = ""
        if not failures.count:
            results.write(waiting)
        results.keep = failures.count < max(len(recordings), 1)
    return failures.exit_code


def _recordings(paths: list[str]) -> Iterator[_Recording]:
    """Yields the recordings of each file, of one that cannot be read the file."""
    for path in paths:
        try:
            names = recorded.list_recordings(path)
            if not names:
                messages.say(f"note: {path} holds no recordings")
            for name in names:
                yield name, None
        except (OSError, ValueError) as error:
            yield path, exits.text_of(error)


def _decode(
    decoder: "engine.ASREngine",
    name: str,
    reason: str | None,
    options: "engine.DecodingOptions",
) -> "engine.RequestOutput":
    if reason is not None:
        return engine.RequestOutput.failed(name, reason)
    (found,) = decoder.transcribe([engine.Request(name, name, options)])
    return found


COMMAND = command.Command(
    name="decode",
    summary="write transcripts of recorded scores",
    description=_DESCRIPTION,
    example=_EXAMPLE,
    add_arguments=decode_arguments.add,
    run=_run,
)
