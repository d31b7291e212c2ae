"""Writes with an attention decoder, and times the words by where it looks."""

import tempfile

import numpy as np

from examples import small
from oasr import engine

_END, _START = 0, 4
_NEXT = {_START: 1, 1: 3, 3: _END, 2: 3}  # "hello world", and the end.


class TinyDecoder:
    """Knows which word follows which; looks at eight frames for each."""

    def encode(self, inputs):
        """Returns the audio as it came: only its length counts."""
        return list(inputs)

    def prefill(self, encoded, prompts):
        """Returns what follows the prompts; a state is the last token."""
        states = [int(prompt[-1]) for prompt in prompts]
        return self._scores(states), states

    def step(self, states, ids):
        """Returns what follows the tokens."""
        states = ids.tolist()
        return self._scores(states), states

    def select(self, states, rows):
        """Returns the states of rows."""
        return [states[row] for row in rows]

    def attention(self, encoded, prompt, ids):
        """Returns one head that looks at eight frames for each token."""
        found = np.full((1, len(ids) + 1, len(encoded)), 0.01)
        for row in range(len(ids) + 1):
            found[0, row, 8 * row : 8 * row + 8] = 1.0
        return found

    def _scores(self, states):
        return np.stack([small.evidence([_NEXT.get(s, _END)])[0] for s in states])


def main() -> None:
    """Prints a transcript, its alternatives and its words."""
    with tempfile.TemporaryDirectory() as folder:
        config = engine.EngineConfig(
            family="aed",
            tokenizer=small.symbol_table(folder),
            scores="probs",
            seconds_per_frame=small.SECONDS_PER_FRAME,
            decode_options={"start_ids": [_START], "end_ids": [_END]},
        )
        asked = {"n_best": 3, "word_timestamps": True, "max_new_tokens": 5}
        audio = np.zeros(24)
        with engine.ASREngine(config, TinyDecoder()) as asr:
            [output] = asr.transcribe([engine.Request("utterance", audio, asked)])
    small.show(output)


if __name__ == "__main__":
    main()
