"""What the families that write token by token have in common.

A strategy says what the prompt is and how to search; the executor, or `decode` below,
turns the model. Shapes as in `oasr.models.incremental`.
"""

import abc
from collections.abc import Sequence
import dataclasses
from typing import Any, ClassVar

import numpy as np

from oasr.engine import checks
from oasr.engine import config as engine_config
from oasr.engine import limits
from oasr.engine import request
from oasr.engine.decode import base
from oasr.engine.decode import beam_search
from oasr.engine.decode import sampling
from oasr.engine.decode import scores as score_forms
from oasr.engine.decode import token_search
from oasr.models import incremental as models


@dataclasses.dataclass(frozen=True, kw_only=True)
class IncrementalOptions:
    """The settings of all families that write token by token.

    Attributes:
      beam_size: how many rows a request has; 1 takes the best token of each step. At
        least `n_best` where nothing is drawn.
      max_new_tokens: for requests that do not say it.
      end_ids: tokens that end a transcript.
      steps_per_tick: after how many steps of the model `step` returns, at the latest.
      milliseconds_per_tick: after what time it begins no other step.
      partials: whether `step` returns where unfinished requests stand.
    """

    beam_size: int = 1
    max_new_tokens: int = 448
    end_ids: Sequence[int] = ()
    steps_per_tick: int = 16
    milliseconds_per_tick: float = 50.0
    partials: bool = True

    def __post_init__(self) -> None:
        for name, most in (
            ("beam_size", limits.MAX_BEAM_SIZE),
            ("max_new_tokens", limits.MAX_NEW_TOKENS),
            ("steps_per_tick", None),
        ):
            checks.integer(
                f"decode_options[{name!r}]",
                getattr(self, name),
                at_least=1,
                at_most=most,
            )
        checks.number(
            "decode_options['milliseconds_per_tick']",
            self.milliseconds_per_tick,
            above=0,
        )
        checks.boolean("decode_options['partials']", self.partials)
        check_ids("end_ids", self.end_ids)


@dataclasses.dataclass(frozen=True)
class Prompt:
    """What a request begins with.

    Attributes:
      ids: `[L]`, never empty.
      search: chooses what follows.
    """

    ids: models.Ids
    search: token_search.TokenSearch


class IncrementalStrategy(base.DecodeStrategy):
    """Says what to read first and how to go on.

    Args:
      model: an `oasr.models.incremental.IncrementalModel`.
      config: how the deployment is set up.
      options: the family's settings.

    Attributes:
      model: the same.
      options: the same.
    """

    model_types: ClassVar[tuple[type, ...]] = (models.IncrementalModel,)

    def __init__(
        self,
        model: Any,
        config: engine_config.EngineConfig,
        options: IncrementalOptions,
    ) -> None:
        self.model = model
        self.options = options
        self._form = config.scores

    @abc.abstractmethod
    def begin(self, encoded: Any, options: request.DecodingOptions) -> Prompt:
        """Returns the prompt and the search of one request.

        Args:
          encoded: what the model's `encode` gave for it.
          options: what it asks.
        """

    def finish(
        self, encoded: Any, options: request.DecodingOptions, prompt: Prompt
    ) -> list[base.Hypothesis]:
        """Returns the hypotheses of a search that has ended, best first."""
        del encoded, options
        return [row.hypothesis() for row in prompt.search.best()]

    def run_model(self, model: Any, inputs: Sequence[Any]) -> Sequence[Any]:
        """Returns the encoded audio of a batch."""
        encoded: Sequence[Any] = model.encode(inputs)
        return encoded

    def prepare(self, scores: Any) -> Any:
        """Returns encoded audio as it is."""
        return scores

    def log_probs(self, scores: Any) -> token_search.Float32:
        """Returns `[B, V]` scores of the model as log-probabilities."""
        return score_forms.as_log_probs(scores, self._form)

    def decode(
        self, scores: Sequence[Any], options: Sequence[request.DecodingOptions]
    ) -> list[list[base.Hypothesis]]:
        """Decodes one utterance after the other, each to its end.

        Args:
          scores: the encoded audio of each.
          options: for each utterance what its request asks.
        """
        pairs = zip(scores, options, strict=True)
        return [self._decode_one(encoded, asked) for encoded, asked in pairs]

    def _decode_one(
        self, encoded: Any, options: request.DecodingOptions
    ) -> list[base.Hypothesis]:
        prompt = self.begin(encoded, options)
        scores, states = self.model.prefill([encoded], [prompt.ids])
        while True:
            rows, ids = prompt.search.advance(self.log_probs(scores))
            if len(rows) == 0:
                return self.finish(encoded, options, prompt)
            scores, states = self.model.step(self.model.select(states, rows), ids)

    def _limits(
        self,
        options: request.DecodingOptions,
        rules: tuple[token_search.Rule, ...] = (),
        *,
        end_ids: Sequence[int] | None = None,
    ) -> token_search.Limits:
        return token_search.Limits(
            end_ids=frozenset(self.options.end_ids if end_ids is None else end_ids),
            max_new_tokens=options.max_new_tokens or self.options.max_new_tokens,
            n_best=options.n_best,
            rules=rules,
        )

    def _search(
        self, options: request.DecodingOptions, limits: token_search.Limits
    ) -> token_search.TokenSearch:
        asked = sampling.Sampling.of(options)
        if asked is None and max(self.options.beam_size, options.n_best) > 1:
            return beam_search.BeamSearch(limits, self.options.beam_size)
        return token_search.SampleSearch(limits, asked)


def check_ids(name: str, ids: object) -> None:
    """Raises ValueError unless a setting is a sequence of ids."""
    if not isinstance(ids, Sequence) or isinstance(ids, str | bytes):
        raise ValueError(
            f"decode_options[{name!r}] must be a list of ids, got {ids!r}."
        )
    for place, token_id in enumerate(ids):
        checks.integer(f"decode_options[{name!r}][{place}]", token_id, at_least=0)


def as_ids(ids: Sequence[int]) -> models.Ids:
    """Returns ids as models take them."""
    return np.array(ids, dtype=np.int64)
