"""Runs batches of whole utterances to the end."""

from collections.abc import Sequence
import itertools
import sys
from typing import Any, TypeAlias

from oasr.engine import request as requests
from oasr.engine.decode import base as decode_base
from oasr.engine.executor import base
from oasr.engine.executor import rendering

# A request on its way, with what the last stage gave for it.
_Scored: TypeAlias = tuple[requests.Request, Any]
_Prepared: TypeAlias = tuple[requests.Request, Any]
_Decoded: TypeAlias = tuple[
    requests.Request, Sequence[decode_base.Hypothesis], int | None
]  # With the number of frames.


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
        prepared = base.run_stage("scores", self._prepare, scored)
        decoded = base.run_stage("decoding", self._decode, prepared)
        rendered = base.run_stage("rendering", self._render, decoded)
        return [
            base.failed_output(request, output)
            if isinstance(output, base.Failure)
            else output
            for request, output in zip(batch, rendered, strict=True)
        ]

    def _score(self, batch: Sequence[requests.Request]) -> list[_Scored]:
        inputs = [request.inputs for request in batch]
        scores = self._strategy.run_model(self._model, inputs)
        return base.paired(batch, scores)

    def _prepare(self, batch: Sequence[_Scored]) -> list[_Prepared]:
        return [(request, self._strategy.prepare(scores)) for request, scores in batch]

    def _decode(self, batch: Sequence[_Prepared]) -> list[_Decoded]:
        decoded = self._strategy.decode(
            [scores for _, scores in batch], [request.options for request, _ in batch]
        )
        return [
            (request, n_best, self._strategy.frame_count(scores))
            for (request, scores), n_best in base.paired(batch, decoded)
        ]

    def _render(self, batch: Sequence[_Decoded]) -> list[requests.RequestOutput]:
        return [
            self._renderer.final(request, n_best, frame_count=frames)
            for request, n_best, frames in batch
        ]
