"""What the program stands on."""

from importlib import metadata
import platform

import oasr

_PACKAGES = ("ctranslate2", "numpy", "sentencepiece", "tokenizers")


def page() -> str:
    """Returns a line each for OASR, Python and the packages beneath."""
    lines = [f"oasr {oasr.__version__}", f"python {platform.python_version()}"]
    return "\n".join([*lines, *(f"{name} {_version(name)}" for name in _PACKAGES)])


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "is not installed"
