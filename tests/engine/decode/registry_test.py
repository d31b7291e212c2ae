"""Tests for registry: families are found by name, and taken names are kept."""

import numpy as np
import pytest

from oasr.engine import config as engine_config
from oasr.engine.decode import base
from oasr.engine.decode import ctc
from oasr.engine.decode import registry

BUILT_IN = registry.list_decode_strategies()


class Silence(base.DecodeStrategy):
    """Hears nothing."""

    def __init__(self, setup):
        self.setup = setup

    def honours(self, mode):
        return frozenset()

    def prepare(self, scores):
        return np.asarray(scores)

    def decode(self, scores, options):
        return [[base.Hypothesis((), 0.0)] for _ in scores]


@pytest.fixture(autouse=True)
def own_table(monkeypatch):
    monkeypatch.setattr(registry, "_registered_families", {})


def build(family, **fields):
    config = engine_config.EngineConfig(family=family, **fields)
    return registry.build_decode_strategy(config, model="model")


def test_ctc_is_built_in():
    assert "ctc" in registry.list_decode_strategies()
    assert isinstance(build("ctc", decode_options={"beam_size": 3}), ctc.Ctc)


def test_a_registered_family_is_built_from_its_setup():
    registry.register_decode_strategy("silence", Silence)
    assert registry.list_decode_strategies() == sorted([*BUILT_IN, "silence"])
    strategy = build("silence", blank_id=3)
    assert strategy.setup.config.blank_id == 3
    assert strategy.setup.model == "model"
    assert strategy.setup.tokenizer is None


def test_a_class_with_from_setup_is_its_own_factory():
    registry.register_decode_strategy("mine", ctc.Ctc)
    assert isinstance(build("mine"), ctc.Ctc)
    with pytest.raises(ValueError, match=r"^Decode option of family 'mine' 'beam' is"):
        build("mine", decode_options={"beam": 1})


def test_a_taken_name_is_refused_unless_replaced():
    for family in ("ctc", "silence"):
        registry.register_decode_strategy(family, Silence, replace=True)
        with pytest.raises(ValueError, match=f"^Decode family '{family}' is already"):
            registry.register_decode_strategy(family, Silence)
    assert isinstance(build("ctc"), Silence)


def test_an_unknown_family_is_named_with_the_known():
    with pytest.raises(
        ValueError, match=r"^Unknown decode family 'ctx'; expected one of \[.*'ctc',"
    ):
        build("ctx")


@pytest.mark.parametrize("family", ["", None, 3])
def test_a_family_is_a_name(family):
    with pytest.raises(ValueError, match=r"^A decode family has a non-empty name"):
        registry.register_decode_strategy(family, Silence)


def test_a_factory_can_be_called():
    with pytest.raises(
        TypeError, match=r"family 'x' must be callable .* got 'Silence'"
    ):
        registry.register_decode_strategy("x", "Silence")


def test_a_factory_returns_a_strategy():
    registry.register_decode_strategy("x", lambda setup: "nothing")
    with pytest.raises(TypeError, match=r"family 'x' returned 'nothing', which is no"):
        build("x")
