"""Builds the model of a checkpoint whose weights lie beside its files.

A runtime's module loads when a model of it is built, so its library is needed only
then.
"""

import importlib
import os
from typing import Any

from oasr import checkpoints
from oasr.checkpoints import ctranslate2_files
from oasr.checkpoints import ctranslate2_whisper
from oasr.checkpoints import directory as directories

_CTRANSLATE2_WHISPER = "oasr.models.ctranslate2_whisper"


def build(found: checkpoints.ConvertedCheckpoint, path: str | os.PathLike[str]) -> Any:
    """Returns the model of a checkpoint, None if its weights are not there.

    Args:
      found: what the checkpoint is.
      path: its directory, or the `oasr.json` in it.

    Raises:
      ImportError: if the library that runs it is not installed.
      AssetError: if the weights are not what the checkpoint says.
    """
    if found.extras.get("runtime") != ctranslate2_whisper.RUNTIME:
        return None
    folder = path if os.path.isdir(path) else os.path.dirname(os.path.abspath(path))
    if not ctranslate2_files.has_weights(directories.CheckpointDirectory(folder)):
        return None
    return importlib.import_module(_CTRANSLATE2_WHISPER).CTranslate2Whisper(folder)
