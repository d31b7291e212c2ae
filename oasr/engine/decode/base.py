"""The contract between a decode family and the executors.

Shapes: T encoder frames, V labels of the model's head.
"""

import abc
from collections.abc import Sequence
import dataclasses
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np
from numpy import typing as npt

from oasr import tokenizers
from oasr.engine import config as engine_config
from oasr.engine import request
from oasr.engine.decode import options as family_options

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
      confidences: the posterior of `ids[k]`, in [0, 1]; empty if unknown.
    """

    ids: tuple[int, ...]
    score: float
    frames: tuple[int, ...] = ()
    confidences: tuple[float, ...] = ()


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
    """

    modes: ClassVar[frozenset[str]] = frozenset({"offline"})

    @abc.abstractmethod
    def honours(self, mode: str) -> frozenset[str]:
        """Returns the fields of `DecodingOptions` that take effect in `mode`.

        Timing words needs emission frames, so `word_timestamps` among them promises
        hypotheses with `frames`.
        """

    @abc.abstractmethod
    def prepare(self, scores: npt.ArrayLike) -> npt.NDArray[np.float32]:
        """Checks what the model gave for one utterance, once.

        Args:
          scores: `[T, V]` in the form that the deployment's `scores` names.

        Returns:
          `[T, V]` as `decode` takes it.

        Raises:
          ValueError: naming the place in `scores`, and what would be right.
        """

    @abc.abstractmethod
    def decode(
        self,
        scores: Sequence[npt.NDArray[np.float32]],
        options: Sequence[request.DecodingOptions],
    ) -> list[list[Hypothesis]]:
        """Decodes a batch.

        Args:
          scores: for each utterance its `[T, V]` from `prepare`; T may differ.
          options: for each utterance what its request asks.

        Returns:
          For each utterance its hypotheses, at most `n_best`, their ids distinct,
          best first; never none.
        """
