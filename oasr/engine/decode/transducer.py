"""Transducers: an encoder's frames and the tokens before say what comes next.

Shapes: T encoder frames, D values of a frame.
"""

from collections.abc import Sequence
import dataclasses
from typing import Any

import numpy as np
from numpy import typing as npt

from oasr.engine import checks
from oasr.engine import limits
from oasr.engine import request
from oasr.engine.decode import base
from oasr.engine.decode import head
from oasr.engine.decode import streams
from oasr.engine.decode import transducer_network as networks
from oasr.engine.decode import transducer_search as searches
from oasr.models import base as models
from oasr.models import transducer

_SEARCHES = ("greedy", "modified_beam")


@dataclasses.dataclass(frozen=True, kw_only=True)
class TransducerOptions:
    """The settings of the family `transducer`.

    Attributes:
      search: "greedy", "modified_beam", or None: the beam for a request that asks for
        more than one hypothesis, else greedy.
      beam_size: how many extensions survive a frame of the beam; at least `n_best` do.
        By default as many as in icefall.
      max_symbols_per_frame: how many tokens greedy search takes from one frame, at
        most; by default as many as in NeMo. The beam takes one.
    """

    search: str | None = None
    beam_size: int = 4
    max_symbols_per_frame: int = 10

    def __post_init__(self) -> None:
        if self.search is not None:
            checks.one_of("decode_options['search']", self.search, _SEARCHES)
        for name in ("beam_size", "max_symbols_per_frame"):
            checks.integer(
                f"decode_options[{name!r}]",
                getattr(self, name),
                at_least=1,
                at_most=limits.MAX_BEAM_SIZE,
            )


class Transducer(streams.StreamingStrategy):
    """Decodes encoder frames, calling predictor and joiner.

    Args:
      model: a transducer with a predictor of either kind.
      blank_id: the label that stands for no token.
      scores: the form of the joiner's scores: "log_probs", "probs" or "logits".
      options: the family's settings.
      vocab_size: of the tokenizer; labels from there on render to nothing.

    Raises:
      TypeError: if `model` is no transducer.
    """

    model_types = (transducer.StatelessTransducer, transducer.RecurrentTransducer)
    finds_endpoints = True

    def __init__(
        self,
        model: transducer.Transducer,
        *,
        blank_id: int = 0,
        scores: str = "log_probs",
        options: TransducerOptions | None = None,
        vocab_size: int | None = None,
    ) -> None:
        models.check_model(model, *self.model_types)
        self._blank_id = blank_id
        self._options = options or TransducerOptions()
        self._network = networks.Network(
            model, blank_id, scores, head.Head(vocab_size, blank_id)
        )

    @classmethod
    def from_setup(cls, setup: base.StrategySetup) -> "Transducer":
        """Builds the strategy that `setup.config` describes.

        Raises:
          TypeError: if the model is no transducer.
          ValueError: for a setting of the wrong kind.
        """
        return cls(
            setup.model,
            blank_id=setup.config.blank_id,
            scores=setup.config.scores,
            options=setup.options(TransducerOptions),
            vocab_size=setup.tokenizer.vocab_size if setup.tokenizer else None,
        )

    def honours(self, mode: str) -> frozenset[str]:
        """Returns the fields of `DecodingOptions` that take effect."""
        if mode not in self.modes:
            return frozenset()
        if self._options.search == "greedy":
            return frozenset({"word_timestamps"})
        return frozenset({"n_best", "word_timestamps"})

    def run_model(
        self, model: transducer.Transducer, inputs: Sequence[Any]
    ) -> Sequence[npt.ArrayLike]:
        """Returns the encoder's frames."""
        return model.encode(inputs)

    def prepare(self, scores: npt.ArrayLike) -> npt.NDArray[Any]:
        """Returns `[T, D]` encoder frames, checked."""
        return networks.encoder_frames(scores)

    def decode(
        self,
        scores: Sequence[npt.NDArray[Any]],
        options: Sequence[request.DecodingOptions],
    ) -> list[list[base.Hypothesis]]:
        """Decodes each utterance; greedy search finds one hypothesis."""
        return [
            self._decode_one(frames, asked)
            for frames, asked in zip(scores, options, strict=True)
        ]

    def new_stream(self, options: request.DecodingOptions) -> streams.DecodeStream:
        """Returns the stream of an utterance of which nothing was heard."""
        search = self._options.search or _SEARCHES[options.n_best > 1]
        if search == "greedy":
            return searches.Greedy(
                self._network,
                blank_id=self._blank_id,
                max_symbols_per_frame=self._options.max_symbols_per_frame,
            )
        return searches.ModifiedBeam(
            self._network,
            blank_id=self._blank_id,
            beam_size=max(self._options.beam_size, options.n_best),
            n_best=options.n_best,
        )

    def _decode_one(
        self, frames: npt.NDArray[np.floating[Any]], asked: request.DecodingOptions
    ) -> list[base.Hypothesis]:
        stream = self.new_stream(asked)
        stream.feed(frames)
        return list(stream.finish())
