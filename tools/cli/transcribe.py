"""`oasr transcribe`: speech in, transcripts out."""

import argparse
from typing import TYPE_CHECKING

from oasr import engine
from oasr import formats
from tools.cli import command
from tools.cli import decode_arguments
from tools.cli import exits
from tools.cli import messages
from tools.cli import transcribe_arguments
from tools.cli import transcribe_results

if TYPE_CHECKING:
    from tools.cli import transcribe_recognizer

_DESCRIPTION = """\
Transcribes speech with a Whisper model. The transcript of each file goes to stdout, or
with --output_dir into files. A file that cannot be transcribed is named and the others
are done; an interrupt ends the transcript of a long one, and what there is of it is
written."""

_EXAMPLE = r"""
OASR transcribe talk.wav
OASR transcribe talk.wav --word_timestamps --format srt,jsonl --output_dir transcripts
cat talk.wav | OASR transcribe - --format vtt
"""


def _run(args: argparse.Namespace) -> int:
    from tools.cli import transcribe_recognizer  # No other command waits for it.

    if args.audio.count(transcribe_results.STDIN) > 1:
        raise ValueError("stdin can be read once; - was given more often.")
    writers = {name: _writer(name, args.task) for name in args.formats}
    words = args.word_timestamps or any(
        writer.needs_words and not writer.takes_segments for writer in writers.values()
    )
    failures = messages.Failures()
    with (
        decode_arguments.errors_in_flags(),
        transcribe_results.opened(args.output_dir, writers, args.audio) as results,
    ):
        recognizer = transcribe_recognizer.build(args, words=words)
        for place, source in enumerate(args.audio, start=1):
            _transcribe(recognizer, source, results, failures)
            if recognizer.stopped:
                _say_stopped(recognizer, source, left=len(args.audio) - place)
                return exits.INTERRUPTED
    return failures.exit_code


def _writer(name: str, task: str) -> "formats.Format":
    settings = {"task": task} if name == "verbose_json" else {}
    return formats.build_format(name, **settings)


def _transcribe(
    recognizer: "transcribe_recognizer.Recognizer",
    source: str,
    results: transcribe_results.Results,
    failures: messages.Failures,
) -> None:
    """Writes what is said in a file; what fails is named and counted."""
    name = transcribe_results.name_of(source)
    try:
        found = recognizer.transcribe(source)
    except (OSError, ValueError) as error:
        found = engine.RequestOutput.failed(name, exits.text_of(error))
    if found.error is not None:
        failures.add(name, decode_arguments.in_flags(found.error))
    if recognizer.stopped and not recognizer.done:
        return
    try:
        results.write(source, found)
    except ValueError as error:  # Of a format that cannot hold it.
        failures.add(name, decode_arguments.in_flags(str(error)))


def _say_stopped(
    recognizer: "transcribe_recognizer.Recognizer", source: str, *, left: int
) -> None:
    name = transcribe_results.name_of(source)
    written = "nothing of it is written"
    if recognizer.done:
        done = f"{recognizer.done:.1f} s of {recognizer.seconds:.1f} s"
        written = f"{done} of it are written"
    rest = f"; {left} more not begun" if left else ""
    messages.say(f"interrupted: {name}: {written}{rest}")


COMMAND = command.Command(
    name="transcribe",
    summary="write transcripts of audio",
    description=_DESCRIPTION,
    example=_EXAMPLE,
    add_arguments=transcribe_arguments.add,
    run=_run,
)
