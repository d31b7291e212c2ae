"""The recogniser of `oasr transcribe`: one audio file after the other."""

import argparse
from collections.abc import Iterator
import contextlib
import signal
import sys
from typing import Any

from oasr import engine
from oasr.features import audio
from oasr.features import libraries
from oasr.models import ctranslate2_whisper
from tools.cli import models
from tools.cli import progress
from tools.cli import transcribe_results

Model = ctranslate2_whisper.CTranslate2Whisper
_LIBRARIES = ("ctranslate2", "soundfile", "soxr")


class Recognizer:
    """Transcribes files until it is interrupted.

    Attributes:
      stopped: whether an interrupt ended the last transcript before its audio.
      done: how many seconds of the last audio are transcribed.
      seconds: how many it has.
    """

    def __init__(
        self,
        model: Model,
        transcriber: "engine.ASREngine",
        options: "engine.DecodingOptions",
    ) -> None:
        self._model = model
        self._transcriber = transcriber
        self._options = options
        self.stopped = False
        self.done = self.seconds = 0.0

    def transcribe(self, source: str) -> "engine.RequestOutput":
        """Returns what is said in a file.

        An interrupt ends it before its end, a second one at once.

        Raises:
          OSError: if it cannot be read.
          ValueError: if it is no audio.
          KeyboardInterrupt: for an interrupt while it is read.
        """
        name = transcribe_results.name_of(source)
        file = _stdin() if source == transcribe_results.STDIN else source
        heard = audio.read(file, name=name)
        self.done, self.seconds = 0.0, heard.seconds
        with progress.of_audio(name, heard.seconds) as show, self._interruptible():

            def report(state: ctranslate2_whisper.Progress) -> None:
                self.done = state.done
                show(state.done)

            self._model.progress = report
            request = engine.Request(name, heard, self._options)
            [found] = self._transcriber.transcribe([request])
        self.stopped = self._model.stopped
        return found

    @contextlib.contextmanager
    def _interruptible(self) -> Iterator[None]:
        def stop(*_: object) -> None:
            self._model.stop()
            signal.signal(signal.SIGINT, before)

        before = signal.signal(signal.SIGINT, stop)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)


def build(args: argparse.Namespace, *, words: bool) -> Recognizer:
    """Returns the recogniser that the arguments describe.

    Args:
      args: of `transcribe_arguments`.
      words: whether to time each word.

    Raises:
      OSError: if the model cannot be fetched.
      ImportError: if a library is absent.
      AssetError: if the directory is none of a model.
      ValueError: for what the model cannot do.
    """
    for module in _LIBRARIES:  # Before a model is fetched that nothing here can run.
        libraries.load(module)
    directory = models.directory(args.model)
    model = _loaded(directory, args.threads)
    options = _options(args, model, words=words)
    return Recognizer(model, _engine(directory, model, args.beam_size), options)


def _loaded(directory: str, threads: int | None) -> Model:
    return Model(directory, threads=threads)


def _engine(directory: str, model: Model, beam_size: int | None) -> "engine.ASREngine":
    settings: dict[str, Any] = {}
    if beam_size is not None:
        settings["decode_options"] = {"beam_size": beam_size}
    return engine.ASREngine.from_checkpoint(directory, model=model, **settings)


def _options(
    args: argparse.Namespace, model: Model, *, words: bool
) -> "engine.DecodingOptions":
    asked = {
        "n_best": args.n_best,
        "prompt": args.prompt,
        "temperature": args.temperature,
        "word_timestamps": words,
    }
    if args.language is not None and args.language not in model.languages:
        raise ValueError(
            f"--language {args.language}: the model knows {' '.join(model.languages)}."
        )
    if model.is_multilingual:
        asked |= {"language": args.language, "task": args.task}
    elif args.task != "transcribe":
        raise ValueError(
            f"--task {args.task} needs a multilingual model; {args.model} knows English"
            " only."
        )
    return engine.DecodingOptions(**asked)


def _stdin() -> Any:
    if sys.stdin is None:
        raise OSError("stdin is closed; name a file to read.")
    if sys.stdin.isatty():
        raise OSError("stdin is a terminal; expected audio from a pipe or a file.")
    return sys.stdin.buffer
