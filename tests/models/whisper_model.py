"""Whisper tiny.en, as CTranslate2 runs it."""

import functools

from oasr.models import ctranslate2_whisper
from tests.tokenizers import package_files


def directory():
    """Returns the folder of the model.

    In the runfiles there are links, which lead out of the checkpoint.
    """
    found = package_files.find("whisper_tiny_en", "model/config.json")
    return found.resolve().parent


@functools.cache
def model():
    """Returns the model, which is loaded once."""
    return ctranslate2_whisper.CTranslate2Whisper(directory(), threads=2)


@functools.cache
def steady_model():
    """Returns one that draws no samples, so that it always writes the same."""
    settings = ctranslate2_whisper.Settings(temperatures=(0.0,))
    return ctranslate2_whisper.CTranslate2Whisper(
        directory(), threads=2, settings=settings
    )
