"""Runs batches of whole utterances to the end."""

from collections.abc import Sequence
import itertools
import sys
from typing import Any, TypeAlias

from oasr.engine import request as requests
from oasr.engine.decode import base as decode_base
from oasr.engine.executor import base
from oasr.engine.executor import rendering

_Prepared: TypeAlias = tuple[requests.Request, Any]  # What the strategy prepared.
# An n-best list, with the number of frames.
_Decoded: TypeAlias = tuple[Sequence[decode_base.Hypothesis], int | None]


class OfflineExecutor:
    """Runs a batch through model, strategy and renderer.

    Args:
      model: one of `strategy.model_types`.
      strategy: decodes what the model gives.
      renderer: writes the outputs.
      batch_size: how many requests go together, at most.
    """

    def __init__(
        self,
        model: Any,
        strategy: decode_base.DecodeStrategy,
        renderer: rendering.Renderer,
        batch_size: int = 8,
    ) -> None:
        self._model = model
        self._strategy = strategy
        self._renderer = renderer
        self._batch_size = min(batch_size, sys.maxsize)  # What islice can count to.
        self._waiting: dict[str, requests.Request] = {}

    def __contains__(self, request_id: object) -> bool:
        return request_id in self._waiting

    def add(self, request: requests.Request) -> None:
        """Puts a request in line."""
        self._waiting[request.request_id] = request

    def abort(self, request_id: str) -> bool:
        """Drops a waiting request; returns whether it was still there to drop."""
        return self._waiting.pop(request_id, None) is not None

    def clear(self) -> None:
        """Drops all there is."""
        self._waiting.clear()

    def has_unfinished(self) -> bool:
        """Returns whether any request waits."""
        return bool(self._waiting)

    def step(self) -> list[requests.RequestOutput]:
        """Runs the next batch; returns the outputs of the requests in it.

        When it is interrupted, the requests are in line as they were.
        """
        batch = list(itertools.islice(self._waiting.values(), self._batch_size))
        for request in batch:
            del self._waiting[request.request_id]
        try:
            return self._run_batch(batch)
        except BaseException:
            taken = {request.request_id: request for request in batch}
            self._waiting = taken | self._waiting
            raise

    def run(self, group: Sequence[requests.Request]) -> list[requests.RequestOutput]:
        """Returns the last output of each request, in order; some may be errors.

        Those in line are left waiting.
        """
        queue = iter(group)
        outputs: list[requests.RequestOutput] = []
        while batch := list(itertools.islice(queue, self._batch_size)):
            outputs += self._run_batch(batch)
        return outputs

    def _run_batch(
        self, batch: Sequence[requests.Request]
    ) -> list[requests.RequestOutput]:
        scored = base.run_stage("model", self._score, batch)
        prepared = [
            scores
            if isinstance(scores, base.Failure)
            else base.attempt("scores", self._prepare, request, scores)
            for request, scores in zip(batch, scored, strict=True)
        ]
        decoded = base.run_stage("decoding", self._decode, prepared)
        return [
            self._output(request, found)
            for request, found in zip(batch, decoded, strict=True)
        ]

    def _score(self, batch: Sequence[requests.Request]) -> Sequence[Any]:
        inputs = [request.inputs for request in batch]
        return self._strategy.run_model(self._model, inputs)

    def _prepare(self, request: requests.Request, scores: Any) -> _Prepared:
        return request, self._strategy.prepare(scores)

    def _decode(self, batch: Sequence[_Prepared]) -> list[_Decoded]:
        decoded = self._strategy.decode(
            [scores for _, scores in batch], [request.options for request, _ in batch]
        )
        n_bests = base.as_many(batch, decoded)
        return [
            (n_best, self._strategy.frame_count(scores))
            for (_, scores), n_best in zip(batch, n_bests, strict=True)
        ]

    def _output(
        self, request: requests.Request, found: _Decoded | base.Failure
    ) -> requests.RequestOutput:
        output: requests.RequestOutput | base.Failure
        if isinstance(found, base.Failure):
            output = found
        else:
            n_best, frames = found
            output = base.attempt(
                "rendering", self._renderer.final, request, n_best, frame_count=frames
            )
        if isinstance(output, base.Failure):
            return base.failed_output(request, output)
        return output
