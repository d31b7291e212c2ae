"""A checkpoint's directory, of which nothing outside is ever read."""

import fnmatch
import os
import pathlib
from typing import Any

from oasr.checkpoints import tokenizer_files
from oasr.checkpoints import yaml_file
from oasr.tokenizers import assets
from oasr.tokenizers import errors

# Twice the largest published vocabulary file; weights, which are larger, are not read.
MAX_BYTES = 64 * 2**20
# Ten times the largest published table or list.
MAX_TEXT_BYTES = 8 * 2**20


class CheckpointDirectory:
    """The files of one directory.

    A link may lead anywhere inside the directory. In a snapshot of a Hugging Face
    cache (`models--*/snapshots/*`) it may lead to that model's folder of the cache,
    where the snapshot's files really are.

    Args:
      path: the directory.

    Raises:
      AssetError: if it is absent or no directory.

    Attributes:
      path: the directory, absolute, its links as they are.
      tokenizer_files: reads the files of tokenizers, each once.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        if not os.fspath(path):  # A variable of a shell that is not set.
            raise errors.AssetError("Expected the path of a directory, got ''.")
        self.path = os.path.abspath(path)
        try:
            root = pathlib.Path(os.path.realpath(self.path, strict=True))
            os.listdir(root)  # Fails if it is no directory, or closed.
            # Fails if its names may be read, but no file.
            os.stat(os.path.join(root, "."))
        except NotADirectoryError as error:
            raise errors.AssetError(
                f"{self.path}: expected a directory, found a file."
            ) from error
        except FileNotFoundError as error:
            raise errors.AssetError(f"{self.path}: no such directory.") from error
        except (OSError, ValueError) as error:  # ValueError: NUL in the path.
            raise errors.AssetError(
                f"{self.path}: cannot be read: {_reason(error)}."
            ) from error
        self._root = _cache_root(root) or root
        self.tokenizer_files = tokenizer_files.TokenizerFiles()
        self._contents: dict[str, dict[str, Any]] = {}

    def __contains__(self, name: str) -> bool:
        """Whether there is anything of that name, readable or not."""
        return os.path.lexists(os.path.join(self.path, name))

    def find(self, pattern: str) -> list[str]:
        """Returns the paths that match, e.g. "*.model" or "exp/*joiner*", sorted.

        They may be of files or of anything else.
        """
        folder, _, last = pattern.rpartition("/")
        try:
            names = os.listdir(os.path.join(self.path, folder))
        except OSError:
            return []  # No such folder, so nothing in it.
        return [os.path.join(folder, n) for n in sorted(fnmatch.filter(names, last))]

    def folders(self, pattern: str) -> list[str]:
        """Returns the paths of folders that match, e.g. "data/lang_*", sorted.

        Links to folders are no folders here: only a file is worth following.
        """
        paths = self.find(pattern)
        return [path for path in paths if self._is_folder(path)]

    def _is_folder(self, path: str) -> bool:
        full = os.path.join(self.path, path)
        return os.path.isdir(full) and not os.path.islink(full)

    def file(self, name: str, *, max_bytes: int = MAX_BYTES) -> str:
        """Returns the absolute path of a file that may be read.

        Args:
          name: relative to the directory.
          max_bytes: the largest size that such a file has.

        Raises:
          AssetError: if it leads out of the directory, or is absent, no regular file,
            or too large for any file that is read here.
        """
        if os.path.isabs(name) or "\0" in name or ".." in pathlib.PurePath(name).parts:
            raise errors.AssetError(
                f"{self.path}: expected the path of a file inside, got {name!r}."
            )
        path = os.path.join(self.path, name)
        try:
            real = os.path.realpath(path, strict=True)
            size = os.path.getsize(real)
        except FileNotFoundError as error:
            raise errors.AssetError(f"{path}: no such file.") from error
        except OSError as error:
            raise errors.AssetError(
                f"{path}: cannot be read: {_reason(error)}."
            ) from error
        self._check_inside(path, real)
        if not os.path.isfile(real):
            raise errors.AssetError(f"{path}: expected a file, found something else.")
        if size > max_bytes:
            raise errors.AssetError(
                f"{path}: the file has {size} bytes; none of its kind has over"
                f" {max_bytes}."
            )
        return path

    def text(self, name: str) -> str:
        """Returns the text of a table or a list, without a BOM.

        Raises:
          AssetError: as `file`, or if it is no UTF-8.
        """
        return assets.read_text(self.file(name, max_bytes=MAX_TEXT_BYTES))

    def json(self, name: str) -> dict[str, Any]:
        """Returns the JSON object in a file; it is shared, and must stay as it is.

        Raises:
          AssetError: as `file`, or if it is no JSON object.
        """
        return self.tokenizer_files.content(self.file(name))

    def yaml(self, name: str) -> dict[str, Any]:
        """Returns the YAML mapping in a file; it is shared, and must stay as it is.

        Raises:
          AssetError: as `file`, or if it is no mapping of plain values.
        """
        if name not in self._contents:
            self._contents[name] = yaml_file.read_mapping(self.file(name))
        return self._contents[name]

    def _check_inside(self, path: str, real: str) -> None:
        if not pathlib.Path(real).is_relative_to(self._root):
            raise errors.AssetError(
                f"{path}: leads out of the checkpoint, to {real!r}; a link may only"
                f" lead to files below {str(self._root)!r}."
            )


def _reason(error: Exception) -> str:
    """Returns why the system refuses, without the path again."""
    return getattr(error, "strerror", None) or str(error)


def _cache_root(root: pathlib.Path) -> pathlib.Path | None:
    """Returns the model's folder in a Hugging Face cache, if `root` is inside one."""
    for folder in (root, *root.parents):
        model = folder.parent.parent
        if folder.parent.name == "snapshots" and model.name.startswith("models--"):
            return model
    return None
