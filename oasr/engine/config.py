"""How a deployment is set up: one value that every layer of the engine reads."""

from collections.abc import Mapping
import dataclasses
import os
from typing import Any

from oasr import showing
from oasr import tokenizers
from oasr.engine import checks
from oasr.engine import endpointing as endpoints
from oasr.engine import limits

MODES = ("offline", "streaming")
SCORE_FORMS = ("log_probs", "probs", "logits")


@dataclasses.dataclass(frozen=True, kw_only=True)
class EngineConfig:
    """How a deployment decodes.

    Attributes:
      family: the way of decoding, a name the strategy registry knows.
      mode: "offline" or "streaming".
      tokenizer: what the checkpoint says about its tokenizer; a mapping is read by
        `TokenizerSpec.from_dict`.
      unit_table: path of a unit table, for checkpoints without a spec.
      sentencepiece_model: accepted beside `unit_table`, and not used.
      scores: the form of the model's scores: "log_probs", "probs" or "logits".
      blank_id: the label of the scores that stands for no token.
      seconds_per_frame: between the model's output frames; None if not known.
      max_token_seconds: the longest span a token may own before its own frame.
      decode_options: the family's own settings, by name.
      max_batch_size: how many requests are decoded together, at most; of
        streams the next chunks of all.
      endpointing: when an utterance of a stream is over, or a mapping of its fields;
        None makes each stream one utterance.
    """

    family: str = "ctc"
    mode: str = "offline"
    tokenizer: tokenizers.TokenizerSpec | None = None
    unit_table: str | os.PathLike[str] | None = None
    sentencepiece_model: str | os.PathLike[str] | None = None
    scores: str = "log_probs"
    blank_id: int = 0
    seconds_per_frame: float | None = None
    max_token_seconds: float = 0.5
    decode_options: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    max_batch_size: int = 8
    endpointing: endpoints.Endpointing | None = None

    def __post_init__(self) -> None:
        checks.text("EngineConfig.family", self.family)
        checks.one_of("EngineConfig.mode", self.mode, MODES)
        checks.one_of("EngineConfig.scores", self.scores, SCORE_FORMS)
        checks.integer("EngineConfig.blank_id", self.blank_id, at_least=0)
        checks.integer(
            "EngineConfig.max_batch_size",
            self.max_batch_size,
            at_least=1,
            at_most=limits.MAX_BATCH_SIZE,
        )
        if self.seconds_per_frame is not None:
            checks.number(
                "EngineConfig.seconds_per_frame", self.seconds_per_frame, above=0
            )
        checks.number("EngineConfig.max_token_seconds", self.max_token_seconds, above=0)
        checks.mapping("EngineConfig.decode_options", self.decode_options)
        object.__setattr__(self, "decode_options", dict(self.decode_options))
        self._check_tokenizer()
        self._check_endpointing()

    def _check_endpointing(self) -> None:
        if isinstance(self.endpointing, Mapping):
            rules = endpoints.Endpointing.from_mapping(self.endpointing)
            object.__setattr__(self, "endpointing", rules)
        if self.endpointing is None:
            return
        if not isinstance(self.endpointing, endpoints.Endpointing):
            raise ValueError(
                "EngineConfig.endpointing must be an Endpointing or a mapping of its"
                f" fields, got {showing.shown(self.endpointing)}."
            )
        if self.mode != "streaming" or self.seconds_per_frame is None:
            raise ValueError(
                "EngineConfig.endpointing needs mode='streaming' and"
                f" seconds_per_frame, got mode={self.mode!r} and"
                f" seconds_per_frame={showing.shown(self.seconds_per_frame)}."
            )

    def _check_tokenizer(self) -> None:
        if isinstance(self.tokenizer, Mapping):
            spec = tokenizers.TokenizerSpec.from_dict(self.tokenizer)
            object.__setattr__(self, "tokenizer", spec)
        if not isinstance(self.tokenizer, tokenizers.TokenizerSpec | None):
            raise ValueError(
                "EngineConfig.tokenizer must be a TokenizerSpec,"
                f" got {showing.shown(self.tokenizer)}."
            )
        for name in ("unit_table", "sentencepiece_model"):
            path = getattr(self, name)
            if not isinstance(path, str | os.PathLike | None) or path == "":
                raise ValueError(
                    f"EngineConfig.{name} must be a path, got {showing.shown(path)}."
                )
