"""The settings of the family `aed`, and what they mean for a vocabulary."""

from collections.abc import Sequence
import dataclasses

from oasr import tokenizers
from oasr.checkpoints import whisper_languages
from oasr.engine import checks
from oasr.engine.decode import aed_prompt
from oasr.engine.decode import incremental
from oasr.engine.decode import timestamp_rules
from oasr.engine.decode import token_search
from oasr.tokenizers import whisper

_SEARCH_OPTIONS = frozenset(
    {"max_new_tokens", "n_best", "seed", "temperature", "top_k", "top_p"}
)


@dataclasses.dataclass(frozen=True, kw_only=True)
class AedOptions(incremental.IncrementalOptions):
    """The settings of the family `aed`.

    Attributes:
      max_new_tokens: half of Whisper's context by default.
      end_ids: by default the end of text of Whisper's vocabulary.
      start_ids: the prompt of models with another vocabulary.
      language: of requests that do not say it; None asks the model.
      task: of requests that do not say it.
      timestamps: whether transcripts have Whisper's timestamp tokens; None leaves it
        to the model: one that takes long audio follows them, others write text alone.
      max_initial_timestamp: the latest one to begin with, in seconds; None for any.
      suppress_ids: tokens that never follow.
      begin_suppress_ids: tokens that do not come first.
      max_prompt_tokens: how many of the last tokens of a request's prompt are read.
      median_width: of the filter over attention, in frames, odd.
    """

    max_new_tokens: int = 224
    start_ids: Sequence[int] = ()
    language: str | None = None
    task: str = "transcribe"
    timestamps: bool | None = None
    max_initial_timestamp: float | None = 1.0
    suppress_ids: Sequence[int] = ()
    begin_suppress_ids: Sequence[int] = ()
    max_prompt_tokens: int = 223
    median_width: int = 7

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("start_ids", "suppress_ids", "begin_suppress_ids"):
            incremental.check_ids(name, getattr(self, name))
        for name in ("max_prompt_tokens", "median_width"):
            checks.integer(f"decode_options[{name!r}]", getattr(self, name), at_least=1)
        if self.median_width % 2 == 0:
            raise ValueError(
                "decode_options['median_width'] must be odd, got"
                f" {self.median_width!r}."
            )
        if self.language is not None:
            checks.text("decode_options['language']", self.language)
        checks.text("decode_options['task']", self.task)
        if self.timestamps is not None:
            checks.boolean("decode_options['timestamps']", self.timestamps)
        if self.max_initial_timestamp is not None:
            checks.number(
                "decode_options['max_initial_timestamp']",
                self.max_initial_timestamp,
                at_least=0,
            )


@dataclasses.dataclass(frozen=True)
class AedSetup:
    """What the settings mean.

    Attributes:
      prompter: makes prompts.
      end_ids: tokens that end a transcript.
      rules: what may follow.
      suppressed_ids: what never follows, for runtimes that search themselves.
      honours: the fields of `DecodingOptions` that take effect, words apart.
      first_control_id: the first id that is no text; None where any may be.
      first_timestamp_id: the timestamp of 0 s; None where transcripts have none.
    """

    prompter: aed_prompt.Prompter
    end_ids: tuple[int, ...]
    rules: tuple[token_search.Rule, ...]
    suppressed_ids: tuple[int, ...]
    honours: frozenset[str]
    first_control_id: int | None = None
    first_timestamp_id: int | None = None

    def is_text(self, token_id: int) -> bool:
        """Returns whether a token of a hypothesis is text, and no control token."""
        return self.first_control_id is None or token_id < self.first_control_id

    @classmethod
    def of(
        cls, options: AedOptions, tokenizer: tokenizers.Tokenizer | None
    ) -> "AedSetup":
        """Returns what the settings mean for a vocabulary.

        Raises:
          ValueError: if it is not Whisper's and the settings do not say how it begins
            and ends, or the vocabulary has no timestamps to write.
        """
        if isinstance(tokenizer, whisper.WhisperTokenizer):
            return _of_whisper(options, tokenizer)
        for name in ("start_ids", "end_ids"):
            if not getattr(options, name):
                raise ValueError(
                    f"The family 'aed' needs decode_options[{name!r}] for a vocabulary"
                    " other than Whisper's; got none."
                )
        if options.timestamps or options.language is not None:
            raise ValueError(
                "decode_options['timestamps'] and ['language'] need Whisper's"
                " vocabulary."
            )
        suppressed = tuple(options.suppress_ids)
        rules: tuple[token_search.Rule, ...] = ()
        if suppressed or options.begin_suppress_ids:
            rules = (
                timestamp_rules.Suppression(suppressed, options.begin_suppress_ids),
            )
        return cls(
            aed_prompt.FixedPrompt(tuple(options.start_ids)),
            tuple(options.end_ids),
            rules,
            suppressed,
            _SEARCH_OPTIONS,
        )


def _of_whisper(options: AedOptions, tokenizer: whisper.WhisperTokenizer) -> AedSetup:
    if options.start_ids:
        raise ValueError(
            "decode_options['start_ids'] are for other vocabularies; the prompts of"
            f" Whisper's have names. Got {list(options.start_ids)!r}."
        )
    end_id = tokenizer.eot_id
    end_ids = tuple(options.end_ids) or (end_id,)
    suppressed = _suppressed(options, tokenizer) - {*end_ids}
    prompter = aed_prompt.WhisperPrompt(
        tokenizer,
        timestamps=bool(options.timestamps),
        language=options.language,
        task=options.task,
        max_prompt_tokens=options.max_prompt_tokens,
    )
    content = {"prompt"}
    if prompter.is_multilingual:
        content |= {"language", "task"}
    return AedSetup(
        prompter,
        end_ids,
        _whisper_rules(options, tokenizer, suppressed),
        tuple(sorted(suppressed)),
        _SEARCH_OPTIONS | content,
        end_id,
        _first_timestamp_id(options, tokenizer),
    )


def _suppressed(options: AedOptions, tokenizer: whisper.WhisperTokenizer) -> set[int]:
    """Returns all but text and, if they are asked for, timestamps; ends, too."""
    first = _first_timestamp_id(options, tokenizer)
    behind = tokenizer.vocab_size if first is None else first
    return {*options.suppress_ids, *range(tokenizer.eot_id, behind)}


def _first_timestamp_id(
    options: AedOptions, tokenizer: whisper.WhisperTokenizer
) -> int | None:
    if not options.timestamps:
        return None
    return tokenizer.control_id(whisper_languages.TIMESTAMPS[0])


def _whisper_rules(
    options: AedOptions, tokenizer: whisper.WhisperTokenizer, suppressed: set[int]
) -> tuple[token_search.Rule, ...]:
    suppression = timestamp_rules.Suppression(
        sorted(suppressed), options.begin_suppress_ids
    )
    first = _first_timestamp_id(options, tokenizer)
    if first is None:
        return (suppression,)
    times = timestamp_rules.TimestampRules(
        tokenizer.eot_id, first, options.max_initial_timestamp
    )
    return (suppression, times)
