"""A model whose runtime owns the search: it hands back n-best lists.

Shapes: N ids of a hypothesis.
"""

from collections.abc import Mapping, Sequence
import dataclasses
from typing import Any, Protocol, runtime_checkable

from oasr.models import token_segments


@dataclasses.dataclass(frozen=True, kw_only=True)
class Search:
    """What is asked of the search for one utterance.

    Attributes:
      prompt: the ids that go before the transcript; never empty.
      end_ids: tokens that end it.
      suppressed_ids: tokens that may not be written.
      max_new_tokens: where a hypothesis is cut off.
      n_best: how many hypotheses to return, at most.
      beam_size: how wide to search, at least `n_best`; 1 takes the best token of each
        step.
      temperature: of sampling, above 0; None to draw nothing.
      top_k: of sampling.
      top_p: of sampling.
      seed: of sampling.
      alignments: whether `Found.spans` is needed.
      context_size: how many of the first ids of `prompt` say what was said before; a
        model that goes through long audio puts what it wrote in their place.
      languages: the token of each language, by code, if the model is to find which one
        is spoken and put its token behind the first one of `prompt` that is no context.
      max_initial_timestamp: the latest one to begin with, in seconds; None for any.
    """

    prompt: tuple[int, ...]
    end_ids: tuple[int, ...]
    suppressed_ids: tuple[int, ...] = ()
    max_new_tokens: int
    n_best: int = 1
    beam_size: int = 1
    temperature: float | None = None
    top_k: int | None = None
    top_p: float | None = None
    seed: int = 0
    alignments: bool = False
    context_size: int = 0
    languages: Mapping[str, int] = dataclasses.field(default_factory=dict)
    max_initial_timestamp: float | None = None


@dataclasses.dataclass(frozen=True, kw_only=True)
class Found:
    """One hypothesis of a runtime.

    Attributes:
      ids: `[N]`, without the prompt; what follows an end is left out.
      score: its log-probability; higher is better.
      confidences: `[N]` posteriors in [0, 1]; empty if unknown.
      spans: `[N]`, where each token begins and ends, in frames; empty if unknown.
      segments: the parts it cut `ids` into, in order; empty if it cut none.
      language: of the speech as the vocabulary spells it, if it was found out.
    """

    ids: Sequence[int]
    score: float
    confidences: Sequence[float] = ()
    spans: Sequence[tuple[float, float]] = ()
    segments: Sequence[token_segments.TokenSegment] = ()
    language: str | None = None


@runtime_checkable
class SearchingModel(Protocol):
    """Decodes a batch by itself."""

    def search(
        self, inputs: Sequence[Any], asked: Sequence[Search]
    ) -> Sequence[Sequence[Found]]:
        """Returns the hypotheses of each utterance, at least one, best first.

        Args:
          inputs: `Request.inputs` of each utterance.
          asked: for each utterance what is asked.
        """


@runtime_checkable
class LongAudioModel(SearchingModel, Protocol):
    """Takes audio of any length: follows timestamps, and finds the language.

    It may have `ignores`, the names of the fields of `DecodingOptions` that have no
    effect on it.
    """

    def frame_count(self, inputs: Any) -> float:
        """Returns how many frames, possibly not whole, `Request.inputs` has."""
