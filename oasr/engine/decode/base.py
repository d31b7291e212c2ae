"""The contract between a decode family and the executors.

Shapes: T encoder frames, V labels of the model's head.
"""

import abc
from collections.abc import Sequence
import dataclasses
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from oasr import tokenizers
from oasr.engine import config as engine_config
from oasr.engine import request
from oasr.engine.decode import options as family_options
from oasr.models import base as models
from oasr.models import token_segments

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

_OptionsT = TypeVar("_OptionsT", bound="DataclassInstance")


@dataclasses.dataclass(frozen=True)
class Hypothesis:
    """One decoded sequence.

    Attributes:
      ids: token ids as the vocabulary numbers them; no blanks, no repeats.
      score: total log-probability; higher is better.
      frames: the encoder frame, from 0, that emitted `ids[k]`; empty if unknown.
      spans: where `ids[k]` begins and ends, in frames from 0 that may be fractions; in
        place of `frames`, of families that know more than where a token was emitted.
      confidences: the posterior of `ids[k]`, in [0, 1]; empty if unknown.
      segments: the parts that the model cut it into, in order; empty if it cut none.
      language: that of the speech as the vocabulary spells it, if known.
    """

    ids: tuple[int, ...]
    score: float
    frames: tuple[int, ...] = ()
    confidences: tuple[float, ...] = ()
    spans: tuple[tuple[float, float], ...] = ()
    segments: tuple[token_segments.TokenSegment, ...] = ()
    language: str | None = None


@dataclasses.dataclass(frozen=True)
class StrategySetup:
    """What a strategy is built from.

    Attributes:
      config: how the deployment is set up.
      model: the model whose outputs will be decoded, for families that call it.
      tokenizer: that of the checkpoint, if there is one.
    """

    config: engine_config.EngineConfig
    model: Any = None
    tokenizer: tokenizers.Tokenizer | None = None

    def options(self, options_type: type[_OptionsT]) -> _OptionsT:
        """Returns `config.decode_options` as the family's dataclass."""
        return family_options.read_options(
            self.config.family, options_type, self.config.decode_options
        )


class DecodeStrategy(abc.ABC):
    """Turns a batch of model outputs into ranked hypotheses.

    A strategy deals in ids and frames only; text and seconds are made at the edge.

    Attributes:
      modes: the modes it can run in, of "offline" and "streaming".
      model_types: the Protocols of models it can decode; one of them will do.
    """

    modes: ClassVar[frozenset[str]] = frozenset({"offline"})
    model_types: ClassVar[tuple[type, ...]] = (models.ScoreModel,)

    @abc.abstractmethod
    def honours(self, mode: str) -> frozenset[str]:
        """Returns the fields of `DecodingOptions` that take effect in `mode`.

        Timing words needs the frames of tokens, so `word_timestamps` among them
        promises hypotheses with `frames` or `spans`.
        """

    def run_model(self, model: Any, inputs: Sequence[Any]) -> Sequence[Any]:
        """Returns what a model of `model_types` gives for each of `inputs`.

        Args:
          model: the deployment's.
          inputs: `Request.inputs` of each utterance of a batch, or the next chunk of
            each of some streams.
        """
        found: Sequence[Any] = model.scores(inputs)
        return found

    def frame_count(self, prepared: Any) -> int | None:
        """Returns the encoder frames in what `prepare` returned, None if not known."""
        return len(prepared)

    @abc.abstractmethod
    def prepare(self, scores: Any) -> Any:
        """Checks what the model gave for one utterance, once.

        Args:
          scores: that of `run_model`; by default `[T, V]` in the form that the
            deployment's `scores` names.

        Returns:
          What `decode` takes; by default `[T, V]`.

        Raises:
          ValueError: naming the place in `scores`, and what would be right.
        """

    @abc.abstractmethod
    def decode(
        self,
        scores: Sequence[Any],
        options: Sequence[request.DecodingOptions],
    ) -> list[list[Hypothesis]]:
        """Decodes a batch.

        Args:
          scores: for each utterance what `prepare` returned; T may differ.
          options: for each utterance what its request asks.

        Returns:
          For each utterance its hypotheses, at most `n_best`, their ids distinct,
          best first; never none.
        """
