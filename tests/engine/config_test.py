"""Tests for config: what a deployment may say, and the errors for the rest."""

import pathlib
import re

import pytest

from oasr import tokenizers
from oasr.engine import config


def test_defaults():
    made = config.EngineConfig()
    assert (made.family, made.mode, made.scores) == ("ctc", "offline", "log_probs")
    assert (made.blank_id, made.max_token_seconds) == (0, 0.5)
    assert made.seconds_per_frame is None
    assert made.tokenizer is None


def test_a_tokenizer_may_be_the_mapping_of_its_spec():
    spec = tokenizers.TokenizerSpec("symbol_table", {"table": "units.txt"})
    assert config.EngineConfig(tokenizer=spec.to_dict()).tokenizer == spec
    assert config.EngineConfig(tokenizer=spec).tokenizer is spec


def test_legacy_paths_may_be_path_objects():
    path = pathlib.Path("units.txt")
    assert config.EngineConfig(unit_table=path).unit_table == path


@pytest.mark.parametrize(
    ("field", "value", "wanted"),
    [
        ("family", "", "a non-empty string"),
        ("mode", "online", "one of ['offline', 'streaming']"),
        ("scores", "posteriors", "one of ['log_probs', 'logits', 'probs']"),
        ("blank_id", -1, "an integer of at least 0"),
        ("blank_id", True, "an integer of at least 0"),
        ("max_batch_size", 0, "an integer of at least 1"),
        ("seconds_per_frame", 0, "a finite number above 0"),
        ("seconds_per_frame", float("nan"), "a finite number above 0"),
        ("max_token_seconds", 0.0, "a finite number above 0"),
        ("max_token_seconds", None, "a finite number above 0"),
        ("decode_options", ["beam_size"], "a mapping from names"),
        ("tokenizer", "symbol_table", "a TokenizerSpec"),
        ("unit_table", 3, "a path"),
        ("unit_table", "", "a path"),
        ("sentencepiece_model", b"x", "a path"),
    ],
)
def test_bad_values_are_named(field, value, wanted):
    message = f"EngineConfig.{field} must be {wanted}, got {value!r}."
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        config.EngineConfig(**{field: value})


def test_a_field_that_does_not_exist_is_refused():
    with pytest.raises(TypeError, match="beam"):
        config.EngineConfig(beam=3)
