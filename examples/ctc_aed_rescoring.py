"""Rescores what CTC proposes: attention knows which words go together."""

import itertools
import tempfile

import numpy as np

from examples import small
from oasr import engine
from oasr.models import rescoring

_GO_TOGETHER = {(1, 3), (2, 4)}  # "hello world", "yellow word".


class TinyRescoring:
    """CTC scores as they came; both decoders know pairs of words."""

    def encode(self, inputs):
        """Returns the scores, and nothing to attend to."""
        return [rescoring.Encoded(scores=given, memory=None) for given in inputs]

    def left_to_right(self, memory, hypotheses):
        """Returns the log-probability of each word after the one before."""
        return [self._score(ids, list(itertools.pairwise(ids))) for ids in hypotheses]

    def right_to_left(self, memory, hypotheses):
        """Returns the log-probability of each word before the one after."""
        return [
            self._score(ids, list(itertools.pairwise(ids))[::-1]) for ids in hypotheses
        ]

    def _score(self, ids, pairs):
        probs = [0.2] * len(ids[:1])
        probs += [0.8 if pair in _GO_TOGETHER else 0.05 for pair in pairs]
        return np.log([*probs, 0.5])  # The end symbol.


def main() -> None:
    """Prints the hypotheses of CTC in the order that both prefer."""
    scores = small.evidence([0, 1, 1, 0, 0, 4, 0])
    scores[5, 3:] = scores[5, 3:].sum() / 2  # "world" or "word"? Both are as likely.
    with tempfile.TemporaryDirectory() as folder:
        config = engine.EngineConfig(
            family="ctc_aed_rescoring",
            tokenizer=small.symbol_table(folder),
            scores="probs",
            seconds_per_frame=small.SECONDS_PER_FRAME,
            decode_options={"ctc_weight": 0.5, "reverse_weight": 0.3},
        )
        asked = {"n_best": 3, "word_timestamps": True}
        with engine.ASREngine(config, TinyRescoring()) as asr:
            [output] = asr.transcribe([engine.Request("utterance", scores, asked)])
    small.show(output)


if __name__ == "__main__":
    main()
