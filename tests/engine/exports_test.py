"""Tests for the public names: they are there, and load nothing they do not need."""

import os
import subprocess
import sys

import pytest

from oasr import engine
from oasr.engine import decode

PUBLIC = {
    engine: [
        "ASREngine",
        "Conversation",
        "DecodingOptions",
        "Endpointing",
        "EngineConfig",
        "Request",
        "RequestOutput",
        "Segment",
        "WordTiming",
    ],
    decode: [
        "DecodeStrategy",
        "Hypothesis",
        "StrategySetup",
        "build_decode_strategy",
        "list_decode_strategies",
        "register_decode_strategy",
    ],
}


@pytest.mark.parametrize("package", PUBLIC, ids=lambda p: p.__name__)
def test_public_names_are_exported(package):
    assert package.__all__ == PUBLIC[package]
    assert all(getattr(package, name).__name__ == name for name in package.__all__)
    assert set(PUBLIC[package]) <= set(dir(package))


@pytest.mark.parametrize("package", PUBLIC, ids=lambda p: p.__name__)
def test_other_names_are_attribute_errors(package):
    with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
        _ = package.Nothing


@pytest.mark.parametrize(
    ("imported", "unneeded"),
    [
        ("oasr.engine.request", ["oasr.engine.decode", "oasr.tokenizers", "numpy"]),
        ("oasr.engine.decode", ["oasr.engine.decode.ctc", "oasr.engine.executor"]),
        ("oasr.engine.decode.registry", ["oasr.engine.decode.ctc"]),
        ("oasr.engine.decode.alignment", ["oasr.engine.engine", "oasr.models"]),
        ("oasr.models.recorded", ["oasr.engine"]),
    ],
)
def test_a_lower_module_loads_no_higher_one(imported, unneeded):
    program = f"import sys, {imported}; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        check=True,
        text=True,
    ).stdout.split()
    assert imported in loaded
    assert not set(unneeded) & set(loaded)
