"""Files of recorded scores: what all their forms have in common."""

import os

from oasr import showing
from oasr import tokenizers

Path = str | os.PathLike[str]


def check_file(path: Path) -> None:
    """Raises AssetError unless `path` is a regular file."""
    if os.path.isfile(path):
        return
    if os.path.isdir(path):
        raise tokenizers.AssetError(f"{path}: expected a file, found a directory.")
    if os.path.exists(path):  # A pipe or a device would block, or never end.
        raise tokenizers.AssetError(f"{path}: expected a regular file.")
    raise tokenizers.AssetError(f"{path}: no such file.")


def malformed(place: Path, wanted: str, error: Exception) -> tokenizers.AssetError:
    """Returns the error of a file that could not be read as `wanted`."""
    found = showing.shortened(showing.message(error), 200) or type(error).__name__
    return tokenizers.AssetError(
        f"{place}: expected {wanted}, found: {found.rstrip('.')}."
    )
