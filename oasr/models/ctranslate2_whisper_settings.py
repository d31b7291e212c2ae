"""When what a Whisper model wrote of a window is believed, and what else is tried."""

from collections.abc import Sequence
import dataclasses

from oasr import showing


@dataclasses.dataclass(frozen=True, kw_only=True)
class Settings:
    """How windows are decoded; the defaults are openai-whisper's.

    Attributes:
      temperatures: tried one after the other until a transcript is believed; 0 is a
        beam, others are sampled. A request with a temperature of its own has only that.
      best_of: of how many samples the most probable is taken.
      compression_ratio_threshold: text that zlib makes smaller than by this factor
        repeats itself, and is not believed; None believes it.
      log_prob_threshold: a transcript whose mean log-probability of a token is below is
        not believed; None believes it.
      no_speech_threshold: from this probability on that nobody speaks, a transcript
        that is not believed for its log-probability is taken for silence; None takes
        none for silence.
      condition_on_previous_text: whether a window is told what was said before it.
      prompt_reset_temperature: what was written at a higher temperature is not told to
        the next window.
      silence: a window whose samples all are at most as large is not decoded: -80 dB
        of full scale, less than four steps of 16-bit audio.
    """

    temperatures: Sequence[float] = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
    best_of: int = 5
    compression_ratio_threshold: float | None = 2.4
    log_prob_threshold: float | None = -1.0
    no_speech_threshold: float | None = 0.6
    condition_on_previous_text: bool = True
    prompt_reset_temperature: float = 0.5
    silence: float = 1e-4

    def __post_init__(self) -> None:
        temperatures = tuple(self.temperatures)
        if not temperatures or not all(value >= 0 for value in temperatures):
            raise ValueError(
                "Settings.temperatures must be numbers from 0 on, at least one; got"
                f" {showing.shown(self.temperatures)}."
            )
        object.__setattr__(self, "temperatures", temperatures)
        if self.best_of < 1:
            raise ValueError(
                "Settings.best_of must be at least 1, got"
                f" {showing.shown(self.best_of)}."
            )
