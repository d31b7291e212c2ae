"""Attention decoders: a prompt of control tokens, then the transcript."""

from collections.abc import Sequence
import dataclasses
from typing import Any

import numpy as np
from numpy import typing as npt

from oasr.engine import config as engine_config
from oasr.engine import request
from oasr.engine.decode import aed_prompt
from oasr.engine.decode import aed_searched
from oasr.engine.decode import aed_setup
from oasr.engine.decode import base
from oasr.engine.decode import dtw
from oasr.engine.decode import incremental
from oasr.engine.decode import segments
from oasr.engine.decode import timestamp_rules
from oasr.engine.decode import token_search
from oasr.models import incremental as models
from oasr.models import searching


def build(setup: base.StrategySetup) -> base.DecodeStrategy:
    """Builds the strategy that suits the model: one that searches itself, or not.

    Raises:
      ValueError: for a setting of the wrong kind, or a vocabulary without prompts.
    """
    options = setup.options(aed_setup.AedOptions)
    if options.timestamps is None:
        # Only with Whisper's vocabulary are there any.
        follows = isinstance(setup.model, searching.LongAudioModel)
        options = dataclasses.replace(
            options, timestamps=follows and aed_prompt.is_whisper(setup.tokenizer)
        )
    task = aed_setup.AedSetup.of(options, setup.tokenizer)
    if isinstance(setup.model, searching.SearchingModel):
        return aed_searched.AedSearched(setup.model, options, task)
    return Aed(setup.model, setup.config, options, task)


class Aed(incremental.IncrementalStrategy):
    """Turns a model that scores one token after the other.

    Args:
      model: an `oasr.models.incremental.IncrementalModel`; an `AligningModel` can
        time words.
      config: how the deployment is set up.
      options: the family's settings.
      task: what they mean for the vocabulary.
    """

    model_types = (models.IncrementalModel, searching.SearchingModel)

    def __init__(
        self,
        model: Any,
        config: engine_config.EngineConfig,
        options: aed_setup.AedOptions,
        task: aed_setup.AedSetup,
    ) -> None:
        super().__init__(model, config, options)
        self._task = task
        self._median_width = options.median_width
        self._seconds_per_frame = config.seconds_per_frame

    def honours(self, mode: str) -> frozenset[str]:
        """Returns the fields of `DecodingOptions` that take effect."""
        if mode not in self.modes:
            return frozenset()
        aligns = isinstance(self.model, models.AligningModel)
        return self._task.honours | ({"word_timestamps"} if aligns else set())

    def begin(
        self, encoded: Any, options: request.DecodingOptions
    ) -> incremental.Prompt:
        """Returns the prompt; without a language, the model is asked for it."""

        def scorer(prompt: models.Ids) -> npt.NDArray[np.float32]:
            scores, _ = self.model.prefill([encoded], [prompt])
            found: npt.NDArray[np.float32] = self.log_probs(scores)[0]
            return found

        ids = self._task.prompter.build(options, scorer)
        limits = self._limits(options, self._task.rules, end_ids=self._task.end_ids)
        return incremental.Prompt(
            incremental.as_ids(ids), self._search(options, limits)
        )

    def finish(
        self, encoded: Any, options: request.DecodingOptions, prompt: incremental.Prompt
    ) -> list[base.Hypothesis]:
        """Returns the hypotheses, their tokens timed if words are asked for."""
        rows = prompt.search.best()
        if options.word_timestamps:
            found = [self._timed(encoded, prompt.ids, row) for row in rows]
        else:
            found = [row.hypothesis() for row in rows]
        return [self._cut(encoded, one) for one in found]

    def _cut(self, encoded: Any, found: base.Hypothesis) -> base.Hypothesis:
        """Returns a hypothesis with its segments, if it has timestamps."""
        first, clock = self._task.first_timestamp_id, self._seconds_per_frame
        if first is None or clock is None:
            return found
        cut = segments.cut(
            found.ids,
            first,
            frames_per_timestamp=timestamp_rules.SECONDS_PER_TIMESTAMP / clock,
            frame_count=len(encoded),
        )
        return dataclasses.replace(found, segments=cut)

    def _timed(
        self, encoded: Any, prompt: models.Ids, row: token_search.Row
    ) -> base.Hypothesis:
        is_text = [self._task.is_text(token_id) for token_id in row.ids]
        ids = [i for i, text in zip(row.ids, is_text, strict=True) if text]
        spans: Sequence[tuple[float, float]] = ()
        if ids:
            spans = dtw.token_spans(
                self._attention(encoded, prompt, ids),
                frame_count=len(encoded),
                median_width=self._median_width,
            )
        return dataclasses.replace(
            row.hypothesis(), spans=dtw.spread_spans(spans, is_text)
        )

    def _attention(
        self, encoded: Any, prompt: models.Ids, ids: Sequence[int]
    ) -> npt.NDArray[np.float64]:
        found = np.asarray(
            self.model.attention(encoded, prompt, incremental.as_ids(ids)), np.float64
        )
        if found.ndim != 3 or found.shape[1] != len(ids) + 1:
            raise ValueError(
                f"The attention of {len(ids)} tokens and their end is [H,"
                f" {len(ids) + 1}, T], got shape {found.shape}."
            )
        return found
