"""Tests for building: each mode and kind of strategy has its executor."""

import pytest

from oasr.engine import config as engine_config
from oasr.engine.decode import ctc
from oasr.engine.decode import detokenize
from oasr.engine.decode import incremental as incremental_strategies
from oasr.engine.executor import building
from oasr.engine.executor import incremental
from oasr.engine.executor import offline
from oasr.engine.executor import rendering
from oasr.engine.executor import streaming
from tests.engine.executor import fakes


class Tokens(incremental_strategies.IncrementalStrategy):
    """Writes token by token."""

    def honours(self, mode):
        return frozenset()

    def begin(self, encoded, options):
        raise NotImplementedError


def build(strategy, **fields):
    config = engine_config.EngineConfig(seconds_per_frame=0.04, **fields)
    renderer = rendering.Renderer(detokenize.Detokenizer(), config)
    return building.build_executor(config, fakes.EchoModel(), strategy, renderer)


def test_the_mode_and_the_strategy_choose():
    assert isinstance(build(ctc.Ctc()), offline.OfflineExecutor)
    assert isinstance(build(ctc.Ctc(), mode="streaming"), streaming.StreamingExecutor)
    options = incremental_strategies.IncrementalOptions()
    tokens = Tokens(None, engine_config.EngineConfig(), options)
    assert isinstance(build(tokens), incremental.IncrementalExecutor)


def test_streams_need_a_strategy_that_has_some():
    with pytest.raises(
        TypeError, match=r"'ctc' says .* and is no StreamingStrategy: <"
    ):
        build(fakes.EchoStrategy(), mode="streaming")


def test_endpoints_need_a_strategy_that_finds_some():
    build(ctc.Ctc(), mode="streaming", endpointing={})
    with pytest.raises(ValueError, match="'ctc' does not know which frames are blank"):
        build(fakes.EchoStreamingStrategy(), mode="streaming", endpointing={})
