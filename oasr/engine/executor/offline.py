"""Runs batches of whole utterances to the end."""

from collections.abc import Sequence
import logging
from typing import TypeAlias

import numpy as np
from numpy import typing as npt

from oasr.engine import request as requests
from oasr.engine.decode import base as decode_base
from oasr.engine.executor import base
from oasr.engine.executor import rendering
from oasr.models import base as models

_logger = logging.getLogger("oasr.engine")

# A request on its way, with what the last stage gave for it.
_Scored: TypeAlias = tuple[requests.Request, npt.ArrayLike]
_Prepared: TypeAlias = tuple[requests.Request, npt.NDArray[np.float32]]
_Decoded: TypeAlias = tuple[requests.Request, Sequence[decode_base.Hypothesis]]


class OfflineExecutor:
    """Runs a batch through model, strategy and renderer.

    Args:
      model: gives the scores.
      strategy: decodes them.
      renderer: writes the outputs.
    """

    def __init__(
        self,
        model: models.ScoreModel,
        strategy: decode_base.DecodeStrategy,
        renderer: rendering.Renderer,
    ) -> None:
        self._model = model
        self._strategy = strategy
        self._renderer = renderer

    def run(self, batch: Sequence[requests.Request]) -> list[requests.RequestOutput]:
        """Returns the last output of each request, in order; some may be errors."""
        scored = base.run_stage("model", self._score, batch)
        prepared = base.run_stage("scores", self._prepare, scored)
        decoded = base.run_stage("decoding", self._decode, prepared)
        rendered = base.run_stage("rendering", self._render, decoded)
        return [
            self._failed(request, output)
            if isinstance(output, base.Failure)
            else output
            for request, output in zip(batch, rendered, strict=True)
        ]

    def _failed(
        self, request: requests.Request, failure: base.Failure
    ) -> requests.RequestOutput:
        # A ValueError says what is wrong with the request; others need a traceback.
        expected = isinstance(failure.cause, ValueError)
        _logger.warning(
            "Request %r failed in %s",
            request.request_id,
            failure,
            exc_info=None if expected else failure.cause,
        )
        return requests.RequestOutput.failed(request.request_id, str(failure))

    def _score(self, batch: Sequence[requests.Request]) -> list[_Scored]:
        scores = self._model.scores([request.inputs for request in batch])
        return list(zip(batch, scores, strict=True))

    def _prepare(self, batch: Sequence[_Scored]) -> list[_Prepared]:
        return [(request, self._strategy.prepare(scores)) for request, scores in batch]

    def _decode(self, batch: Sequence[_Prepared]) -> list[_Decoded]:
        decoded = self._strategy.decode(
            [scores for _, scores in batch], [request.options for request, _ in batch]
        )
        return [
            (request, n_best)
            for (request, _), n_best in zip(batch, decoded, strict=True)
        ]

    def _render(self, batch: Sequence[_Decoded]) -> list[requests.RequestOutput]:
        return [self._renderer.final(request, n_best) for request, n_best in batch]
