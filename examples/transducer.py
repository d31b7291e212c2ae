"""Decodes a transducer: whole, and as a stream whose text grows."""

import tempfile

import numpy as np

from examples import small
from oasr import engine


class TinyTransducer:
    """An encoder that gives its inputs; a predictor that knows pairs of words."""

    context_size = 1

    def encode(self, inputs):
        """Returns `[T, V]` evidence as it came."""
        return inputs

    def predict(self, contexts):
        """Returns `[N, V]` how well each label goes with the last word."""
        known = np.zeros((len(small.PIECES), len(small.PIECES)), np.float32)
        known[1:, 0] = 2.0  # Behind a word nothing may come for a while.
        known[1, 3] = known[2, 4] = 1.0  # "hello world", "yellow word".
        for word in range(1, len(small.PIECES)):  # A frame is heard once.
            known[word, [word, small.CONFUSED[word]]] = -9.0
        return known[contexts[:, -1]]

    def join(self, frames, predictions):
        """Returns `[N, V]` logits."""
        return np.log(frames) + predictions


def main() -> None:
    """Prints what a beam finds, and the partials of a stream."""
    frames = small.evidence([0, 1, 0, 0, 3, 0])
    with tempfile.TemporaryDirectory() as folder:
        fields = {
            "family": "transducer",
            "tokenizer": small.symbol_table(folder),
            "scores": "logits",
            "seconds_per_frame": small.SECONDS_PER_FRAME,
        }
        asked = {"n_best": 3, "word_timestamps": True}
        with engine.ASREngine(engine.EngineConfig(**fields), TinyTransducer()) as asr:
            [output] = asr.transcribe([engine.Request("utterance", frames, asked)])
        small.show(output)
        live = engine.EngineConfig(mode="streaming", **fields)
        with engine.ASREngine(live, TinyTransducer()) as asr:
            asr.add_request(engine.Request("stream", None))
            for start in range(0, len(frames), 2):
                asr.feed_chunk("stream", frames[start : start + 2])
                [partial] = asr.step()
                print(f"partial     {partial.stable_text}")


if __name__ == "__main__":
    main()
