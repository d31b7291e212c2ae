"""Language models that hear: a chat prompt with audio in it, then the transcript."""

from collections.abc import Mapping, Sequence
import dataclasses
import functools
from typing import Any

import numpy as np

from oasr import tokenizers
from oasr.checkpoints import prompt_template as prompts
from oasr.engine import checks
from oasr.engine import config as engine_config
from oasr.engine import conversation
from oasr.engine import request
from oasr.engine.decode import base
from oasr.engine.decode import incremental
from oasr.models import incremental as models


@dataclasses.dataclass(frozen=True, kw_only=True)
class LlmOptions(incremental.IncrementalOptions):
    """The settings of the family `llm`.

    Attributes:
      prompts: the segments of the chat template, as `PromptTemplate.to_json` gives
        them; the converter of the checkpoint compiles them.
      audio_id: the token that stands in the prompt for each place of the audio; None
        for templates without audio.
      system: the system text, for templates that have one.
      prompt: what to ask in requests that do not say it.
      prompt_memo: how many prompts are kept encoded.
    """

    prompts: Mapping[str, Any] | None = None
    audio_id: int | None = None
    system: str | None = None
    prompt: str | None = None
    prompt_memo: int = 256

    def __post_init__(self) -> None:
        super().__post_init__()
        checks.integer("decode_options['prompt_memo']", self.prompt_memo, at_least=0)
        for name in ("system", "prompt"):
            if getattr(self, name) is not None:
                checks.text(f"decode_options[{name!r}]", getattr(self, name))
        if self.audio_id is not None:
            checks.integer("decode_options['audio_id']", self.audio_id, at_least=0)
        if not self.end_ids:
            raise ValueError(
                "The family 'llm' needs decode_options['end_ids'], the tokens that end"
                " an answer; got none."
            )
        if self.prompts is None:
            raise ValueError(
                "The family 'llm' needs decode_options['prompts'], the segments of a"
                " chat template; the checkpoint has no template."
            )


class Llm(incremental.IncrementalStrategy):
    """Reads the prompt of a chat template and writes what the model answers.

    Args:
      model: an `oasr.models.incremental.IncrementalModel`.
      config: how the deployment is set up.
      options: the family's settings.
      tokenizer: encodes prompts.

    Raises:
      ValueError: if the tokenizer cannot encode, or the prompts are none.
    """

    def __init__(
        self,
        model: Any,
        config: engine_config.EngineConfig,
        options: LlmOptions,
        tokenizer: tokenizers.Tokenizer | None,
    ) -> None:
        super().__init__(model, config, options)
        self._template = prompts.PromptTemplate.from_json(options.prompts)
        self._tokenizer = _encoding(tokenizer, config)
        self._defaults = {
            name: text
            for name in prompts.SLOTS
            if (text := getattr(options, name)) is not None
        }
        self._audio_id = options.audio_id
        self._encoded = functools.lru_cache(options.prompt_memo)(self._encode)

    @classmethod
    def from_setup(cls, setup: base.StrategySetup) -> "Llm":
        """Builds the strategy that `setup.config` describes.

        Raises:
          ValueError: for a setting of the wrong kind, or a tokenizer that cannot
            encode.
        """
        options = setup.options(LlmOptions)
        return cls(setup.model, setup.config, options, setup.tokenizer)

    def honours(self, mode: str) -> frozenset[str]:
        """Returns the fields of `DecodingOptions` that take effect."""
        if mode not in self.modes:
            return frozenset()
        return frozenset(
            {
                "max_new_tokens",
                "messages",
                "n_best",
                "prompt",
                "seed",
                "temperature",
                "top_k",
                "top_p",
            }
        )

    def frame_count(self, prepared: Any) -> int | None:
        """Returns None: places of a prompt are no frames."""
        del prepared
        return None

    def begin(
        self, encoded: Any, options: request.DecodingOptions
    ) -> incremental.Prompt:
        """Returns the prompt, with the audio as long as it is.

        Raises:
          ValueError: if the template has no such prompt, or no place for audio.
        """
        asked = options.messages or options.prompt or self._defaults.get("prompt")
        before, behind = self._encoded(asked)
        ids = before
        if behind is not None:
            audio = np.full(len(encoded), self._audio_id, np.int64)
            ids = np.concatenate([before, audio, behind])
        elif len(encoded):
            raise ValueError(
                f"The chat template has no place for the {len(encoded)} places of the"
                " audio."
            )
        return incremental.Prompt(ids, self._search(options, self._limits(options)))

    def _encode(
        self, asked: str | conversation.Conversation | None
    ) -> tuple[models.Ids, models.Ids | None]:
        """Returns the ids before and behind the audio; without it, all and None."""
        slots = dict(self._defaults)
        turns: tuple[tuple[str, str], ...] = ()
        if isinstance(asked, conversation.Conversation):
            turns = asked.turns
            slots["prompt"] = asked.prompt
            if asked.system is not None:
                slots["system"] = asked.system
        elif asked is not None:
            slots["prompt"] = asked
        ids = self._template.encode(self._tokenizer, slots, turns)
        places = [k for k, token_id in enumerate(ids) if token_id is prompts.AUDIO]
        if not places:
            return incremental.as_ids(_known(ids)), None
        if len(places) > 1 or self._audio_id is None:
            raise ValueError(
                "A prompt has one place for audio, and decode_options['audio_id'] says"
                f" what stands there; got {len(places)} places and"
                f" audio_id={self._audio_id!r}."
            )
        parts = (_known(ids[: places[0]]), _known(ids[places[0] + 1 :]))
        return incremental.as_ids(parts[0]), incremental.as_ids(parts[1])


def _known(ids: Sequence[int | None]) -> list[int]:
    return [token_id for token_id in ids if token_id is not None]


def _encoding(
    tokenizer: tokenizers.Tokenizer | None, config: engine_config.EngineConfig
) -> tokenizers.Tokenizer:
    if tokenizer is not None and tokenizer.supports_encode:
        return tokenizer
    if tokenizer is None:
        found = "none"
    elif config.tokenizer is not None:
        found = f"the kind {config.tokenizer.kind!r}"
    else:
        found = type(tokenizer).__name__
    raise ValueError(
        "The family 'llm' writes prompts, so that it needs a tokenizer that can encode"
        f" (supports_encode); got {found}, which cannot."
    )
