"""Decodes a Paraformer: all tokens at once, timed by the fires of its predictor."""

import tempfile

from examples import small
from oasr import engine
from oasr.models import cif
from oasr.models import paraformer


class TinyParaformer:
    """Hears two words in any audio, whose inputs are the weights of its predictor."""

    def one_shot(self, inputs):
        """Returns scores per token, and where each fires."""
        return [self._one(weights) for weights in inputs]

    def _one(self, weights):
        peaks, total = [], 0.0
        for weight in weights:
            total += weight
            peaks.append(total)
            total -= total >= 1
        fires = cif.fire_positions(weights=weights, peaks=peaks)
        return paraformer.OneShot(
            scores=small.evidence([1, 3]), fires=fires, frame_count=len(weights)
        )


def main() -> None:
    """Prints the one hypothesis there is."""
    weights = [0.0, 0.25, 0.5, 0.5, 0.25, 0.0, 0.25, 0.25, 0.0]
    with tempfile.TemporaryDirectory() as folder:
        config = engine.EngineConfig(
            family="paraformer",
            tokenizer=small.symbol_table(folder),
            scores="probs",
            seconds_per_frame=small.SECONDS_PER_FRAME,
        )
        asked = {"word_timestamps": True}
        with engine.ASREngine(config, TinyParaformer()) as asr:
            [output] = asr.transcribe([engine.Request("utterance", weights, asked)])
    small.show(output)


if __name__ == "__main__":
    main()
