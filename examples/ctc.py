"""Decodes CTC scores: the best path, alternatives of a beam, timed words."""

import tempfile

from examples import small
from oasr import engine


def main() -> None:
    """Prints what a beam finds in the scores of a few frames."""
    scores = small.evidence([0, 1, 1, 0, 0, 3, 3, 0])
    with tempfile.TemporaryDirectory() as folder:
        config = engine.EngineConfig(
            tokenizer=small.symbol_table(folder),
            scores="probs",
            seconds_per_frame=small.SECONDS_PER_FRAME,
        )
        asked = {"n_best": 3, "word_timestamps": True}
        with engine.ASREngine(config) as asr:
            [output] = asr.transcribe([engine.Request("utterance", scores, asked)])
    small.show(output)


if __name__ == "__main__":
    main()
