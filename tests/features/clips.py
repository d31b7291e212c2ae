"""Speech for tests, and files of samples in many formats."""

import io

import numpy as np
import soundfile

from tests.tokenizers import package_files

BECKETT = "Ever tried. Ever failed. No matter. Try again. Fail again. Fail better."


def beckett_path():
    """Returns the path of ten seconds of speech, 16 kHz."""
    return package_files.find("beckett_clip", "beckett.wav")


def beckett():
    """Returns its samples, as the library reads them."""
    samples, rate = soundfile.read(beckett_path(), dtype="float32")
    assert rate == 16_000
    return samples


def encoded(samples, rate, *, container="WAV", subtype="PCM_16"):
    """Returns a file of samples `[S]` or `[S, C]`."""
    file = io.BytesIO()
    soundfile.write(file, np.asarray(samples), rate, format=container, subtype=subtype)
    return file.getvalue()
