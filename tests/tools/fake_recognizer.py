"""A recogniser that writes how long its audio is, in the place of a Whisper model."""

import dataclasses
import os
import signal

import numpy as np
import soundfile

from oasr import engine
from oasr.engine import request as requests
from oasr.models import ctranslate2_whisper
from tools.cli import transcribe_recognizer

WINDOW_SECONDS = 30.0


class Model:
    """Answers what the command asks of a model."""

    def __init__(self, languages):
        self.languages = languages
        self.is_multilingual = len(languages) > 1
        self.progress = None
        self.stopped = False

    def stop(self):
        self.stopped = True


class Engine:
    """Transcribes by windows; one may interrupt, and audio of odd seconds fails.

    Attributes:
      asked: the requests so far.
    """

    def __init__(self, model, interrupt_at=None):
        self._model = model
        self._interrupt_at = interrupt_at
        self.asked = []

    def transcribe(self, asked):
        [request] = asked
        self.asked.append(request)
        seconds = request.inputs.seconds
        if seconds == 13.0:
            error = "model: EngineConfig.beam_size is unlucky"
            return [engine.RequestOutput.failed(request.request_id, error)]
        return [self._output(request, self._windows(seconds))]

    def _windows(self, seconds):
        """Returns how many seconds are done, by windows and until a stop."""
        done = 0.0
        while done < seconds and not self._model.stopped:
            if done == self._interrupt_at:
                os.kill(os.getpid(), signal.SIGINT)
                if self._model.stopped:  # The handler ran.
                    break
            done = min(done + WINDOW_SECONDS, seconds)
            state = ctranslate2_whisper.Progress(
                utterance=0, done=done, seconds=seconds
            )
            self._model.progress(state)
        return done

    def _output(self, request, done):
        words = [
            requests.WordTiming("lasts", 0.0, done / 2, 0.5),
            requests.WordTiming(f"{done:g}.", done / 2, done, 0.5),
        ]
        text = f"lasts {done:g}."
        segment = requests.Segment(text=text, start=0.0, end=done, tokens=[1])
        found = engine.RequestOutput(
            request.request_id,
            text=text if done else "",
            segments=[segment] if done else [],
            finished=True,
            finish_reason="stop",
            language=request.options.language,
            duration=request.inputs.seconds,
        )
        if request.options.word_timestamps:
            return dataclasses.replace(found, words=words if done else [])
        return found


def install(monkeypatch, languages=("en", "de"), interrupt_at=None):
    """Puts a model in the place of all others; returns what records the requests.

    Args:
      monkeypatch: of pytest.
      languages: what it knows.
      interrupt_at: how many seconds are done when the user presses Ctrl-C.
    """
    model = Model(languages)
    fake = Engine(model, interrupt_at)
    monkeypatch.setattr(transcribe_recognizer, "_loaded", lambda *_: model)
    monkeypatch.setattr(transcribe_recognizer, "_engine", lambda *_: fake)
    return fake


def lay_audio(folder, **seconds):
    """Writes silence of as many seconds to NAME.wav each."""
    for name, length in seconds.items():
        path = folder / f"{name}.wav"
        path.parent.mkdir(parents=True, exist_ok=True)
        soundfile.write(path, np.zeros(round(length * 8000)), 8000)


def lay_model(folder):
    """Lays out what passes for a model's directory, as `model`."""
    (folder / "model").mkdir()
    for name in ("model.bin", "config.json"):
        (folder / "model" / name).write_bytes(b"")
