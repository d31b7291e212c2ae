"""What callers hand to an engine, and what they get back."""

from collections.abc import Mapping
import dataclasses
from typing import TYPE_CHECKING, Any

from oasr.engine import checks
from oasr.engine import conversation
from oasr.engine import limits


@dataclasses.dataclass(frozen=True, kw_only=True)
class DecodingOptions:
    """What one request asks of decoding; None leaves a choice to the family.

    Attributes:
      n_best: how many hypotheses to return, at most.
      max_new_tokens: how many tokens to generate, at most.
      temperature: of sampling; 0 takes the best token.
      top_k: sample from this many best tokens.
      top_p: sample from the best tokens that have this probability, in (0, 1].
      seed: of sampling.
      prompt: text to go before the transcript.
      task: what to write, e.g. "transcribe" or "translate".
      language: of the speech, as the model's vocabulary spells it.
      word_timestamps: whether to time each word.
      messages: in place of a prompt, a conversation that ends with it; a list of
        messages is read by `Conversation.from_messages`.
    """

    n_best: int = 1
    max_new_tokens: int | None = None
    temperature: float | None = None
    top_k: int | None = None
    top_p: float | None = None
    seed: int | None = None
    prompt: str | None = None
    task: str | None = None
    language: str | None = None
    word_timestamps: bool = False
    messages: conversation.Conversation | None = None

    def __post_init__(self) -> None:
        for name, least, most in (
            ("n_best", 1, limits.MAX_N_BEST),
            ("max_new_tokens", 1, limits.MAX_NEW_TOKENS),
            ("top_k", 1, None),
            ("seed", 0, None),
        ):
            value = getattr(self, name)
            if name == "n_best" or value is not None:
                checks.integer(
                    f"DecodingOptions.{name}", value, at_least=least, at_most=most
                )
        if self.temperature is not None:
            checks.number("DecodingOptions.temperature", self.temperature, at_least=0)
        if self.top_p is not None:
            checks.number("DecodingOptions.top_p", self.top_p, above=0, at_most=1)
        for name in ("prompt", "task", "language"):
            if getattr(self, name) is not None:
                checks.text(
                    f"DecodingOptions.{name}",
                    getattr(self, name),
                    at_most=limits.MAX_PROMPT_CHARACTERS,
                )
        checks.boolean("DecodingOptions.word_timestamps", self.word_timestamps)
        if self.messages is not None:
            self._read_messages()

    def _read_messages(self) -> None:
        if not isinstance(self.messages, conversation.Conversation):
            found = conversation.Conversation.from_messages(
                "DecodingOptions.messages", self.messages
            )
            object.__setattr__(self, "messages", found)
        if self.prompt is not None:
            raise ValueError("DecodingOptions has either prompt or messages, got both.")

    @classmethod
    def from_mapping(cls, fields: Mapping[str, Any]) -> "DecodingOptions":
        """Returns the options that `fields` name; all others keep their defaults."""
        checks.mapping("The options of a request", fields)
        return checks.read_fields("Decoding option", fields, cls)

    def asked(self) -> dict[str, Any]:
        """Returns the options that differ from their defaults."""
        return {
            field.name: value
            for field in dataclasses.fields(self)
            if (value := getattr(self, field.name)) != field.default
        }


@dataclasses.dataclass(frozen=True)
class Request:
    """One utterance to transcribe.

    Attributes:
      request_id: the caller's name for it, unique among unfinished requests.
      inputs: what the engine's model takes for one utterance.
      options: a `DecodingOptions`, or a mapping of its fields.
    """

    request_id: str
    inputs: Any
    options: DecodingOptions = dataclasses.field(default_factory=DecodingOptions)

    if TYPE_CHECKING:  # A field has one type; what it may be given has two.

        def __init__(
            self,
            request_id: str,
            inputs: Any,
            options: DecodingOptions | Mapping[str, Any] = ...,
        ) -> None: ...

    def __post_init__(self) -> None:
        checks.text("Request.request_id", self.request_id)
        if not isinstance(self.options, DecodingOptions):
            options = DecodingOptions.from_mapping(self.options)
            object.__setattr__(self, "options", options)


@dataclasses.dataclass(frozen=True)
class WordTiming:
    """When a word of a transcript was said, and how surely.

    Attributes:
      word: a literal part of the text, without whitespace.
      start: in seconds from the start of the audio.
      end: in seconds, not before `start`.
      confidence: the mean posterior of its tokens, in [0, 1], if known.
    """

    word: str
    start: float
    end: float
    confidence: float | None = None


@dataclasses.dataclass(frozen=True, kw_only=True)
class Segment:
    """A part of a transcript that its model set apart, as a phrase or a sentence.

    Attributes:
      text: a literal part of the text, without whitespace at its ends.
      start: in seconds from the start of the audio.
      end: in seconds, not before `start`.
      tokens: its ids, without those of timestamps around them.
      avg_logprob: the mean log-probability of the tokens decoded with it, if known.
      no_speech_prob: how probable it is that nobody speaks there, if known.
      temperature: at which its tokens were drawn, 0 for the best ones, if known.
      window_start: in seconds, where the audio begins that was decoded with it.
    """

    text: str
    start: float
    end: float
    tokens: list[int]
    avg_logprob: float | None = None
    no_speech_prob: float | None = None
    temperature: float | None = None
    window_start: float = 0.0


@dataclasses.dataclass(frozen=True)
class RequestOutput:
    """What an engine says of one request.

    Attributes:
      request_id: that of the request.
      text: the transcript, or what there is of it so far.
      tokens: token ids of each hypothesis, distinct, best first.
      scores: log-probability of each row of `tokens`.
      nbest_texts: the text of each row of `tokens`, when more than one was asked.
      finished: whether this is the last output of the request.
      timestamps: (start, end) in seconds of each token of `tokens[0]`.
      words: the words of `text`, when they were asked for.
      confidence: the mean posterior of `tokens[0]`, in [0, 1], if known.
      finish_reason: when finished, "stop", "length" if it was cut off at
        `max_new_tokens`, or "error"; "endpoint" when an utterance of a stream is over
        that is not finished itself; else None.
      error: which stage failed and why, when one did.
      stable_text: of a stream, the first part of `text` that every later output of
        the utterance begins with.
      nbest_words: the words of each of `nbest_texts`, when words were asked for, too,
        and all hypotheses are timed.
      segments: the parts of `text`, of a model that cuts its transcripts into some.
      language: that of the speech as the vocabulary spells it, e.g. "en", if known.
      duration: of the audio in seconds, if known.
    """

    request_id: str
    text: str = ""
    tokens: list[list[int]] = dataclasses.field(default_factory=list)
    scores: list[float] = dataclasses.field(default_factory=list)
    nbest_texts: list[str] | None = None
    finished: bool = False
    timestamps: list[tuple[float, float]] | None = None
    words: list[WordTiming] | None = None
    confidence: float | None = None
    finish_reason: str | None = None
    error: str | None = None
    stable_text: str | None = None
    nbest_words: list[list[WordTiming]] | None = None
    segments: list[Segment] | None = None
    language: str | None = None
    duration: float | None = None

    @classmethod
    def partial(
        cls,
        *,
        request_id: str,
        text: str,
        tokens: list[list[int]],
        scores: list[float],
        timestamps: list[tuple[float, float]] | None,
        words: list[WordTiming] | None,
        confidence: float | None,
        stable_text: str,
    ) -> "RequestOutput":
        """Returns an output on the way, with all other fields at their defaults."""
        output = cls.__new__(cls)
        # At once: field by field, as frozen ones are set, takes three times as long,
        # and a stream gives one for each chunk.
        output.__dict__.update(
            _OUTPUT_DEFAULTS,
            request_id=request_id,
            text=text,
            tokens=tokens,
            scores=scores,
            timestamps=timestamps,
            words=words,
            confidence=confidence,
            stable_text=stable_text,
        )
        return output

    @classmethod
    def failed(cls, request_id: str, error: str) -> "RequestOutput":
        """Returns the last output of a request that failed."""
        return cls(request_id, finished=True, finish_reason="error", error=error)


_OUTPUT_DEFAULTS = {
    field.name: field.default for field in dataclasses.fields(RequestOutput)
}
