"""The executor that suits a deployment's mode and strategy."""

from typing import Any, TypeAlias

from oasr import showing
from oasr.engine import config as engine_config
from oasr.engine import endpointing
from oasr.engine.decode import base as decode_base
from oasr.engine.decode import incremental as incremental_strategies
from oasr.engine.decode import streams
from oasr.engine.executor import incremental
from oasr.engine.executor import offline
from oasr.engine.executor import rendering
from oasr.engine.executor import streaming

Executor: TypeAlias = (
    incremental.IncrementalExecutor
    | offline.OfflineExecutor
    | streaming.StreamingExecutor
)


def build_executor(
    config: engine_config.EngineConfig,
    model: Any,
    strategy: decode_base.DecodeStrategy,
    renderer: rendering.Renderer,
) -> Executor:
    """Returns the executor of one deployment.

    Args:
      config: how it is set up.
      model: one of `strategy.model_types`.
      strategy: that of `config.family`, which runs in `config.mode`.
      renderer: writes the outputs.

    Raises:
      TypeError: if the strategy of a streaming deployment has no streams.
      ValueError: if endpoints are asked for that the family does not find.
    """
    if config.mode == "streaming":
        if not isinstance(strategy, streams.StreamingStrategy):
            raise TypeError(
                f"The strategy of family {config.family!r} says that it runs in"
                " streaming mode and is no StreamingStrategy:"
                f" {showing.shown(strategy)}."
            )
        rules = _endpoint_rules(config, strategy)
        return streaming.StreamingExecutor(
            model, strategy, renderer, rules, batch_size=config.max_batch_size
        )
    if isinstance(strategy, incremental_strategies.IncrementalStrategy):
        return incremental.IncrementalExecutor(
            strategy, renderer, config.max_batch_size
        )
    return offline.OfflineExecutor(model, strategy, renderer, config.max_batch_size)


def _endpoint_rules(
    config: engine_config.EngineConfig, strategy: streams.StreamingStrategy
) -> endpointing.EndpointRules | None:
    if config.endpointing is None or config.seconds_per_frame is None:
        return None
    if not strategy.finds_endpoints:
        raise ValueError(
            f"Family {config.family!r} does not know which frames are blank, so that"
            " EngineConfig.endpointing must be None."
        )
    return config.endpointing.rules(config.seconds_per_frame)
