"""The engine: requests in, outputs out, for one deployment."""

from collections.abc import Iterable
import itertools
from typing import Any

from oasr import tokenizers
from oasr.engine import config as engine_config
from oasr.engine import request as requests
from oasr.engine.decode import detokenize
from oasr.engine.decode import registry
from oasr.engine.executor import admission
from oasr.engine.executor import offline
from oasr.engine.executor import rendering
from oasr.models import recorded


class ASREngine:
    """Transcribes requests; driven by one thread.

    Args:
      config: how the deployment is set up.
      model: an `oasr.models.base.ScoreModel`; by default recorded scores, for which
        `Request.inputs` is a `[T, V]` array or the name of a recording.

    Raises:
      ValueError: for a family, a mode or a setting that does not exist.
      AssetError: if a file of the tokenizer is absent or malformed.

    Attributes:
      detokenizer: renders the ids of this deployment.
    """

    def __init__(self, config: engine_config.EngineConfig, model: Any = None) -> None:
        self.detokenizer = detokenize.Detokenizer(
            config.sentencepiece_model,
            config.unit_table,
            tokenizers.build_tokenizer(config.tokenizer) if config.tokenizer else None,
        )
        model = recorded.RecordedScores() if model is None else model
        strategy = registry.build_decode_strategy(
            config, model=model, tokenizer=self.detokenizer.tokenizer
        )
        self._admission = admission.Admission(config, strategy)
        self._executor = offline.OfflineExecutor(
            model, strategy, rendering.Renderer(self.detokenizer, config)
        )
        self._batch_size = config.max_batch_size
        self._waiting: dict[str, requests.Request] = {}
        self._closed = False

    def transcribe(
        self, batch: Iterable[requests.Request]
    ) -> list[requests.RequestOutput]:
        """Returns the output of each request, in the order given.

        Requests added before are left waiting. A request that fails is an output with
        `finish_reason="error"`; one that cannot be admitted stops the call before
        anything is decoded.

        Raises:
          ValueError: for a request whose id is taken, or which asks for what this
            deployment cannot do.
        """
        admitted: dict[str, requests.Request] = {}
        for request in batch:
            self._admit(request, admitted)
        queue = iter(admitted.values())
        outputs: list[requests.RequestOutput] = []
        while group := list(itertools.islice(queue, self._batch_size)):
            outputs += self._executor.run(group)
        return outputs

    def add_request(self, request: requests.Request) -> None:
        """Puts a request in line.

        Raises:
          ValueError: as `transcribe`.
        """
        self._admit(request, self._waiting)

    def step(self) -> list[requests.RequestOutput]:
        """Runs the next batch; returns the outputs of the requests in it."""
        self._check_open()
        batch = list(itertools.islice(self._waiting.values(), self._batch_size))
        for request in batch:
            del self._waiting[request.request_id]
        return self._executor.run(batch)

    def abort_request(self, request_id: str) -> bool:
        """Drops a waiting request; returns whether it was still there to drop."""
        return self._waiting.pop(request_id, None) is not None

    def has_unfinished_requests(self) -> bool:
        """Returns whether `step` has anything to do."""
        return bool(self._waiting)

    def close(self) -> None:
        """Drops what waits and admits nothing more; may be called twice."""
        self._closed = True
        self._waiting.clear()

    def __enter__(self) -> "ASREngine":
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def _admit(
        self, request: requests.Request, admitted: dict[str, requests.Request]
    ) -> None:
        """Checks a request and adds it to `admitted`."""
        self._check_open()
        self._admission.check(request)
        if request.request_id in admitted or request.request_id in self._waiting:
            raise ValueError(
                f"Request id {request.request_id!r} is taken by an unfinished request;"
                " ids must be unique."
            )
        admitted[request.request_id] = request

    def _check_open(self) -> None:
        if self._closed:
            raise ValueError("This engine is closed; requests need a new one.")
