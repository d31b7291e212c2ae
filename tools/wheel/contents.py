"""What of the repository the wheel has, and where in it."""

import ast
from collections.abc import Mapping
import pathlib

from tools.wheel import renaming

# The command line lives beside the package here; installed, it lives within, so that
# nobody's site-packages gets a package called tools.
_MOVED = {"tools.cli": "oasr._cli"}
_TYPES = (".py", ".pyi", ".so", ".typed")


def collect(sources: Mapping[str, pathlib.Path]) -> dict[str, bytes]:
    """Returns the files of the wheel's packages by their names in it.

    Args:
      sources: where each file is, by its path in the repository.

    Raises:
      ValueError: for a file that has no place in the wheel.
    """
    return {_place(path): _content(path, file) for path, file in sources.items()}


def version(files: Mapping[str, bytes]) -> str:
    """Returns the `__version__` that the package states.

    Args:
      files: as `collect` returns them.

    Raises:
      ValueError: if there is none.
    """
    for statement in ast.parse(files.get("oasr/__init__.py", b"")).body:
        match statement:
            case ast.Assign(
                targets=[ast.Name(id="__version__")],
                value=ast.Constant(value=str(text)),
            ):
                return text
    raise ValueError("oasr/__init__.py: expected __version__ = '...', found none.")


def _place(path: str) -> str:
    """Returns the name of a file in the wheel."""
    if path.endswith(_TYPES):
        for old, new in _MOVED.items():
            if path.startswith(_folder(old)):
                return _folder(new) + path.removeprefix(_folder(old))
        if path.startswith("oasr/"):
            return path
    raise ValueError(f"{path}: the wheel has no place for this file.")


def _content(path: str, file: pathlib.Path) -> bytes:
    content = file.read_bytes()
    if not path.endswith((".py", ".pyi")):
        return content
    text = content.decode("utf-8")
    for old, new in _MOVED.items():
        text = renaming.move(text, old=old, new=new, path=path)
    return text.encode("utf-8")


def _folder(package: str) -> str:
    return package.replace(".", "/") + "/"
