"""Whisper by OASR and by faster-whisper, and where their time goes.

Both run the same model by the same runtime: beam 5, word timings. Each loads its
libraries when it is built, so that a process that measures memory has only its own.
"""

from collections.abc import Callable
import contextlib
import dataclasses
import time
from typing import Any

import ctranslate2
import numpy as np
from numpy import typing as npt

# Takes samples at 16 kHz, returns the text.
Transcriber = Callable[[npt.NDArray[np.float32]], str]


@dataclasses.dataclass
class Clock:
    """How long the calls of something took together.

    Attributes:
      seconds: since it was made.
    """

    seconds: float = 0.0

    @contextlib.contextmanager
    def running(self) -> Any:
        """Adds the time that the block takes."""
        start = time.perf_counter()
        try:
            yield
        finally:
            self.seconds += time.perf_counter() - start

    def around(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Returns the function; its calls are timed."""

        def timed(*arguments: Any, **options: Any) -> Any:
            with self.running():
                return function(*arguments, **options)

        return timed


def time_runtime(clock: Clock) -> None:
    """Has the calls of every model that is loaded from now on timed."""
    plain = ctranslate2.models.Whisper

    class Timed(plain):  # type: ignore[misc, valid-type]
        encode = clock.around(plain.encode)
        generate = clock.around(plain.generate)
        align = clock.around(plain.align)

    ctranslate2.models.Whisper = Timed


def oasr(directory: str, *, threads: int, compute_type: str) -> Transcriber:
    """Returns OASR's engine."""
    from oasr import engine
    from oasr.models import ctranslate2_whisper

    model = ctranslate2_whisper.CTranslate2Whisper(
        directory, threads=threads, compute_type=compute_type
    )
    asr = engine.ASREngine.from_checkpoint(directory, model=model)
    options = engine.DecodingOptions(word_timestamps=True)

    def transcribe(samples: npt.NDArray[np.float32]) -> str:
        [output] = asr.transcribe([engine.Request("a", samples, options)])
        if output.error:
            raise RuntimeError(output.error)
        return output.text

    return transcribe


def faster_whisper(directory: str, *, threads: int, compute_type: str) -> Transcriber:
    """Returns faster-whisper's model."""
    import faster_whisper as peer

    model = peer.WhisperModel(
        directory, device="cpu", compute_type=compute_type, cpu_threads=threads
    )

    def transcribe(samples: npt.NDArray[np.float32]) -> str:
        segments, _ = model.transcribe(
            samples, language="en", beam_size=5, word_timestamps=True
        )
        return "".join(segment.text for segment in segments).strip()

    return transcribe


BUILDERS: dict[str, Callable[..., Transcriber]] = {
    "faster-whisper": faster_whisper,
    "oasr": oasr,
}
