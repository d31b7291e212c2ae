"""What a wheel says of itself: METADATA, WHEEL and entry_points.txt."""

from collections.abc import Iterator, Mapping
import sys
import sysconfig
from typing import Any


def tag() -> str:
    """Returns what the native modules fit: the interpreter that runs, and its system.

    Raises:
      ValueError: if it is no CPython, whose modules have other names.
    """
    if sys.implementation.name != "cpython":
        raise ValueError(
            f"A wheel is built by CPython, got {sys.implementation.name!r}."
        )
    interpreter = f"cp{sys.version_info.major}{sys.version_info.minor}"
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    return f"{interpreter}-{interpreter}{sys.abiflags}-{platform}"


def core(project: Mapping[str, Any], version: str, readme: str) -> str:
    """Returns the METADATA of a `[project]` table.

    Args:
      project: the table as pyproject.toml has it.
      version: of the wheel.
      readme: the long description, in Markdown.
    """
    fields = [f"{name}: {value}\n" for name, value in _fields(project, version)]
    return "".join([*fields, "\n", readme])


def _fields(project: Mapping[str, Any], version: str) -> Iterator[tuple[str, str]]:
    yield "Metadata-Version", "2.4"
    yield "Name", project["name"]
    yield "Version", version
    yield "Summary", project["description"]
    yield "License-Expression", project["license"]
    yield from (("License-File", name) for name in project["license-files"])
    yield from (("Classifier", name) for name in project["classifiers"])
    yield "Requires-Python", project["requires-python"]
    yield from (("Requires-Dist", needed) for needed in project["dependencies"])
    for extra, packages in project["optional-dependencies"].items():
        yield "Provides-Extra", extra
        for needed in packages:
            yield "Requires-Dist", f'{needed} ; extra == "{extra}"'
    yield "Description-Content-Type", "text/markdown; charset=UTF-8"


def wheel(wheel_tag: str) -> str:
    """Returns the WHEEL of a wheel with native modules.

    Args:
      wheel_tag: as `tag` returns it.
    """
    return (
        "Wheel-Version: 1.0\n"
        "Generator: oasr tools/wheel\n"
        "Root-Is-Purelib: false\n"
        f"Tag: {wheel_tag}\n"
    )


def entry_points(project: Mapping[str, Any]) -> str:
    """Returns the entry_points.txt of the scripts of a `[project]` table."""
    lines = [f"{name} = {function}\n" for name, function in project["scripts"].items()]
    return "".join(["[console_scripts]\n", *lines])
