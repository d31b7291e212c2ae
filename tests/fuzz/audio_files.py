"""Files of audio: refused, or finite samples as long as the file says."""

import io
import math

import numpy as np
import soundfile

from oasr.features import audio
from tests.fuzz import files
from tests.fuzz import target

_SECONDS = 0.02
_FORMATS = [("WAV", "PCM_16"), ("WAV", "FLOAT"), ("FLAC", "PCM_16"), ("OGG", "VORBIS")]
_FORMATS += [("AU", "ULAW"), ("AIFF", "PCM_24"), ("WAV", "IMA_ADPCM")]


def _audio(data: bytes) -> None:
    found = audio.read(files.put("clip.audio", data))
    assert found.samples.ndim == 1
    assert found.samples.dtype == np.float32
    assert np.isfinite(found.samples).all()
    assert math.isfinite(found.seconds)
    assert 0 <= found.seconds < 1e7


def _seeds() -> list[bytes]:
    made = []
    for (kind, coding), rate in zip(_FORMATS, (8000, 16000, 44100) * 3, strict=False):
        file = io.BytesIO()
        times = np.arange(int(rate * _SECONDS)) / rate
        tone = 0.3 * np.sin(2 * np.pi * 440 * times)
        channels = np.stack([tone, -tone], axis=1) if rate == 44100 else tone
        soundfile.write(file, channels, rate, format=kind, subtype=coding)
        made.append(file.getvalue())
    return made


AUDIO = target.Target(run=_audio, seeds=_seeds, short=400)
