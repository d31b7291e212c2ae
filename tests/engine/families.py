"""One small deployment of each built-in family, to try what all of them must do."""

from collections.abc import Callable
import dataclasses
import functools
import pathlib
import tempfile
from typing import Any

import numpy as np

from oasr import engine
from oasr import tokenizers
from tests.engine import invariants
from tests.engine import models
from tests.engine.decode import small_whisper

SECONDS_PER_FRAME = 0.04


@dataclasses.dataclass(frozen=True)
class Family:
    """How a family is tried.

    Attributes:
      model: makes its model.
      inputs: gives the inputs of an utterance, by seed; long enough that the model says
        several tokens.
      count_frames: the encoder frames of such inputs.
      fields: gives further fields of the configuration.
      shows_numbers: whether ids show as numbers, with blanks between.
    """

    model: Callable[[], Any]
    inputs: Callable[[int], Any]
    count_frames: Callable[[Any], int | None] = len
    fields: Callable[[], dict[str, Any]] = dict
    shows_numbers: bool = True


def scores_of(seed, frames=20, labels=5):
    """Returns `[T, V]` log-probabilities."""
    logits = np.random.default_rng(seed).normal(scale=2.0, size=(frames, labels))
    return models.log_softmax(logits)


def one_shot_of(seed, tokens=6, labels=5):
    """Returns the fields of a `OneShot`; none of the tokens is blank."""
    rng = np.random.default_rng(seed)
    logits = rng.normal(size=(tokens, labels))
    logits[:, 0] = -20.0
    fires = np.sort(rng.uniform(0, 30, size=tokens))
    return {"scores": models.log_softmax(logits), "fires": fires, "frame_count": 30}


@functools.cache
def whisper():
    """Returns a small vocabulary like Whisper's: its specification, its tokenizer."""
    spec = small_whisper.write(pathlib.Path(tempfile.mkdtemp()))
    return spec, tokenizers.build_tokenizer(spec)


def aed_fields():
    options = {"language": "en", "max_new_tokens": 12}
    return {"tokenizer": whisper()[0], "decode_options": options}


def llm_fields():
    """Returns a deployment whose prompts are the vocabulary's own control tokens."""
    spec, tokenizer = whisper()
    listens = [{"markup": "<|startoftranscript|>"}, {"audio": True}]
    shapes = {"": listens, "prompt": [*listens, {"slot": "prompt"}]}
    turn = [{"slot": "user"}, {"markup": "<|en|>"}, {"slot": "reply"}]
    turns = {"prompt": {"first": turn, "again": turn, "last": shapes["prompt"]}}
    options = {
        "prompts": {"shapes": shapes, "turns": turns},
        "audio_id": tokenizer.control_id("<|nospeech|>"),
        "end_ids": [tokenizer.eot_id],
        "max_new_tokens": 12,
    }
    return {"tokenizer": spec, "decode_options": options}


FAMILIES = {
    "aed": Family(
        lambda: small_whisper.Aligned(whisper()[1]),
        lambda seed: 100 + seed,
        lambda given: given,
        aed_fields,
        shows_numbers=False,
    ),
    "ctc": Family(lambda: None, scores_of),
    "ctc_aed_rescoring": Family(lambda: models.Rescoring(1, labels=5), scores_of),
    "llm": Family(
        lambda: small_whisper.Model(whisper()[1]),
        lambda seed: 4 + seed,
        lambda given: None,
        llm_fields,
        shows_numbers=False,
    ),
    "paraformer": Family(
        models.Paraformer, one_shot_of, lambda given: given["frame_count"]
    ),
    "transducer": Family(
        lambda: models.Stateless(1, labels=5, blank_bias=1.0),
        lambda seed: models.audio(seed, 20),
    ),
}


def build(family, mode="offline", *, model=None, **fields):
    """Returns an engine that checks what it gives."""
    tried = FAMILIES[family]
    own = tried.fields()
    given = fields.pop("decode_options", {})
    options = {**own.pop("decode_options", {}), **given}
    config = engine.EngineConfig(
        **{
            "family": family,
            "mode": mode,
            "seconds_per_frame": SECONDS_PER_FRAME,
            "decode_options": options,
            **own,
            **fields,
        }
    )
    made = tried.model() if model is None else model
    return invariants.CheckedEngine(config, made, count_frames=tried.count_frames)
