"""Many streaming sessions side by side, with aborts, errors and restarts.

Shapes: T frames, V labels.
"""

from collections.abc import Sequence
import dataclasses
import random
import time
from typing import Any

import numpy as np

from oasr import engine
from tests.engine import models

_LABELS = 60
_UTTERANCES = 24
_TABLE = [
    "<blank>",
    "<unk>",
    *(f"▁w{n}" if n % 3 else f"p{n}" for n in range(57)),
    "<e>",
]


def config(table_path: str, **fields: Any) -> engine.EngineConfig:
    """Returns a deployment that streams; its table is written to `table_path`."""
    with open(table_path, "w", encoding="utf-8") as file:
        file.writelines(f"{piece} {n}\n" for n, piece in enumerate(_TABLE))
    options = {"special_ids": [0, 1, _LABELS - 1]}
    spec = {"kind": "symbol_table", "files": {"table": table_path}, "options": options}
    return engine.EngineConfig(
        **{"mode": "streaming", "tokenizer": spec, "seconds_per_frame": 0.04, **fields}
    )


def utterances() -> list[np.ndarray]:
    """Returns `[T, V]` log-probabilities of utterances of some seconds."""
    found = []
    for seed in range(_UTTERANCES):
        rng = np.random.default_rng(seed)
        frames = int(rng.integers(20, 160))
        logits = rng.normal(scale=3.0, size=(frames, _LABELS))
        logits[rng.random(frames) < 0.6, 0] += 9.0  # Mostly blank, as CTC is.
        found.append(models.log_softmax(logits))
    return found


@dataclasses.dataclass
class Counts:
    """What became of the sessions.

    Attributes:
      steps: calls of `step`.
      partials: outputs on the way.
      finished: sessions that ended as they should.
      failed: those that were fed what cannot be.
      aborted: those that were dropped.
    """

    steps: int = 0
    partials: int = 0
    finished: int = 0
    failed: int = 0
    aborted: int = 0


class Soak:
    """Keeps sessions of one engine going; each that ends is replaced.

    Args:
      asr: the engine, in streaming mode.
      whole: the engine's own answers, text and ids, to whole utterances.
      n_best: what requests ask for, one of these.
      sessions: how many are open at any time.
      seed: of all that is random.

    Attributes:
      counts: what happened so far.
      latencies: of each step since it was cleared, the processor's seconds for one
        answer; the clock's would tell what else the machine does.
    """

    def __init__(
        self,
        asr: engine.ASREngine,
        whole: list[engine.RequestOutput],
        *,
        n_best: Sequence[int] = (1, 1, 3),
        sessions: int = 200,
        seed: int = 0,
    ) -> None:
        self._asr = asr
        self._whole = whole
        self._audio = utterances()
        self._n_best = n_best
        self._random = random.Random(seed)
        self._open: dict[str, list[int]] = {}  # Id: the utterance, frames fed.
        self._bad: set[str] = set()
        self._names = [f"session {n}" for n in range(sessions)]
        self.counts = Counts()
        self.latencies: list[float] = []

    def step(self) -> None:
        """Lets something happen to most sessions, then runs the engine once."""
        for name in self._names:
            if name not in self._open:
                self._begin(name)
            elif self._random.random() < 0.7:
                self._go_on(name)
        started = time.process_time()
        outputs = self._asr.step()
        took = time.process_time() - started
        self.counts.steps += 1
        if outputs:
            self.latencies.append(took / len(outputs))
        for output in outputs:
            self._take(output)

    def end(self) -> None:
        """Ends all sessions."""
        for name in [*self._open]:
            if name not in self._bad:
                self._asr.abort_request(name)
                del self._open[name]
        for output in self._asr.step():
            self._take(output)

    def _begin(self, name: str) -> None:
        options = {"n_best": self._random.choice(self._n_best)}
        self._asr.add_request(engine.Request(name, None, options))
        self._open[name] = [self._random.randrange(len(self._audio)), 0]

    def _go_on(self, name: str) -> None:
        if name in self._bad:
            return
        chance = self._random.random()
        utterance, fed = self._open[name]
        audio = self._audio[utterance]
        if chance < 0.01:
            assert self._asr.abort_request(name)
            del self._open[name]
            self.counts.aborted += 1
        elif chance < 0.015:
            self._asr.feed_chunk(name, np.full((3, _LABELS), np.nan, np.float32))
            self._bad.add(name)
        elif fed == len(audio):
            self._asr.finalize(name)
        else:
            end = min(len(audio), fed + self._random.randint(1, 24))
            self._asr.feed_chunk(name, audio[fed:end])
            self._open[name][1] = end

    def _take(self, output: engine.RequestOutput) -> None:
        name = output.request_id
        if not output.finished:
            self.counts.partials += 1
            return
        utterance, fed = self._open.pop(name)
        if name in self._bad:
            assert output.finish_reason == "error", output
            self._bad.discard(name)
            self.counts.failed += 1
            return
        assert output.error is None, output.error
        assert fed == len(self._audio[utterance])
        whole = self._whole[utterance]
        assert (output.text, output.tokens[0]) == (whole.text, whole.tokens[0])
        self.counts.finished += 1
