"""No path leads upward: what a layer depends on, by Bazel, is below it or its own."""

import pathlib
import re

import pytest

_HERE = pathlib.Path(__file__).parent

# Where each layer's files live, from the lowest to the highest.
_LAYERS = {
    "native": r"//(csrc|oasr/_native)\b",
    "tokenizers": r"//oasr/tokenizers\b",
    "features": r"//oasr/features\b",
    "models": r"//oasr/(models|checkpoints)\b",
    "values": r"//oasr/engine:(request|config|checks|limits)\b",
    "decode": r"//oasr/engine/decode\b",
    "executor": r"//oasr/engine/executor\b",
    "engine": r"//oasr/engine:engine\b",
    "formats": r"//oasr/formats\b",
}
_NAMES = list(_LAYERS)


def depends_on(layer):
    """The labels of our own rules and files that a layer needs."""
    labels = (_HERE / layer).read_text(encoding="utf-8").split()
    return [label for label in labels if label.startswith("//")]


def layers_of(labels):
    """The layers that own any of the labels."""
    return {
        layer
        for layer, pattern in _LAYERS.items()
        if any(re.match(pattern, label) for label in labels)
    }


@pytest.mark.parametrize("layer", _NAMES)
def test_a_layer_needs_none_above_it(layer):
    needed = layers_of(depends_on(layer))
    assert layer in needed
    assert needed <= set(_NAMES[: _NAMES.index(layer) + 1])


@pytest.mark.parametrize("layer", _NAMES)
def test_the_core_and_the_tests_stay_out(layer):
    labels = depends_on(layer)
    assert not [label for label in labels if re.match("//(tests|benchmarks)", label)]


def test_the_core_knows_no_python():
    core = _HERE.parents[1] / "csrc"
    for path in core.rglob("*"):
        if path.suffix in (".h", ".cc") and not path.stem.endswith("_module"):
            text = path.read_text(encoding="utf-8")
            assert not re.search("pybind11|Python.h", text), path.name


def test_the_engine_needs_every_layer_below():
    assert layers_of(depends_on("engine")) == set(_NAMES) - {"formats"}
