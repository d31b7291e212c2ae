"""Attention decoders whose runtime owns the search: prompts in, n-best lists out."""

from collections.abc import Sequence
from typing import Any

from oasr.engine import request
from oasr.engine.decode import aed_prompt
from oasr.engine.decode import aed_setup
from oasr.engine.decode import base
from oasr.engine.decode import sampling
from oasr.models import searching
from oasr.tokenizers import token_ids


class AedSearched(base.DecodeStrategy):
    """Asks a runtime for the hypotheses of a batch.

    Args:
      model: an `oasr.models.searching.SearchingModel`.
      options: the family's settings.
      task: what they mean for the vocabulary.
    """

    model_types = (searching.SearchingModel,)

    def __init__(
        self,
        model: searching.SearchingModel,
        options: aed_setup.AedOptions,
        task: aed_setup.AedSetup,
    ) -> None:
        self._takes_long_audio = isinstance(model, searching.LongAudioModel)
        if options.timestamps and not self._takes_long_audio:
            raise ValueError(
                "decode_options['timestamps'] need rules at each step, which a model"
                " that owns its search does not follow."
            )
        self._model = model
        self._options = options
        self._task = task

    def honours(self, mode: str) -> frozenset[str]:
        """Returns the fields of `DecodingOptions` that take effect."""
        if mode not in self.modes:
            return frozenset()
        ignored: frozenset[str] = getattr(self._model, "ignores", frozenset())
        return (self._task.honours | {"word_timestamps"}) - ignored

    def run_model(self, model: Any, inputs: Sequence[Any]) -> Sequence[Any]:
        """Returns the inputs: the model is asked when it is known what for."""
        del model
        return inputs

    def prepare(self, scores: Any) -> Any:
        """Returns the inputs as they are."""
        return scores

    def frame_count(self, prepared: Any) -> Any:
        """Returns the frames of the inputs, if the model can tell them."""
        if isinstance(self._model, searching.LongAudioModel):
            return self._model.frame_count(prepared)
        return None

    def decode(
        self, scores: Sequence[Any], options: Sequence[request.DecodingOptions]
    ) -> list[list[base.Hypothesis]]:
        """Decodes a batch.

        Args:
          scores: the inputs of each utterance.
          options: for each utterance what its request asks.
        """
        found = self._model.search(scores, [self._asked(one) for one in options])
        return [
            [self._hypothesis(one, asked) for one in n_best][: asked.n_best]
            for n_best, asked in zip(found, options, strict=True)
        ]

    def _asked(self, options: request.DecodingOptions) -> searching.Search:
        drawn = sampling.Sampling.of(options)
        prompt = self._prompt(options)
        return searching.Search(
            prompt=prompt.ids,
            context_size=prompt.context_size,
            languages=prompt.languages,
            max_initial_timestamp=self._options.max_initial_timestamp,
            end_ids=self._task.end_ids,
            suppressed_ids=self._task.suppressed_ids,
            max_new_tokens=options.max_new_tokens or self._options.max_new_tokens,
            n_best=options.n_best,
            beam_size=max(self._options.beam_size, options.n_best),
            temperature=drawn.temperature if drawn else None,
            top_k=drawn.top_k if drawn else None,
            top_p=drawn.top_p if drawn else None,
            seed=drawn.seed if drawn else 0,
            alignments=options.word_timestamps,
        )

    def _prompt(self, options: request.DecodingOptions) -> aed_prompt.Parts:
        if self._takes_long_audio:
            return self._task.prompter.parts(options)
        return aed_prompt.Parts(ids=self._task.prompter.build(options, None))

    def _hypothesis(
        self, found: searching.Found, options: request.DecodingOptions
    ) -> base.Hypothesis:
        """Returns a hypothesis up to its end."""
        ids = token_ids.as_list(found.ids)
        for name in ("confidences", "spans"):
            given = getattr(found, name)
            if len(given) not in (0, len(ids)):
                raise ValueError(
                    f"A hypothesis of {len(ids)} tokens has as many {name}, got"
                    f" {len(given)}."
                )
        ends = [place for place, i in enumerate(ids) if i in self._task.end_ids]
        end = ends[0] if ends else len(ids)
        return base.Hypothesis(
            tuple(ids[:end]),
            float(found.score),
            confidences=tuple(found.confidences[:end]),
            spans=tuple((float(a), float(b)) for a, b in found.spans[:end]),
            segments=tuple(one for one in found.segments if one.stop <= end),
            language=found.language or options.language or self._options.language,
        )
