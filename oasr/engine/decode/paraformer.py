"""Paraformer: all tokens in one shot, placed by the fires of its predictor.

Shapes: U tokens, V labels of the head.
"""

from collections.abc import Sequence
import dataclasses
from typing import Any

import numpy as np
from numpy import typing as npt

from oasr import showing
from oasr.engine import checks
from oasr.engine import request
from oasr.engine.decode import base
from oasr.engine.decode import head
from oasr.engine.decode import scores as score_forms
from oasr.models import paraformer
from oasr.tokenizers import token_ids


@dataclasses.dataclass(frozen=True, kw_only=True)
class ParaformerOptions:
    """The settings of the family `paraformer`.

    Attributes:
      drop_ids: ids that are no part of a transcript, as the end symbol; by default the
        special ids of the tokenizer, without one the blank.
    """

    drop_ids: Sequence[int] | None = None

    def __post_init__(self) -> None:
        if self.drop_ids is not None:
            try:
                token_ids.as_list(self.drop_ids)
            except TypeError as error:
                raise ValueError(f"decode_options['drop_ids']: {error}") from error


@dataclasses.dataclass(frozen=True, eq=False)
class Prepared:
    """One utterance, checked.

    Attributes:
      log_probs: `[U, V]`.
      fires: `[U]` frames that may be fractions, never decreasing; None if not known.
      frame_count: of the encoder; None if not known.
    """

    log_probs: npt.NDArray[np.float32]
    fires: npt.NDArray[np.float64] | None
    frame_count: int | None


class Paraformer(base.DecodeStrategy):
    """Takes the best label of each token.

    Args:
      scores: the form of the scores: "log_probs", "probs" or "logits".
      drop_ids: labels that are no part of a transcript.
      vocab_size: of the tokenizer; labels from there on render to nothing.
    """

    model_types = (paraformer.Paraformer,)

    def __init__(
        self,
        *,
        scores: str = "log_probs",
        drop_ids: Sequence[int] = (),
        vocab_size: int | None = None,
    ) -> None:
        self._form = scores
        self._drop_ids = frozenset(token_ids.as_list(drop_ids))
        self._head = head.Head(vocab_size)

    @classmethod
    def from_setup(cls, setup: base.StrategySetup) -> "Paraformer":
        """Builds the strategy that `setup.config` describes.

        Raises:
          ValueError: for a setting of the wrong kind.
        """
        drop_ids = setup.options(ParaformerOptions).drop_ids
        if drop_ids is None and setup.tokenizer:
            drop_ids = sorted(setup.tokenizer.special_ids)
        return cls(
            scores=setup.config.scores,
            drop_ids=[setup.config.blank_id] if drop_ids is None else drop_ids,
            vocab_size=setup.tokenizer.vocab_size if setup.tokenizer else None,
        )

    def honours(self, mode: str) -> frozenset[str]:
        """Returns the fields of `DecodingOptions` that take effect."""
        return frozenset({"word_timestamps"} if mode in self.modes else ())

    def run_model(
        self, model: paraformer.Paraformer, inputs: Sequence[Any]
    ) -> Sequence[paraformer.OneShot]:
        """Returns what the model says of each utterance in one shot."""
        return model.one_shot(inputs)

    def frame_count(self, prepared: Prepared) -> int | None:
        """Returns the encoder frames of an utterance, None if not known."""
        return prepared.frame_count

    def prepare(self, scores: paraformer.OneShot) -> Prepared:
        """Returns what the model said, checked.

        Raises:
          ValueError: naming what is wrong, and what would be right.
        """
        if not isinstance(scores, paraformer.OneShot):
            raise ValueError(
                "one_shot must give an oasr.models.paraformer.OneShot per utterance,"
                f" got {showing.shown(scores)}."
            )
        frames = scores.frame_count
        if frames is not None or scores.fires is not None:
            checks.integer("OneShot.frame_count", frames, at_least=0)
        log_probs = score_forms.as_log_probs(scores.scores, self._form)
        if len(log_probs):
            self._head.check(log_probs.shape[1])
        if scores.fires is None or frames is None:
            return Prepared(log_probs, None, frames)
        return Prepared(log_probs, _fires(scores.fires, len(log_probs), frames), frames)

    def decode(
        self,
        scores: Sequence[Prepared],
        options: Sequence[request.DecodingOptions],
    ) -> list[list[base.Hypothesis]]:
        """Decodes each utterance to the one hypothesis there is.

        Raises:
          ValueError: if words are to be timed and where tokens fired is not known.
        """
        for one, asked in zip(scores, options, strict=True):
            if asked.word_timestamps and one.fires is None:
                raise ValueError(
                    "Word timings need the fires of the tokens, OneShot.fires, got"
                    " none; recorded scores do not say them."
                )
        return [[self._decode_one(one)] for one in scores]

    def _decode_one(self, one: Prepared) -> base.Hypothesis:
        if len(one.log_probs) == 0:
            return base.Hypothesis((), 0.0)
        best = one.log_probs.argmax(axis=1)
        values = one.log_probs.max(axis=1).astype(np.float64)
        kept = [k for k, label in enumerate(best) if label not in self._drop_ids]
        return base.Hypothesis(
            ids=tuple(best[kept].tolist()),
            score=float(values.sum()),
            confidences=tuple(np.exp(values[kept]).clip(max=1.0).tolist()),
            spans=() if one.fires is None else _spans(one.fires, kept),
        )


def _spans(
    fires: npt.NDArray[np.float64], kept: Sequence[int]
) -> tuple[tuple[float, float], ...]:
    """Returns the frames of the kept tokens: each owns those since the fire before."""
    starts = np.concatenate([[0.0], fires[:-1]])
    return tuple(zip(starts[kept].tolist(), fires[kept].tolist(), strict=True))


def _fires(
    given: npt.ArrayLike, tokens: int, frame_count: int
) -> npt.NDArray[np.float64]:
    try:
        fires = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"Fires must be numbers, got {showing.shown(given)}."
        ) from error
    if fires.shape != (tokens,):
        raise ValueError(
            f"{tokens} tokens need as many fires, got the shape {fires.shape}."
        )
    inside = (fires >= 0) & (fires <= frame_count)  # False for a NaN.
    if not inside.all() or (np.diff(fires) < 0).any():
        raise ValueError(
            f"Fires must be frames from 0 to {frame_count} that never decrease, got"
            f" {showing.shown(fires.tolist())}."
        )
    return fires
