"""Decodes a real utterance: transcript, alternatives, and words with times.

The scores are those of a CTC model for 7.4 seconds of LibriSpeech, recorded in the
source distribution of the PyPI package pyctcdecode; the model itself is not needed.
"""

import pathlib
import string
import sys
import tempfile

from rich import console as rich_console
from rich import table as rich_table

from oasr import engine
from oasr import tokenizers

# The labels of the recording: a space, the letters, an apostrophe; then the blank.
_PIECES = ["\u2581", *string.ascii_lowercase, "'"]
_SECONDS_PER_FRAME = 0.02
# Bazel lays the files of other repositories beside this one.
_RECORDING = pathlib.Path(__file__).parents[2] / "libri_logits" / "libri_logits.json"


def decode(scores: str) -> engine.RequestOutput:
    """Returns the transcript of a recording, five alternatives and timed words."""
    with tempfile.TemporaryDirectory() as folder:
        units = pathlib.Path(folder, "units.txt")
        rows = (f"{piece} {token_id}\n" for token_id, piece in enumerate(_PIECES))
        units.write_text("".join(rows), encoding="utf-8")
        config = engine.EngineConfig(
            family="ctc",
            tokenizer=tokenizers.TokenizerSpec(
                "symbol_table", {"table": str(units)}, {"special_ids": []}
            ),
            scores="logits",
            blank_id=len(_PIECES),
            seconds_per_frame=_SECONDS_PER_FRAME,
        )
        options = engine.DecodingOptions(n_best=5, word_timestamps=True)
        with engine.ASREngine(config) as transcriber:
            [output] = transcriber.transcribe(
                [engine.Request("libri", scores, options)]
            )
    return output


def show(output: engine.RequestOutput, console: rich_console.Console) -> None:
    """Prints an output."""
    console.print(f"\n{output.text}\n", style="bold", markup=False, highlight=False)

    alternatives = rich_table.Table("rank", "log-likelihood", "text", title="5 best")
    ranked = zip(output.scores, output.nbest_texts or [], strict=True)
    for rank, (score, text) in enumerate(ranked, start=1):
        alternatives.add_row(str(rank), f"{score:.3f}", text)
    console.print(alternatives)

    words = rich_table.Table("word", title="words")
    for heading in ("start [s]", "end [s]", "confidence"):
        words.add_column(heading, justify="right")
    for word in output.words or []:
        times = (f"{word.start:.2f}", f"{word.end:.2f}", f"{word.confidence:.3f}")
        words.add_row(word.word, *times)
    console.print(words)


def main() -> int:
    """Decodes and prints; returns the exit code."""
    console = rich_console.Console()
    console.print(
        "CTC scores of real speech: 371 frames of 20 ms, 29 labels. The file's rows are"
        " rounded log-probabilities, and not all sum to one, so they are read as"
        " logits."
    )
    output = decode(str(_RECORDING))
    if output.error:
        print(output.error, file=sys.stderr)
        return 1
    show(output, console)
    return 0


if __name__ == "__main__":
    sys.exit(main())
