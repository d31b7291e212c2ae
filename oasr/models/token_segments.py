"""The parts that a model itself cuts a transcript into."""

import dataclasses


@dataclasses.dataclass(frozen=True, kw_only=True)
class TokenSegment:
    """A part of a hypothesis that its model says begins and ends together.

    Attributes:
      first: the place in the hypothesis's ids of its first token, from 0.
      stop: the place behind its last token.
      start: in frames from the start of the audio, which may be fractions.
      end: in frames, not before `start`.
      avg_logprob: the mean log-probability of the tokens decoded with it, if known.
      no_speech_prob: how probable it is that nobody speaks there, if known.
      temperature: at which its tokens were drawn, 0 for the best ones, if known.
      window_start: where the audio begins that was decoded with it, in frames.
    """

    first: int
    stop: int
    start: float
    end: float
    avg_logprob: float | None = None
    no_speech_prob: float | None = None
    temperature: float | None = None
    window_start: float = 0.0
