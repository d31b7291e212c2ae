"""Goes through long audio window by window, by the times that the model writes.

Shapes: M mel bands, T frames of the spectrogram (10 ms).
"""

from collections.abc import Iterator, Sequence
import dataclasses
import functools
from typing import Any

import numpy as np
from numpy import typing as npt

from oasr.features import audio
from oasr.features import libraries
from oasr.features import log_mel
from oasr.models import ctranslate2_whisper_alignment as alignment
from oasr.models import ctranslate2_whisper_cut as cutting
from oasr.models import ctranslate2_whisper_decoding as decoding
from oasr.models import ctranslate2_whisper_settings as settings_of
from oasr.models import ctranslate2_whisper_transcript as transcript
from oasr.models import ctranslate2_whisper_vocabulary as vocabularies
from oasr.models import searching

SIZE = 3000  # Of the encoder's input: 30 s.
SECONDS_PER_MEL_FRAME = log_mel.SECONDS_PER_FRAME
_HOP = audio.SAMPLE_RATE // 100


class Utterance:
    """The windows of one utterance; what was written of one decides on the next.

    Args:
      runtime: a `ctranslate2.models.Whisper`.
      vocabulary: of the same model.
      settings: what is believed.
      heard: the audio.
      asked: what the request asks.

    Attributes:
      language: of the speech, as soon as it is known.
    """

    def __init__(
        self,
        runtime: Any,
        vocabulary: vocabularies.Vocabulary,
        settings: settings_of.Settings,
        heard: audio.Audio,
        asked: searching.Search,
    ) -> None:
        self._runtime = runtime
        self._vocabulary = vocabulary
        self._settings = settings
        self._samples = heard.samples
        self._asked = asked
        self._decoder = decoding.WindowDecoder(runtime, vocabulary, settings)
        self._aligner = alignment.Aligner(runtime, vocabulary)
        context = asked.prompt[: asked.context_size]
        # Without the token that says so.
        self._previous: list[int] = list(context[1:])
        self._start = tuple(asked.prompt[asked.context_size :])
        self.language: str | None = None
        if not runtime.is_multilingual:
            self.language = "en"

    def windows(self) -> Iterator[transcript.Window]:
        """Yields what each window gives, as soon as it is decoded."""
        place, count = 0, log_mel.frame_count(len(self._samples))
        while place < count:
            size = min(SIZE, count - place)
            window = self._window(place, size)
            place = window.stop
            yield window

    @functools.cached_property
    def _features(self) -> npt.NDArray[np.float32]:
        return log_mel.log_mel(self._samples, bands=self._runtime.n_mels)

    def _window(self, place: int, size: int) -> transcript.Window:
        silent = transcript.Window(
            start=place, stop=place + size, alternatives=[alignment.Aligned(())]
        )
        heard = self._samples[place * _HOP : (place + size) * _HOP]
        if np.abs(heard).max() <= self._settings.silence:
            return silent
        encoded = self._encode(place, size)
        self._find_language(encoded)
        prompt = [*self._context(), *self._start]
        written = self._decoder.write(encoded, prompt, self._asked)
        if written.is_silence:
            return dataclasses.replace(silent, no_speech_prob=written.no_speech_prob)
        cut = self._cut(written, size)
        said = [part for part in cut.parts if self._is_said(part)]
        found = transcript.Window(
            start=place,
            stop=place + cut.size,
            alternatives=self._alternatives(encoded, prompt, said, place, size, cut),
            segments=[
                transcript.Segment(
                    tokens=len(self._vocabulary.text_ids(part.ids)),
                    start=part.start,
                    end=part.end,
                )
                for part in said
            ],
            avg_logprob=written.avg_logprob,
            no_speech_prob=written.no_speech_prob,
            temperature=written.temperature,
        )
        self._remember(said, written.temperature)
        return found

    def _encode(self, place: int, size: int) -> Any:
        # Behind the audio there are zeros, as in openai-whisper, and no silence.
        window = np.zeros((1, self._runtime.n_mels, SIZE), np.float32)
        window[0, :, :size] = self._features[:, place : place + size]
        storage = libraries.load("ctranslate2").StorageView
        return self._runtime.encode(storage.from_array(window))

    def _find_language(self, encoded: Any) -> None:
        """Puts the language behind the start of the prompt, if it is to be found."""
        known = self._asked.languages
        if not known or self.language is not None:
            return
        [ranked] = self._runtime.detect_language(encoded)
        codes = [name.strip("<|>") for name, _ in ranked]
        heard = next((code for code in codes if code in known), None)
        if heard is None:
            raise ValueError(
                f"The model takes the speech for one of {codes[:3]}, and the vocabulary"
                f" has {sorted(known)}."
            )
        self.language = heard
        first, *others = self._start
        self._start = (first, known[self.language], *others)

    def _context(self) -> list[int]:
        if not self._previous:
            return []
        recent = self._previous[-decoding.MAX_PREVIOUS :]
        return [self._vocabulary.previous_id, *recent]

    def _cut(self, written: decoding.Written, size: int) -> cutting.Cut:
        return cutting.cut(written.ids, self._vocabulary.first_timestamp_id, size)

    def _is_said(self, part: cutting.Part) -> bool:
        """Returns whether a part has a word, and time for it."""
        text = self._vocabulary.text(part.ids)
        return part.start < part.end and any(c.isalnum() for c in text)

    def _alternatives(
        self,
        encoded: Any,
        prompt: Sequence[int],
        said: Sequence[cutting.Part],
        place: int,
        size: int,
        cut: cutting.Cut,
    ) -> list[alignment.Aligned]:
        """Returns the transcript, and others of the same audio, with their times."""
        ids = self._vocabulary.text_ids([i for part in said for i in part.ids])
        rows = [ids]
        if self._asked.n_best > 1 and ids:
            if cut.size < size:  # The rest of the window will be heard again.
                encoded, size = self._encode(place, cut.size), cut.size
            plain = [*self._without_timestamps(prompt)]
            rows += self._decoder.alternatives(encoded, plain, self._asked)
        start = self._without_timestamps(self._start)[:-1]
        return [
            self._aligner.align(encoded, start, row, size)
            for row in dict.fromkeys(rows)
        ]

    def _without_timestamps(self, prompt: Sequence[int]) -> list[int]:
        plain = self._vocabulary.no_timestamps_id
        return [*prompt] if prompt[-1] == plain else [*prompt, plain]

    def _remember(self, said: Sequence[cutting.Part], temperature: float) -> None:
        if (
            not self._settings.condition_on_previous_text
            or temperature > self._settings.prompt_reset_temperature
        ):
            self._previous = []
            return
        self._previous += [i for part in said for i in part.ids]
