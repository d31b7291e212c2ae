"""The engine: requests in, outputs out, for one deployment."""

from collections.abc import Iterable, Mapping
import os
from typing import Any

from oasr import checkpoints
from oasr import showing
from oasr import tokenizers
from oasr.engine import checks
from oasr.engine import config as engine_config
from oasr.engine import request as requests
from oasr.engine.decode import detokenize
from oasr.engine.decode import registry
from oasr.engine.executor import admission
from oasr.engine.executor import building
from oasr.engine.executor import rendering
from oasr.engine.executor import streaming
from oasr.models import base as models
from oasr.models import recorded
from oasr.models import runtimes

# What building raises over a setting that cannot be.
_FAULTS = (ArithmeticError, LookupError, TypeError, ValueError)


class ASREngine:
    """Transcribes requests; driven by one thread.

    Args:
      config: how the deployment is set up.
      model: what the family asks for, e.g. an `oasr.models.base.ScoreModel`; by
        default recorded scores, for which `Request.inputs` is a `[T, V]` array or the
        name of a recording.

    Raises:
      TypeError: if `config`, `model` or the family's strategy is none.
      ValueError: for a family, a mode or a setting that does not exist.
      AssetError: if a file of the tokenizer is absent or malformed.

    Attributes:
      detokenizer: renders the ids of this deployment.
    """

    def __init__(self, config: engine_config.EngineConfig, model: Any = None) -> None:
        if not isinstance(config, engine_config.EngineConfig):
            raise TypeError(
                f"Expected an oasr.engine.EngineConfig, got {showing.shown(config)}."
            )
        model = recorded.RecordedScores() if model is None else model
        self.detokenizer = detokenize.Detokenizer(
            config.sentencepiece_model,
            config.unit_table,
            tokenizers.build_tokenizer(config.tokenizer) if config.tokenizer else None,
        )
        strategy = registry.build_decode_strategy(
            config, model=model, tokenizer=self.detokenizer.tokenizer
        )
        models.check_model(model, *strategy.model_types)
        self._admission = admission.Admission(config, strategy)
        renderer = rendering.Renderer(self.detokenizer, config)
        self._executor = building.build_executor(config, model, strategy, renderer)
        self._closed = False

    @classmethod
    def from_checkpoint(
        cls, path: str | os.PathLike[str], *, model: Any = None, **overrides: Any
    ) -> "ASREngine":
        """Builds the engine of a directory as it was downloaded, or converted.

        Args:
          path: as for `oasr.checkpoints.convert_checkpoint`.
          model: as for the class; by default, where the checkpoint has weights that
            OASR can run, the model that they are.
          **overrides: fields of `EngineConfig`; they count before the checkpoint's,
            and so does each of `decode_options`.

        Raises:
          AssetError: if no converter knows the directory, or a file is malformed or
            states what cannot be.
          ValueError: as for the class.
        """
        found = checkpoints.convert_checkpoint(path)
        model = runtimes.build(found, path) if model is None else model
        given: Mapping[str, Any] = {}
        stated: Mapping[str, Any] = {}
        fields: dict[str, Any] = {
            "family": found.family,
            "tokenizer": found.tokenizer,
            "seconds_per_frame": found.seconds_per_frame,
        }
        if found.blank_id is not None:
            fields["blank_id"] = found.blank_id
        if overrides.get("family", found.family) == found.family:
            given = overrides.pop("decode_options", {})
            checks.mapping("EngineConfig.decode_options", given)
            stated = _stated_options(found, path)
            fields["decode_options"] = {**stated, **given}
        fields |= overrides
        try:
            return cls(engine_config.EngineConfig(**fields), model)
        except tokenizers.AssetError:
            raise
        except _FAULTS as error:
            _blame_checkpoint(found, path, overrides)
            if stated and cls._can_be({**fields, "decode_options": given}, model):
                raise tokenizers.AssetError(
                    f"{_source(path)}: extras.decode_options: {error}"
                ) from error
            raise

    @classmethod
    def _can_be(cls, fields: Mapping[str, Any], model: Any) -> bool:
        """Returns whether there can be an engine of these fields of `EngineConfig`."""
        try:
            cls(engine_config.EngineConfig(**fields), model).close()
        except _FAULTS:
            return False
        return True

    def transcribe(
        self, batch: Iterable[requests.Request]
    ) -> list[requests.RequestOutput]:
        """Returns the output of each request, in the order given.

        Requests added before are left waiting. A request that fails is an output with
        `finish_reason="error"`; one that cannot be admitted stops the call before
        anything is decoded.

        Raises:
          ValueError: for a request whose id is taken, or which asks for what this
            deployment cannot do; if the engine is closed.
        """
        self._check_open()
        admitted: dict[str, requests.Request] = {}
        for request in batch:
            self._check(request)
            if request.request_id in admitted:
                raise _taken(request.request_id)
            admitted[request.request_id] = request
        return self._executor.run(list(admitted.values()))

    def add_request(self, request: requests.Request) -> None:
        """Puts a request in line; in streaming mode, opens its session.

        There `inputs` is the first chunk, or None.

        Raises:
          ValueError: as `transcribe`.
        """
        self._check(request)
        self._executor.add(request)

    def feed_chunk(self, request_id: str, chunk: Any) -> None:
        """Hands over the next part of a stream; `step` decodes it.

        Args:
          request_id: of a request that was added and not finalized.
          chunk: what the model takes, e.g. the next `[T, V]` scores; T may be 0.

        Raises:
          ValueError: if there is no such stream, or it was finalized.
        """
        self._streaming("feed_chunk").feed_chunk(request_id, chunk)

    def finalize(self, request_id: str) -> None:
        """Says that a stream is over; the next `step` gives its last output.

        Raises:
          ValueError: if there is no such stream.
        """
        self._streaming("finalize").finalize(request_id)

    def step(self) -> list[requests.RequestOutput]:
        """Runs what waits: the next batch, or what was fed to any stream.

        Returns:
          Offline, the last output of each request of the batch; families that write
          token by token give partials on the way, with `finished` False. In streaming
          mode an output for each stream with news: a partial, or after `finalize` the
          last.
        """
        self._check_open()
        return self._executor.step()

    def abort_request(self, request_id: str) -> bool:
        """Drops an unfinished request; returns whether it was still there to drop."""
        return self._executor.abort(request_id)

    def has_unfinished_requests(self) -> bool:
        """Returns whether any request waits for `step`, or any stream is open."""
        return self._executor.has_unfinished()

    def close(self) -> None:
        """Drops what is unfinished and admits nothing more; may be called twice."""
        self._closed = True
        self._executor.clear()

    def __enter__(self) -> "ASREngine":
        self._check_open()
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def _check(self, request: requests.Request) -> None:
        """Raises for a request that this deployment cannot take now."""
        self._check_open()
        self._admission.check(request)
        if request.request_id in self._executor:
            raise _taken(request.request_id)

    def _streaming(self, verb: str) -> streaming.StreamingExecutor:
        self._check_open()
        if not isinstance(self._executor, streaming.StreamingExecutor):
            raise ValueError(
                f"{verb} needs a deployment with EngineConfig.mode='streaming'; this"
                " one is offline."
            )
        return self._executor

    def _check_open(self) -> None:
        if self._closed:
            raise ValueError("This engine is closed; requests need a new one.")


def _stated_options(
    found: checkpoints.ConvertedCheckpoint, path: str | os.PathLike[str]
) -> Mapping[str, Any]:
    """Returns the `decode_options` that a checkpoint states."""
    stated = found.extras.get("decode_options", {})
    if not isinstance(stated, Mapping):
        raise tokenizers.AssetError(
            f"{_source(path)}: extras.decode_options: expected an object, found"
            f" {showing.shown(stated)}."
        )
    return stated


def _blame_checkpoint(
    found: checkpoints.ConvertedCheckpoint,
    path: str | os.PathLike[str],
    overrides: Mapping[str, Any],
) -> None:
    """Raises AssetError if what a checkpoint states can be in no engine.

    Called when none could be built, so that an engine is not built twice to find out.
    """
    families = registry.list_decode_strategies()
    if "family" not in overrides and found.family not in families:
        raise tokenizers.AssetError(
            f"{_source(path)}: family: Unknown decode family"
            f" {showing.shown(found.family)}; expected one of {families}."
        )
    if "tokenizer" in overrides:
        return
    try:
        tokenizers.build_tokenizer(found.tokenizer)
    except tokenizers.AssetError:
        raise
    except _FAULTS as error:
        raise tokenizers.AssetError(f"{_source(path)}: tokenizer: {error}") from error


def _source(path: str | os.PathLike[str]) -> str:
    """Returns what a checkpoint was read from: its `oasr.json`, or the directory."""
    saved = os.path.join(path, "oasr.json")
    return saved if os.path.lexists(saved) else os.fspath(path)


def _taken(request_id: str) -> ValueError:
    return ValueError(
        f"Request id {showing.shown(request_id)} is taken by an unfinished request;"
        " ids must be unique."
    )
