"""The libraries that only a recogniser needs; each is loaded when it is wanted."""

import importlib
from typing import Any


def load(module: str) -> Any:
    """Returns a module of the extra `recognizer`.

    Raises:
      ImportError: if it is not installed, naming what to install.
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise ImportError(
            f"Audio and recognisers need the package {module}; pip install"
            " 'oasr-server[recognizer]' brings it."
        ) from error
