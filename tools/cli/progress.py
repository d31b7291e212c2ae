"""A progress bar, where somebody sees it and it is in nobody's way."""

from collections.abc import Iterator, Sequence
import sys
from typing import TypeVar

from rich import console as rich_console
from rich import progress as rich_progress

from tools.cli import output

_ItemT = TypeVar("_ItemT")


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
