"""Whisper's models as CTranslate2 runs them: audio of any length in, text ids out."""

from collections.abc import Callable, Sequence
import dataclasses
import os
import threading
from typing import Any

from oasr import showing
from oasr.checkpoints import ctranslate2_files
from oasr.checkpoints import directory as directories
from oasr.features import audio
from oasr.features import libraries
from oasr.models import ctranslate2_whisper_settings as settings_of
from oasr.models import ctranslate2_whisper_transcript as transcript
from oasr.models import ctranslate2_whisper_vocabulary as vocabularies
from oasr.models import ctranslate2_whisper_windows as windows
from oasr.models import searching
from oasr.tokenizers import errors

Settings = settings_of.Settings

SECONDS_PER_FRAME = 0.02  # Of spans and segments, and of timestamps.


@dataclasses.dataclass(frozen=True, kw_only=True)
class Progress:
    """How far a search is.

    Attributes:
      utterance: its place among those that are searched together, from 0.
      done: how many seconds of its audio are decoded.
      seconds: how many there are.
    """

    utterance: int
    done: float
    seconds: float


class CTranslate2Whisper:
    """A Whisper model of any size, English-only or multilingual.

    It is an `oasr.models.searching.LongAudioModel`: an input is an
    `oasr.features.audio.Audio`, or float samples `[S]` at 16 kHz. Audio is decoded by
    windows of 30 s; where the model writes timestamps, a window begins where the last
    phrase of the one before ended.

    Args:
      directory: with `model.bin`, `config.json` and `vocabulary.json` or `.txt`.
      threads: how many to use; by default as many as there are processors.
      compute_type: how weights are held, as CTranslate2 calls it; "default" is as they
        are on disk, where the processor can.
      settings: when a transcript is believed.
      seed: of all sampling of the process, which CTranslate2 starts once for each of
        its threads: what is drawn depends on what was drawn before.

    Raises:
      ImportError: if CTranslate2 is not installed.
      AssetError: if a file is absent, malformed, or of no Whisper model.
      ValueError: for a compute type or a number of threads that cannot be.

    Attributes:
      progress: called after each window, if it is set.
    """

    # What CTranslate2's search of Whisper has no means for.
    ignores = frozenset({"seed", "top_p"})

    def __init__(
        self,
        directory: str | os.PathLike[str],
        *,
        threads: int | None = None,
        compute_type: str = "int8",
        settings: settings_of.Settings | None = None,
        seed: int = 0,
    ) -> None:
        runtime = libraries.load("ctranslate2")
        folder = directories.CheckpointDirectory(directory)
        self._vocabulary = vocabularies.Vocabulary.read(folder)
        if not ctranslate2_files.has_weights(folder):
            raise errors.AssetError(
                f"{folder.path}: expected the weights of a CTranslate2 model in"
                f" {ctranslate2_files.WEIGHTS}, found no such file."
            )
        threads = len(os.sched_getaffinity(0)) if threads is None else threads
        if type(threads) is not int or threads < 1:
            raise ValueError(
                f"threads must be a number from 1 on, got {showing.shown(threads)}."
            )
        self._settings = settings or settings_of.Settings()
        runtime.set_random_seed(seed)
        self._runtime = _loaded(runtime, folder.path, compute_type, threads)
        self._stopped = threading.Event()
        self.progress: Callable[[Progress], None] | None = None

    @property
    def is_multilingual(self) -> bool:
        """Whether it knows more languages than English."""
        return bool(self._runtime.is_multilingual)

    @property
    def languages(self) -> tuple[str, ...]:
        """The codes of the languages that it knows."""
        return tuple(self._vocabulary.languages) if self.is_multilingual else ("en",)

    @property
    def compute_type(self) -> str:
        """How weights are held, e.g. "int8_float32"."""
        return str(self._runtime.compute_type)

    @property
    def stopped(self) -> bool:
        """Whether `stop` was called since `resume`."""
        return self._stopped.is_set()

    def stop(self) -> None:
        """Has the search that runs end before its next window, and others at once.

        What was decoded until then is returned as if the audio ended there. May be
        called by another thread, or on a signal.
        """
        self._stopped.set()

    def resume(self) -> None:
        """Lets searches run to their ends again."""
        self._stopped.clear()

    def frame_count(self, inputs: Any) -> float:
        """Returns how many frames, possibly not whole, an input has.

        Raises:
          ValueError: if it is no audio.
        """
        return audio.of(inputs).seconds / SECONDS_PER_FRAME

    def search(
        self, inputs: Sequence[Any], asked: Sequence[searching.Search]
    ) -> list[list[searching.Found]]:
        """Returns the hypotheses of each utterance, best first.

        One hypothesis is that of a search with timestamps, unless the prompt asks for
        none. If more are wanted, those of a search without timestamps over the same
        audio compete with it. A score is the log-probability of the text as the model
        gives it without timestamps, whichever search found it. Spans and confidences
        are always found: the scores come with them.

        Args:
          inputs: of each utterance.
          asked: for each utterance what is asked.

        Raises:
          ValueError: if an input is no audio.
        """
        heard = [audio.of(one) for one in inputs]
        return [
            self._search_one(place, one, wanted)
            for place, (one, wanted) in enumerate(zip(heard, asked, strict=True))
        ]

    def _search_one(
        self, place: int, heard: audio.Audio, asked: searching.Search
    ) -> list[searching.Found]:
        utterance = windows.Utterance(
            self._runtime, self._vocabulary, self._settings, heard, asked
        )
        done: list[transcript.Window] = []
        found = utterance.windows()
        while not self._stopped.is_set() and (window := next(found, None)):
            done.append(window)
            self._report(place, window.stop, heard)
        return transcript.join(
            done,
            n_best=asked.n_best,
            frame_count=heard.seconds / SECONDS_PER_FRAME,
            language=utterance.language,
        )

    def _report(self, place: int, frames: int, heard: audio.Audio) -> None:
        if self.progress is None:
            return
        done = frames * windows.SECONDS_PER_MEL_FRAME
        if heard.seconds - done < windows.SECONDS_PER_MEL_FRAME:
            done = heard.seconds
        self.progress(Progress(utterance=place, done=done, seconds=heard.seconds))


def _loaded(library: Any, path: str, compute_type: str, threads: int) -> Any:
    """Returns the runtime's model."""
    known = library.get_supported_compute_types("cpu") | {"default", "auto"}
    if compute_type not in known:
        raise ValueError(
            f"compute_type must be one of {sorted(known)}, got"
            f" {showing.shown(compute_type)}."
        )
    try:
        return library.models.Whisper(
            path, device="cpu", compute_type=compute_type, intra_threads=threads
        )
    except (RuntimeError, ValueError) as error:
        raise errors.AssetError(
            f"{path}: no Whisper model that CTranslate2 can run: {error}"
        ) from error
