"""A progress bar, where somebody sees it and it is in nobody's way."""

from collections.abc import Callable, Iterator, Sequence
import contextlib
import datetime
import sys
from typing import TypeVar

from rich import console as rich_console
from rich import progress as rich_progress
from rich import text as rich_text

from tools.cli import messages
from tools.cli import output

_ItemT = TypeVar("_ItemT")

# Shorter audio is done before anybody reads a bar.
_LONG_SECONDS = 60.0


def over(items: Sequence[_ItemT], results: str | None) -> Iterator[_ItemT]:
    """Yields `items`, with a bar on stderr if that is a terminal.

    Args:
      items: what is to be done.
      results: where results go, as for `output.opened`; a bar between results that
        come on the same terminal would only garble them.
    """
    if sys.stderr is None or not sys.stderr.isatty() or output.is_terminal(results):
        yield from items
        return
    yield from rich_progress.track(
        items,
        description="",
        console=rich_console.Console(file=sys.stderr),
        transient=True,
    )


@contextlib.contextmanager
def of_audio(name: str, seconds: float) -> Iterator[Callable[[float], None]]:
    """Yields what takes how many seconds of an audio are done.

    If the audio is long and stderr is a terminal, a bar there shows it, with how many
    times faster than speech it goes and the time left; in the end the bar is gone.

    Args:
      name: of the audio.
      seconds: how long it is.
    """
    if seconds < _LONG_SECONDS or sys.stderr is None or not sys.stderr.isatty():
        yield lambda done: None
        return
    with rich_progress.Progress(
        rich_progress.TextColumn("{task.description}", markup=False),
        rich_progress.BarColumn(),
        _Clock(),
        _Speed(),
        rich_progress.TimeRemainingColumn(compact=True),
        rich_progress.TextColumn("left"),
        console=rich_console.Console(file=sys.stderr),
        transient=True,
    ) as bar:
        task = bar.add_task(messages.printable(name), total=seconds)
        yield lambda done: bar.update(task, completed=done)


class _Clock(rich_progress.ProgressColumn):
    """How much of the audio is done, and how much there is."""

    def render(self, task: rich_progress.Task) -> rich_text.Text:
        """Returns what the column shows."""
        done, whole = (
            datetime.timedelta(seconds=round(seconds or 0))
            for seconds in (task.completed, task.total)
        )
        return rich_text.Text(f"{done} of {whole}")


class _Speed(rich_progress.ProgressColumn):
    """How many seconds of audio are done in one."""

    def render(self, task: rich_progress.Task) -> rich_text.Text:
        """Returns what the column shows."""
        speed = task.finished_speed or task.speed
        return rich_text.Text("" if speed is None else f"{speed:.1f}x")
