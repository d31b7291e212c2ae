"""What an attention decoder reads before it writes: language, task, context."""

from collections.abc import Callable, Mapping
import dataclasses

import numpy as np

from oasr import tokenizers
from oasr.checkpoints import whisper_languages
from oasr.engine import request
from oasr.models import incremental as models
from oasr.tokenizers import whisper

# Languages of these models have no tokens in their prompts; their vocabulary ends
# text one id earlier than that of the others.
_ENGLISH_ONLY_END = 50256

# Takes a prompt; returns `[V]` log-probabilities of what follows.
Scorer = Callable[[models.Ids], "np.typing.NDArray[np.float32]"]


@dataclasses.dataclass(frozen=True, kw_only=True)
class Parts:
    """A prompt for a model that finds the language by itself.

    Attributes:
      ids: of the prompt; the language is missing if `languages` are given.
      context_size: how many of the first ones say what was said before.
      languages: the token of each language, by code, if the model is to choose one.
    """

    ids: tuple[int, ...]
    context_size: int = 0
    languages: Mapping[str, int] = dataclasses.field(default_factory=dict)


class WhisperPrompt:
    """Prompts of Whisper's models.

    Args:
      tokenizer: names the control tokens.
      timestamps: whether transcripts have timestamps.
      language: of requests that do not say it; None asks the model.
      task: of requests that do not say it.
      max_prompt_tokens: how many of the last tokens of a context are read.
    """

    def __init__(
        self,
        tokenizer: whisper.WhisperTokenizer,
        *,
        timestamps: bool = False,
        language: str | None = None,
        task: str = "transcribe",
        max_prompt_tokens: int = 223,
    ) -> None:
        self._tokenizer = tokenizer
        self._timestamps = timestamps
        self._language = language
        self._task = task
        self._max_prompt_tokens = max_prompt_tokens
        self.is_multilingual = tokenizer.eot_id != _ENGLISH_ONLY_END
        if self.is_multilingual and language is not None:
            self.language_id(language)
        if self.is_multilingual:
            self.task_id(task)

    def build(
        self, options: request.DecodingOptions, scorer: Scorer | None
    ) -> tuple[int, ...]:
        """Returns the prompt of one request.

        Args:
          options: what it asks.
          scorer: asks the model; None if it answers no such questions.

        Raises:
          ValueError: if the vocabulary has no such language or task, or the language
            is not given and cannot be asked for.
        """
        ids = self._context(options.prompt)
        ids.append(self._tokenizer.control_id(whisper_languages.START))
        if self.is_multilingual:
            ids.append(self._language_after(ids, options, scorer))
        return (*ids, *self._manner(options))

    def parts(self, options: request.DecodingOptions) -> Parts:
        """Returns the prompt of one request to a model that finds the language.

        Args:
          options: what the request asks.

        Raises:
          ValueError: if the vocabulary has no such language or task.
        """
        context = self._context(options.prompt)
        ids = [*context, self._tokenizer.control_id(whisper_languages.START)]
        code = options.language or self._language
        languages: Mapping[str, int] = {}
        if self.is_multilingual and code is not None:
            ids.append(self.language_id(code))
        elif self.is_multilingual:
            languages = self._languages()
        return Parts(
            ids=(*ids, *self._manner(options)),
            context_size=len(context),
            languages=languages,
        )

    def _manner(self, options: request.DecodingOptions) -> list[int]:
        """Returns the ids that say what to write, and how."""
        ids = []
        if self.is_multilingual:
            ids.append(self.task_id(options.task or self._task))
        if not self._timestamps:
            ids.append(self._tokenizer.control_id(whisper_languages.NO_TIMESTAMPS))
        return ids

    def language_id(self, code: str) -> int:
        """Returns the token of a language, e.g. of "en".

        Raises:
          ValueError: if the vocabulary has none of it.
        """
        known = self._languages()
        if code not in known:
            raise ValueError(
                f"language={code!r} is none of the vocabulary's: {sorted(known)}."
            )
        return known[code]

    def task_id(self, task: str) -> int:
        """Returns the token of a task.

        Raises:
          ValueError: if it is neither "transcribe" nor "translate".
        """
        if task not in ("transcribe", "translate"):
            raise ValueError(f"task must be 'transcribe' or 'translate', got {task!r}.")
        return self._tokenizer.control_id(f"<|{task}|>")

    def _context(self, prompt: str | None) -> list[int]:
        if prompt is None:
            return []
        # As what was said before: a blank, then the text.
        ids = self._tokenizer.encode(f" {prompt.strip()}", split_special_tokens=True)
        previous = self._tokenizer.control_id(whisper_languages.PREVIOUS)
        kept = ids[max(0, len(ids) - self._max_prompt_tokens) :]
        return [previous, *kept]

    def _language_after(
        self,
        ids: list[int],
        options: request.DecodingOptions,
        scorer: Scorer | None,
    ) -> int:
        code = options.language or self._language
        if code is not None:
            return self.language_id(code)
        if scorer is None:
            raise ValueError(
                "This model owns its search and cannot be asked for the language; give"
                " language in the request, or decode_options['language']."
            )
        # Without the context, which is in some language itself.
        log_probs = scorer(np.array(ids[-1:], np.int64))
        known = [i for i in self._languages().values() if i < len(log_probs)]
        return max(known, key=lambda i: (log_probs[i], -i))

    def _languages(self) -> dict[str, int]:
        found = {}
        for code in whisper_languages.LANGUAGES:
            try:
                found[code] = self._tokenizer.control_id(f"<|{code}|>")
            except ValueError:
                continue  # Older models have fewer.
        return found


class FixedPrompt:
    """The same ids for all requests, e.g. the start of a sequence.

    Args:
      ids: never empty.
    """

    is_multilingual = False

    def __init__(self, ids: tuple[int, ...]) -> None:
        self._ids = ids

    def build(
        self, options: request.DecodingOptions, scorer: Scorer | None
    ) -> tuple[int, ...]:
        """Returns the ids."""
        del options, scorer
        return self._ids

    def parts(self, options: request.DecodingOptions) -> Parts:
        """Returns the ids."""
        del options
        return Parts(ids=self._ids)


Prompter = WhisperPrompt | FixedPrompt


def is_whisper(tokenizer: tokenizers.Tokenizer | None) -> bool:
    """Returns whether a vocabulary has Whisper's control tokens."""
    return isinstance(tokenizer, whisper.WhisperTokenizer)
