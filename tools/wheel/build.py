"""Writes the wheel into a folder, of files that Bazel names: wheel.bzl."""

import argparse
from collections.abc import Sequence
import pathlib
import sys
import tomllib

from tools.wheel import archive
from tools.wheel import contents
from tools.wheel import metadata


def main(arguments: Sequence[str]) -> None:
    """Builds what the arguments name."""
    parser = argparse.ArgumentParser(fromfile_prefix_chars="@")
    for name in ("folder", "license", "project", "readme"):
        parser.add_argument(f"--{name}", type=pathlib.Path, required=True)
    parser.add_argument("sources", nargs="+", metavar="PATH=FILE")
    args = parser.parse_args(arguments)
    pairs = (source.partition("=") for source in args.sources)
    sources = {path: pathlib.Path(file) for path, _, file in pairs}
    build(
        sources,
        folder=args.folder,
        license_file=args.license,
        project_file=args.project,
        readme=args.readme,
    )


def build(
    sources: dict[str, pathlib.Path],
    *,
    folder: pathlib.Path,
    license_file: pathlib.Path,
    project_file: pathlib.Path,
    readme: pathlib.Path,
) -> pathlib.Path:
    """Writes a wheel that fits this interpreter; returns its path.

    Args:
      sources: where each file is, by its path in the repository.
      folder: where the wheel goes.
      license_file: the text of the licence.
      project_file: the pyproject.toml with the `[project]` table.
      readme: the long description.

    Raises:
      ValueError: for a file that has no place in the wheel, or no version.
    """
    project = tomllib.loads(project_file.read_text("utf-8"))["project"]
    files = contents.collect(sources)
    version, tag = contents.version(files), metadata.tag()
    stem = f"{project['name'].replace('-', '_')}-{version}"
    described = {
        "METADATA": metadata.core(project, version, readme.read_text("utf-8")),
        "WHEEL": metadata.wheel(tag),
        "entry_points.txt": metadata.entry_points(project),
        f"licenses/{license_file.name}": license_file.read_text("utf-8"),
    }
    files |= {f"{stem}.dist-info/{k}": v.encode() for k, v in described.items()}
    path = folder / f"{stem}-{tag}.whl"
    archive.write(path, files, f"{stem}.dist-info")
    return path


if __name__ == "__main__":
    main(sys.argv[1:])
