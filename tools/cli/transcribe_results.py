"""Where transcripts go: to stdout, or into files beside each other."""

from collections.abc import Iterator, Mapping, Sequence
import contextlib
import os
from typing import Protocol

from oasr import engine
from oasr import formats
from tools.cli import output

STDIN = "-"
# Of formats that others write with another suffix than their name.
_SUFFIXES = {"verbose_json": "json"}


class Results(Protocol):
    """Takes what was found in each file."""

    def write(self, source: str, found: "engine.RequestOutput") -> None:
        """Writes one transcript; of a file that failed where the format can.

        Args:
          source: the path of the audio.
          found: what was found in it.

        Raises:
          OSError: naming what cannot be written.
        """


class Stream:
    """Writes one format to stdout as results come."""

    def __init__(self, writer: "formats.Format", results: output.Results) -> None:
        self._writer = writer
        self._results = results
        self._header = writer.header()

    def write(self, source: str, found: "engine.RequestOutput") -> None:
        """Writes one transcript."""
        del source  # Those that hold many name it by themselves.
        if found.error is None or self._writer.holds_many:
            self._results.write(self._header + self._writer.render(found))
            self._header = ""


class Folder:
    """Writes a file per audio and format, each whole."""

    def __init__(
        self,
        folder: str,
        writers: Mapping[str, "formats.Format"],
        sources: Sequence[str],
    ) -> None:
        """Makes the folder, if it is absent.

        Raises:
          OSError: if it cannot be.
          ValueError: if two of `sources` would be written to one file.
        """
        self._folder = folder
        self._writers = writers
        by_stem: dict[str, str] = {}
        for source in sources:
            if (stem := _stem(source)) in by_stem:
                raise ValueError(
                    f"{by_stem[stem]} and {source} would both be written to"
                    f" {self._path(source, next(iter(writers)))}; write them into a"
                    " folder each."
                )
            by_stem[stem] = source
        _make(folder)

    def write(self, source: str, found: "engine.RequestOutput") -> None:
        """Writes one transcript; nothing for a file that failed."""
        if found.error is not None:
            return
        # All of it is made before any of it is written.
        texts = {
            name: writer.header() + writer.render(found)
            for name, writer in self._writers.items()
        }
        for name, text in texts.items():
            with output.opened(self._path(source, name)) as results:
                results.write(text)

    def _path(self, source: str, name: str) -> str:
        suffix = _SUFFIXES.get(name, name)
        return os.path.join(self._folder, f"{_stem(source)}.{suffix}")


@contextlib.contextmanager
def opened(
    folder: str | None, writers: Mapping[str, "formats.Format"], sources: Sequence[str]
) -> Iterator[Results]:
    """Yields where results go.

    Args:
      folder: of the files; None for stdout.
      writers: what writes each format, by name.
      sources: the paths of the audio.

    Raises:
      OSError: if they cannot go there.
      ValueError: if not all of them can.
    """
    if folder is not None:
        yield Folder(folder, writers, sources)
        return
    if len(writers) > 1:
        raise ValueError(
            f"{', '.join(writers)} do not all go to stdout; --output_dir DIR writes a"
            " file for each."
        )
    [(name, writer)] = writers.items()
    if len(sources) > 1 and not writer.holds_many:
        raise ValueError(
            f"The format {name} holds one recording, and {len(sources)} were given;"
            " --output_dir DIR writes a file for each."
        )
    with output.opened(None) as results:
        yield Stream(writer, results)


def name_of(source: str) -> str:
    """Returns how messages and results call an audio file."""
    return "stdin" if source == STDIN else source


def _make(folder: str) -> None:
    """Makes a folder; raises where none can be or nothing written, before the work."""
    try:
        os.makedirs(folder, exist_ok=True)
    except FileExistsError as error:
        raise NotADirectoryError(
            20, "Not a directory; expected one for the results", folder
        ) from error
    if not os.access(folder, os.W_OK | os.X_OK):
        raise PermissionError(13, "The directory cannot be written", folder)


def _stem(source: str) -> str:
    return os.path.splitext(os.path.basename(name_of(source)))[0]
