"""CTC proposes hypotheses, attention decoders score them, and both choose the best.

Shapes: T frames, V labels, N hypotheses, L ids of a hypothesis.
"""

from collections.abc import Callable, Sequence
import dataclasses
from typing import Any

import numpy as np
from numpy import typing as npt

from oasr import showing
from oasr._native import ctc_prefix_beam
from oasr.engine import checks
from oasr.engine import limits
from oasr.engine import request
from oasr.engine.decode import attention_scores
from oasr.engine.decode import base
from oasr.engine.decode import ctc_streams
from oasr.engine.decode import head
from oasr.engine.decode import scores as score_forms
from oasr.engine.decode import streams
from oasr.models import base as models
from oasr.models import rescoring

_Scorer = Callable[[Any, Sequence[Sequence[int]]], Sequence[npt.ArrayLike]]


@dataclasses.dataclass(frozen=True, kw_only=True)
class RescoringOptions:
    """The settings of the family `ctc_aed_rescoring`.

    The defaults are those of WeNet's runtime (`DecodeOptions` there).

    Attributes:
      beam_size: how many prefixes CTC keeps, all of which are rescored; at least
        `n_best` are.
      ctc_weight: what the score of CTC counts beside that of attention.
      reverse_weight: which share of the attention's score is the right-to-left
        decoder's, in [0, 1].
    """

    beam_size: int = 10
    ctc_weight: float = 0.5
    reverse_weight: float = 0.0

    def __post_init__(self) -> None:
        checks.integer(
            "decode_options['beam_size']",
            self.beam_size,
            at_least=1,
            at_most=limits.MAX_BEAM_SIZE,
        )
        checks.number("decode_options['ctc_weight']", self.ctc_weight, at_least=0)
        checks.number(
            "decode_options['reverse_weight']",
            self.reverse_weight,
            at_least=0,
            at_most=1,
        )


@dataclasses.dataclass(frozen=True, eq=False)
class Prepared:
    """One utterance, checked.

    Attributes:
      log_probs: `[T, V]` of the CTC head.
      memory: for the attention decoders.
    """

    log_probs: npt.NDArray[np.float32]
    memory: Any


class CtcAedRescoring(streams.StreamingStrategy):
    """Ranks the hypotheses of a CTC beam by WeNet's formula.

    `ctc_weight * ctc + (1 - r) * left_to_right + r * right_to_left`, r being
    `reverse_weight`; an attention score is the sum of the log-probabilities of the ids
    and the end symbol. A stream's partials are those of the beam; it is rescored when
    all of it was heard.

    Args:
      model: one with the decoders that the weights ask for.
      blank_id: the label of the CTC head that stands for no token.
      scores: the form of its scores: "log_probs", "probs" or "logits".
      options: the family's settings.
      vocab_size: of the tokenizer; labels from there on render to nothing.

    Raises:
      TypeError: if `model` lacks such a decoder.
    """

    model_types = (rescoring.RescoringModel,)

    def __init__(
        self,
        model: rescoring.RescoringModel,
        *,
        blank_id: int = 0,
        scores: str = "log_probs",
        options: RescoringOptions | None = None,
        vocab_size: int | None = None,
    ) -> None:
        self._options = options or RescoringOptions()
        share = self._options.reverse_weight
        models.check_model(
            model,
            rescoring.BidirectionalRescoringModel if share else self.model_types[0],
        )
        self._model = model
        self._blank_id = blank_id
        self._form = scores
        self._head = head.Head(vocab_size, blank_id)
        # What has no weight is not asked, as -inf times 0 is no number.
        self._scorers: list[tuple[float, str, _Scorer]] = []
        if share < 1:
            self._scorers.append((1 - share, "left_to_right", model.left_to_right))
        if share:
            reverse: _Scorer = getattr(model, "right_to_left")  # noqa: B009
            self._scorers.append((share, "right_to_left", reverse))

    @classmethod
    def from_setup(cls, setup: base.StrategySetup) -> "CtcAedRescoring":
        """Builds the strategy that `setup.config` describes.

        Raises:
          TypeError: if the model lacks a decoder that the weights ask for, or cannot
            join the chunks of a stream.
          ValueError: for a setting of the wrong kind.
        """
        if setup.config.mode == "streaming":
            models.check_model(setup.model, rescoring.StreamingRescoringModel)
        return cls(
            setup.model,
            blank_id=setup.config.blank_id,
            scores=setup.config.scores,
            options=setup.options(RescoringOptions),
            vocab_size=setup.tokenizer.vocab_size if setup.tokenizer else None,
        )

    def honours(self, mode: str) -> frozenset[str]:
        """Returns the fields of `DecodingOptions` that take effect."""
        return frozenset({"n_best", "word_timestamps"} if mode in self.modes else ())

    def run_model(
        self, model: rescoring.RescoringModel, inputs: Sequence[Any]
    ) -> Sequence[rescoring.Encoded]:
        """Returns what the encoder says of each utterance."""
        return model.encode(inputs)

    def frame_count(self, prepared: Prepared) -> int:
        """Returns the frames of the CTC head."""
        return len(prepared.log_probs)

    def prepare(self, scores: rescoring.Encoded) -> Prepared:
        """Returns the scores of the CTC head as log-probabilities, and the memory.

        Raises:
          ValueError: naming what is wrong, and what would be right.
        """
        if not isinstance(scores, rescoring.Encoded):
            raise ValueError(
                "encode must give an oasr.models.rescoring.Encoded per utterance, got"
                f" {showing.shown(scores)}."
            )
        log_probs = score_forms.as_log_probs(scores.scores, self._form)
        if len(log_probs):
            self._head.check(log_probs.shape[1])
        return Prepared(log_probs, scores.memory)

    def decode(
        self,
        scores: Sequence[Prepared],
        options: Sequence[request.DecodingOptions],
    ) -> list[list[base.Hypothesis]]:
        """Decodes each utterance; frames and confidences are those of CTC."""
        return [
            self._decode_one(one, asked.n_best)
            for one, asked in zip(scores, options, strict=True)
        ]

    def new_stream(self, options: request.DecodingOptions) -> streams.DecodeStream:
        """Returns the stream of an utterance of which nothing was heard."""
        return RescoringStream(self, options.n_best)

    def new_beam(self, n_best: int) -> ctc_prefix_beam.CtcPrefixBeam:
        """Returns the beam of an utterance of which nothing was heard."""
        return ctc_prefix_beam.CtcPrefixBeam(
            blank_id=self._blank_id, beam_size=max(self._options.beam_size, n_best)
        )

    def join(self, memories: Sequence[Any]) -> Any:
        """Returns the memory of an utterance, of those of its chunks."""
        assert isinstance(self._model, rescoring.StreamingRescoringModel)
        return self._model.join(memories)

    def rescored(
        self, beam: ctc_prefix_beam.CtcPrefixBeam, memory: Any, n_best: int
    ) -> list[base.Hypothesis]:
        """Returns the hypotheses of a beam by the formula, best first.

        Args:
          beam: that has heard all.
          memory: of what it heard.
          n_best: how many to return, at most.
        """
        size = max(self._options.beam_size, n_best)
        found = [ctc_streams.hypothesis(each) for each in beam.n_best(size)]
        totals = np.array([self._options.ctc_weight * h.score for h in found])
        for weight, name, scorer in self._scorers:
            given = scorer(memory, [hypothesis.ids for hypothesis in found])
            totals += weight * attention_scores.sums(
                name, given, [len(h.ids) for h in found]
            )
        ranked = [
            dataclasses.replace(hypothesis, score=total)
            for hypothesis, total in zip(found, totals.tolist(), strict=True)
        ]
        ranked.sort(key=lambda hypothesis: (-hypothesis.score, hypothesis.ids))
        return ranked[:n_best]

    def _decode_one(self, one: Prepared, n_best: int) -> list[base.Hypothesis]:
        if len(one.log_probs) == 0:  # There is nothing to attend to.
            return [base.Hypothesis((), 0.0)]
        beam = self.new_beam(n_best)
        beam.feed(one.log_probs)
        return self.rescored(beam, one.memory, n_best)


class RescoringStream(streams.DecodeStream):
    """A CTC beam that is fed, and what its chunks left in memory.

    Args:
      strategy: rescores at the end.
      n_best: how many hypotheses to return at the end, at most.
    """

    def __init__(self, strategy: CtcAedRescoring, n_best: int) -> None:
        self._strategy = strategy
        self._n_best = n_best
        self._beam = strategy.new_beam(n_best)
        self._memories: list[Any] = []

    def feed(self, scores: Prepared) -> None:
        """Advances over the frames of a chunk."""
        if len(scores.log_probs):
            self._beam.feed(scores.log_probs)
            self._memories.append(scores.memory)

    def partial(self) -> streams.Partial:
        """Returns the best prefix of the beam; rescoring may prefer any live one."""
        best = ctc_streams.hypothesis(self._beam.best())
        return streams.Partial(best, self._beam.stable_length)

    def finish(self) -> Sequence[base.Hypothesis]:
        """Returns the n-best list, best first."""
        if not self._memories:
            return [base.Hypothesis((), 0.0)]
        memory = self._strategy.join(self._memories)
        return self._strategy.rescored(self._beam, memory, self._n_best)
