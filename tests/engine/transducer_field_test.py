"""Published hypotheses with their times, emitted again by a transducer.

Runs where OASR_FIELD_DATA names a folder with the results.
"""

import json
import os
import pathlib
import random

import numpy as np
import pytest

from oasr import engine
from oasr import tokenizers
from tests.engine import invariants

_SECONDS = 0.01  # All published times are whole multiples of it.


class Replay:
    """Emits known tokens: the predictor counts them, the joiner knows which are due.

    Audio is `[T, 2]`, for each frame how many tokens were emitted before and behind it.
    """

    def __init__(self, labels):
        self._labels = labels

    def encode(self, inputs):
        return inputs

    def start(self):
        return -1.0  # Before the blank that it begins with.

    def advance(self, ids, states):
        counts = [state + 1 for state in states]
        return np.array(counts)[:, None], counts

    def join(self, frames, predictions):
        count, (start, end) = predictions[0, 0], frames[0]
        row = np.full((1, self._labels), -np.inf, np.float32)
        row[0, int(count) + 1 if start <= count < end else 0] = 0.0
        return row


def published():
    """Returns the results that have a time for each token, in order.

    Two, of a page on hotwords, have times that run backwards.
    """
    folder = os.environ.get("OASR_FIELD_DATA")
    if not folder:
        pytest.skip("OASR_FIELD_DATA names no folder with field data")
    path = pathlib.Path(folder, "decoded_tokens/sherpa_docs_results.json")
    results = json.loads(path.read_text(encoding="utf-8"))
    return [
        result
        for result in results
        if len(result["timestamps"]) == len(result["tokens"]) > 0
        and result["timestamps"] == sorted(result["timestamps"])
    ]


def audio(result):
    """Returns the frames of a result."""
    frames = [round(time / _SECONDS) for time in result["timestamps"]]
    edges = np.searchsorted(frames, np.arange(max(frames) + 2))
    return np.stack([edges[:-1], edges[1:]], axis=1).astype(np.float64)


def build(result, folder, mode):
    """Returns an engine whose ids are the places of the tokens, from 1 on."""
    rows = [f"{token or '<empty>'} {k}" for k, token in enumerate(result["tokens"], 1)]
    table = pathlib.Path(folder, "tokens.txt")
    table.write_text("\n".join(["<blk> 0", *rows]) + "\n", encoding="utf-8")
    config = engine.EngineConfig(
        family="transducer",
        mode=mode,
        tokenizer=tokenizers.TokenizerSpec(
            "symbol_table", {"table": str(table)}, {"special_ids": [0]}
        ),
        seconds_per_frame=_SECONDS,
    )
    return invariants.CheckedEngine(config, Replay(len(rows) + 1))


def test_published_hypotheses_come_out_with_their_times(tmp_path):
    results = published()
    assert len(results) > 100
    for seed, result in enumerate(results):
        frames = audio(result)
        asked = {"word_timestamps": True}
        with build(result, tmp_path, "offline") as asr:
            [output] = asr.transcribe([engine.Request("a", frames, asked)])
        assert output.tokens == [list(range(1, len(result["tokens"]) + 1))]
        times = [end - _SECONDS for _, end in output.timestamps]
        assert times == pytest.approx(result["timestamps"], abs=1e-6)
        cut = random.Random(seed).randrange(len(frames) + 1)
        with build(result, tmp_path, "streaming") as asr:
            asr.add_request(engine.Request("a", frames[:cut], asked))
            [partial] = asr.step()
            asr.feed_chunk("a", frames[cut:])
            asr.finalize("a")
            [last] = asr.step()
        assert output.text.startswith(partial.stable_text)
        assert (last.text, last.words) == (output.text, output.words)
