"""Decodes one window: beam or samples, and other temperatures if they disappoint.

Shapes: N ids, H hypotheses.
"""

from collections.abc import Sequence
import dataclasses
from typing import Any
import zlib

from oasr.models import ctranslate2_whisper_settings as settings_of
from oasr.models import ctranslate2_whisper_vocabulary as vocabularies
from oasr.models import searching

# What the decoder has room for, prompt included.
CONTEXT = 448
# Of what was said before, it is told so many of the last tokens.
MAX_PREVIOUS = CONTEXT // 2 - 1
_TIMESTAMPS_PER_SECOND = 50
_MAX_SECONDS = 30.0


@dataclasses.dataclass(frozen=True, kw_only=True)
class Written:
    """What the model wrote of one window.

    Attributes:
      ids: `[N]`, timestamps among them, without the end of text.
      avg_logprob: the mean log-probability of a token, the end among them.
      no_speech_prob: how probable it is that nobody speaks.
      temperature: at which it was written.
      is_silence: whether it is taken for what nobody said.
    """

    ids: tuple[int, ...]
    avg_logprob: float
    no_speech_prob: float
    temperature: float
    is_silence: bool


class WindowDecoder:
    """Writes the transcripts of windows.

    Args:
      runtime: a `ctranslate2.models.Whisper`.
      vocabulary: of the same model.
      settings: what is believed.
    """

    def __init__(
        self,
        runtime: Any,
        vocabulary: vocabularies.Vocabulary,
        settings: settings_of.Settings,
    ) -> None:
        self._runtime = runtime
        self._vocabulary = vocabulary
        self._settings = settings

    def write(
        self, encoded: Any, prompt: Sequence[int], asked: searching.Search
    ) -> Written:
        """Returns the first transcript that is believed, else the most probable one.

        Args:
          encoded: of one window.
          prompt: with what was said before.
          asked: what the request asks.
        """
        tried: list[Written] = []
        modest: list[Written] = []  # Those that do not repeat themselves.
        for temperature in self._temperatures(asked):
            written = self._write(encoded, prompt, asked, temperature)
            repeats = self._repeats_itself(written.ids)
            tried.append(written)
            if not repeats:
                modest.append(written)
            if written.is_silence or not (repeats or self._is_unlikely(written)):
                return written
        best = max(modest or tried, key=lambda one: one.avg_logprob)
        # The last temperature says how hard it was, whichever was the best.
        return dataclasses.replace(best, temperature=tried[-1].temperature)

    def alternatives(
        self, encoded: Any, prompt: Sequence[int], asked: searching.Search
    ) -> list[tuple[int, ...]]:
        """Returns the text of up to `asked.n_best` transcripts, without timestamps.

        Args:
          encoded: of one window.
          prompt: as it is without timestamps.
          asked: what the request asks.
        """
        temperature = self._temperatures(asked)[0]
        found = self._generate(encoded, prompt, asked, temperature, asked.n_best)
        return [self._vocabulary.text_ids(ids) for ids in found.sequences_ids]

    def _temperatures(self, asked: searching.Search) -> Sequence[float]:
        if asked.temperature is not None:
            return (asked.temperature,)
        return self._settings.temperatures

    def _write(
        self,
        encoded: Any,
        prompt: Sequence[int],
        asked: searching.Search,
        temperature: float,
    ) -> Written:
        samples = 1 if asked.temperature is not None else self._settings.best_of
        count = samples if temperature > 0 else 1
        found = self._generate(encoded, prompt, asked, temperature, count)
        ids = tuple(found.sequences_ids[0])
        # The runtime divides by the number of tokens, and does not count the end.
        avg_logprob = found.scores[0] * len(ids) / (len(ids) + 1)
        written = Written(
            ids=ids,
            avg_logprob=avg_logprob,
            no_speech_prob=found.no_speech_prob,
            temperature=temperature,
            is_silence=False,
        )
        return dataclasses.replace(written, is_silence=self._is_silence(written))

    def _generate(
        self,
        encoded: Any,
        prompt: Sequence[int],
        asked: searching.Search,
        temperature: float,
        count: int,
    ) -> Any:
        """Returns what the runtime finds, `count` hypotheses of it, best first."""
        options: dict[str, Any] = {"beam_size": asked.beam_size}
        if temperature > 0:
            options = {
                "beam_size": 1,
                "sampling_topk": asked.top_k or 0,
                "sampling_temperature": temperature,
            }
        [found] = self._runtime.generate(
            encoded,
            [list(prompt)],
            num_hypotheses=count,
            max_length=_max_length(len(prompt), asked.max_new_tokens),
            max_initial_timestamp_index=_timestamp(asked.max_initial_timestamp),
            suppress_tokens=self._suppressed(prompt, asked),
            return_scores=True,
            return_no_speech_prob=True,
            **options,
        )
        return found

    def _suppressed(self, prompt: Sequence[int], asked: searching.Search) -> list[int]:
        first = self._vocabulary.first_timestamp_id
        timestamps: Sequence[int] = ()
        if prompt[-1] == self._vocabulary.no_timestamps_id:
            timestamps = range(first, len(self._vocabulary.texts))
        return [*(i for i in asked.suppressed_ids if i < first), *timestamps]

    def _is_unlikely(self, written: Written) -> bool:
        threshold = self._settings.log_prob_threshold
        return threshold is not None and written.avg_logprob < threshold

    def _is_silence(self, written: Written) -> bool:
        threshold = self._settings.no_speech_threshold
        if threshold is None or written.no_speech_prob <= threshold:
            return False
        least = self._settings.log_prob_threshold
        return least is None or written.avg_logprob <= least

    def _repeats_itself(self, ids: Sequence[int]) -> bool:
        threshold = self._settings.compression_ratio_threshold
        text = self._vocabulary.text(ids).strip().encode()
        return threshold is not None and (
            len(text) / len(zlib.compress(text)) > threshold
        )


def _max_length(prompt: int, new: int) -> int:
    """Returns the length that has the runtime write so many new tokens.

    It writes half of that length at most, and no more than the prompt, but its last
    token, leaves of it.
    """
    return min(CONTEXT, max(2 * new, prompt - 1 + new))


def _timestamp(seconds: float | None) -> int:
    """Returns which timestamp is the latest to begin with."""
    latest = _MAX_SECONDS if seconds is None else min(seconds, _MAX_SECONDS)
    return round(latest * _TIMESTAMPS_PER_SECOND)
