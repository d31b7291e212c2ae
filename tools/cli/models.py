"""Models that have a name here: what they are, and the directory of one."""

import os

from tools.cli import models_bazel
from tools.cli import models_cache
from tools.cli import models_table

# What CTranslate2 cannot do without.
_FILES = ("model.bin", "config.json")


def directory(model: str) -> str:
    """Returns the directory of a model; one that has a name is fetched if it is absent.

    Args:
      model: a directory, or a name of `models_table.MODELS`.

    Raises:
      OSError: if it cannot be fetched.
      ValueError: if it is neither.
    """
    if os.path.isdir(model):
        for name in _FILES:
            if not os.path.exists(os.path.join(model, name)):
                raise ValueError(
                    f"--model {model}: has no {name}; expected the directory of a"
                    " Whisper model as CTranslate2 has them. Its"
                    " ct2-transformers-converter makes one of a model of Hugging Face."
                )
        return model
    if model not in models_table.MODELS:
        names = ", ".join(models_table.MODELS)
        raise ValueError(
            f"--model {model}: there is no such directory; expected one with a Whisper"
            f" model as CTranslate2 has them, or a name: {names}."
        )
    named = models_table.MODELS[model]
    workspace = models_bazel.workspace()
    if workspace is not None:
        return models_bazel.directory(named, workspace)
    return models_cache.directory(named)
