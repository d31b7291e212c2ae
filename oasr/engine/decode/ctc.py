"""CTC: a label per frame, repeats merged, blanks dropped.

Shapes: T frames, V labels.
"""

from collections.abc import Sequence
import dataclasses
from typing import Any

import numpy as np
from numpy import typing as npt

from oasr._native import ctc_prefix_beam
from oasr.engine import checks
from oasr.engine import limits
from oasr.engine import request
from oasr.engine.decode import base
from oasr.engine.decode import ctc_streams
from oasr.engine.decode import head
from oasr.engine.decode import hotwords
from oasr.engine.decode import scores as score_forms
from oasr.engine.decode import streams

_SEARCHES = ("greedy", "prefix_beam")


@dataclasses.dataclass(frozen=True, kw_only=True)
class CtcOptions:
    """The settings of the family `ctc`.

    Attributes:
      search: "greedy", "prefix_beam", or None: the beam for a request that asks for
        more than one hypothesis, else greedy.
      beam_size: how many prefixes survive a frame; at least `n_best` do.
      candidates_per_frame: how many labels of a frame may extend a prefix; None for
        all that can matter to a beam of this size.
      candidate_margin: how far below the best label of a frame, in nats, a label may
        be to extend a prefix; None for as far as can matter.
      hotwords: phrases that the beam prefers, as (phrase, boost) pairs; see
        `hotwords.build_context`. With any, the beam is searched for one hypothesis,
        too.
    """

    search: str | None = None
    beam_size: int = 10
    candidates_per_frame: int | None = None
    candidate_margin: float | None = None
    hotwords: Sequence[tuple[Any, float]] = ()

    def __post_init__(self) -> None:
        if self.search is not None:
            checks.one_of("decode_options['search']", self.search, _SEARCHES)
        checks.integer(
            "decode_options['beam_size']",
            self.beam_size,
            at_least=1,
            at_most=limits.MAX_BEAM_SIZE,
        )
        if self.candidates_per_frame is not None:
            checks.integer(
                "decode_options['candidates_per_frame']",
                self.candidates_per_frame,
                at_least=1,
            )
        if self.candidate_margin is not None:
            checks.number(
                "decode_options['candidate_margin']", self.candidate_margin, above=0
            )
        if self.search == "greedy" and self.hotwords:
            raise ValueError(
                "decode_options['hotwords'] need search='prefix_beam'; greedy search"
                " cannot prefer phrases."
            )


class Ctc(streams.StreamingStrategy):
    """Decodes one label distribution per frame.

    Args:
      blank_id: the label that stands for no token.
      scores: the form of the scores: "log_probs", "probs" or "logits".
      options: the family's settings.
      vocab_size: of the tokenizer; labels from there on render to nothing.
      context: the phrases of `options.hotwords`, as ids.
    """

    finds_endpoints = True

    def __init__(
        self,
        *,
        blank_id: int = 0,
        scores: str = "log_probs",
        options: CtcOptions | None = None,
        vocab_size: int | None = None,
        context: ctc_prefix_beam.ContextGraph | None = None,
    ) -> None:
        self._blank_id = blank_id
        self._form = scores
        self._options = options or CtcOptions()
        self._head = head.Head(vocab_size, blank_id)
        self._context = context

    @classmethod
    def from_setup(cls, setup: base.StrategySetup) -> "Ctc":
        """Builds the strategy that `setup.config` describes.

        Raises:
          ValueError: for a setting of the wrong kind, or hotwords that have no ids.
        """
        options = setup.options(CtcOptions)
        return cls(
            blank_id=setup.config.blank_id,
            scores=setup.config.scores,
            options=options,
            vocab_size=setup.tokenizer.vocab_size if setup.tokenizer else None,
            context=hotwords.build_context(
                options.hotwords, setup.tokenizer, blank_id=setup.config.blank_id
            ),
        )

    def honours(self, mode: str) -> frozenset[str]:
        """Returns the fields of `DecodingOptions` that take effect."""
        if mode not in self.modes:
            return frozenset()
        if self._options.search == "greedy":
            return frozenset({"word_timestamps"})
        return frozenset({"n_best", "word_timestamps"})

    def prepare(self, scores: npt.ArrayLike) -> npt.NDArray[np.float32]:
        """Returns `[T, V]` scores as log-probabilities."""
        log_probs = score_forms.as_log_probs(scores, self._form)
        if len(log_probs):  # Where there are no frames, there may be no head.
            self._head.check(log_probs.shape[1])
        return log_probs

    def decode(
        self,
        scores: Sequence[npt.NDArray[np.float32]],
        options: Sequence[request.DecodingOptions],
    ) -> list[list[base.Hypothesis]]:
        """Decodes each utterance; greedy search finds one hypothesis."""
        return [
            self._decode_one(log_probs, asked.n_best)
            for log_probs, asked in zip(scores, options, strict=True)
        ]

    def new_stream(self, options: request.DecodingOptions) -> streams.DecodeStream:
        """Returns the stream of an utterance of which nothing was heard."""
        if self._is_greedy(options.n_best):
            return ctc_streams.GreedyStream(self._blank_id)
        beam = ctc_prefix_beam.CtcPrefixBeam(**self._beam_options(options.n_best))
        return ctc_streams.BeamStream(beam, options.n_best, blank_id=self._blank_id)

    def _decode_one(
        self, log_probs: npt.NDArray[np.float32], n_best: int
    ) -> list[base.Hypothesis]:
        if len(log_probs) == 0:  # There may be no head to look for blank in.
            return [base.Hypothesis((), 0.0)]
        if self._is_greedy(n_best):
            return [ctc_streams.greedy(log_probs, blank_id=self._blank_id)]
        found = ctc_prefix_beam.search(
            log_probs, n_best=n_best, **self._beam_options(n_best)
        )
        return [ctc_streams.hypothesis(one) for one in found]

    def _is_greedy(self, n_best: int) -> bool:
        wants_beam = n_best > 1 or self._context is not None
        return (self._options.search or _SEARCHES[wants_beam]) == "greedy"

    def _beam_options(self, n_best: int) -> dict[str, Any]:
        return {
            "blank_id": self._blank_id,
            "beam_size": max(self._options.beam_size, n_best),
            "candidates_per_frame": self._options.candidates_per_frame,
            "candidate_margin": self._options.candidate_margin,
            "context": self._context,
        }
