"""A model and searches that cost next to nothing: what is left is the engine."""

from collections.abc import Sequence
import functools
from typing import Any

import numpy as np

from oasr.engine import config
from oasr.engine import request
from oasr.engine.decode import base
from oasr.engine.decode import incremental
from oasr.engine.decode import streams
from oasr.engine.decode import token_search

CHUNK = np.zeros((4, 8), np.float32)
BROKEN = "broken"  # In place of a chunk: it cannot be read.
FIRST_ID, LABELS = 3, 5  # Ids that have text.

_ROW = np.zeros(1, np.int64)
_SCORES = np.zeros((1, 8), np.float32)


@functools.cache
def hypothesis(tokens: int) -> base.Hypothesis:
    """Returns a hypothesis with so many tokens, one per chunk."""
    ids = tuple(FIRST_ID + place % LABELS for place in range(tokens))
    frames = tuple(len(CHUNK) * place for place in range(tokens))
    return base.Hypothesis(ids, -1.0, frames, (0.5,) * tokens)


@functools.cache
def stands(tokens: int) -> streams.Partial:
    """Returns where a stream stands that said so many tokens and takes none back."""
    return streams.Partial(hypothesis(tokens), tokens, tokens)


class ReadyStream(streams.DecodeStream):
    """Says one token per chunk.

    Args:
      tokens: how many were said before.
    """

    def __init__(self, tokens: int = 0) -> None:
        self._tokens = tokens

    def feed(self, scores: Any) -> None:
        """Counts a chunk."""
        self._tokens += 1

    def partial(self) -> streams.Partial:
        """Returns what was said."""
        return stands(self._tokens)

    def finish(self) -> Sequence[base.Hypothesis]:
        """Returns what was said."""
        return [hypothesis(self._tokens)]


class ReadyStrategy(streams.StreamingStrategy):
    """Finds `tokens` in any utterance, and one in each chunk of a stream.

    Args:
      tokens: of an utterance.
      said: how many tokens a stream begins with.
    """

    def __init__(self, tokens: int = 20, said: int = 0) -> None:
        self._found = [hypothesis(tokens)]
        self._frames = len(CHUNK) * (tokens + said + 1)
        self._said = said

    def honours(self, mode: str) -> frozenset[str]:
        """Returns that words can be timed."""
        return frozenset({"word_timestamps"})

    def prepare(self, scores: Any) -> Any:
        """Returns the scores as they are."""
        if scores is BROKEN:
            raise ValueError("This is no chunk.")
        return scores

    def frame_count(self, prepared: Any) -> int:
        """Returns as many as the tokens need."""
        return self._frames

    def decode(
        self, scores: Sequence[Any], options: Sequence[request.DecodingOptions]
    ) -> list[list[base.Hypothesis]]:
        """Returns the same for each utterance."""
        return [self._found for _ in scores]

    def new_stream(self, options: request.DecodingOptions) -> streams.DecodeStream:
        """Returns a stream that says one token per chunk."""
        return ReadyStream(self._said)


class Echo:
    """A model of scores and of tokens that gives what it has."""

    def scores(self, inputs: Sequence[Any]) -> Sequence[Any]:
        """Returns the inputs."""
        return inputs

    def encode(self, inputs: Sequence[Any]) -> Sequence[Any]:
        """Returns the inputs."""
        return inputs

    def prefill(
        self, encoded: Sequence[Any], prompts: Sequence[Any]
    ) -> tuple[Any, list[Any]]:
        """Returns scores of any kind, and states."""
        return _SCORES.repeat(len(prompts), axis=0), list(prompts)

    def step(self, states: Sequence[Any], ids: Any) -> tuple[Any, Sequence[Any]]:
        """Returns scores of any kind, and the states."""
        return _SCORES.repeat(len(states), axis=0), states

    def select(self, states: Sequence[Any], rows: Any) -> Sequence[Any]:
        """Returns the states."""
        return states


class ReadySearch(token_search.TokenSearch):
    """Writes one token a step.

    Args:
      tokens: with how many it ends.
    """

    def __init__(self, tokens: int) -> None:
        super().__init__(
            token_search.Limits(end_ids=frozenset(), max_new_tokens=tokens)
        )
        self._tokens = tokens

    def advance(self, log_probs: Any) -> tuple[Any, Any]:
        """Returns the one row there is, until the end."""
        row = self.live[0]
        row.ids.append(FIRST_ID)
        if len(row.ids) < self._tokens:
            return _ROW, _ROW
        self.done, self.live = self.live, []
        return _ROW[:0], _ROW[:0]

    def partial(self) -> streams.Partial:
        """Returns what was written."""
        return stands(len(self.live[0].ids))

    def _choose(self, log_probs: Any) -> tuple[list[int], list[int]]:
        return [], []


class ReadyTokens(incremental.IncrementalStrategy):
    """Begins each request with the same prompt."""

    def honours(self, mode: str) -> frozenset[str]:
        """Returns that the number of tokens counts."""
        return frozenset({"max_new_tokens"})

    def begin(
        self, encoded: Any, options: request.DecodingOptions
    ) -> incremental.Prompt:
        """Returns one id, and a search of as many tokens as are asked for."""
        if encoded is BROKEN:
            raise ValueError("This is no audio.")
        return incremental.Prompt(_ROW, ReadySearch(options.max_new_tokens or 1))

    def finish(
        self, encoded: Any, options: request.DecodingOptions, prompt: incremental.Prompt
    ) -> list[base.Hypothesis]:
        """Returns what was written."""
        return [hypothesis(len(prompt.search.done[0].ids))]

    def frame_count(self, prepared: Any) -> None:
        """Returns None: there are no frames."""

    def log_probs(self, scores: Any) -> Any:
        """Returns the scores as they are."""
        return scores


def ready_tokens(**options: Any) -> ReadyTokens:
    """Returns a strategy with these of `IncrementalOptions`."""
    return ReadyTokens(
        Echo(), config.EngineConfig(), incremental.IncrementalOptions(**options)
    )
