"""The text of each id of a sequence, from one pass with the stream."""

from collections.abc import Callable, Mapping

from oasr.tokenizers import utf8_tail
from oasr.tokenizers import window_state


class Pieces:
    """Gives each settled text to its owner, and a mark to the id that it is from.

    A character belongs to the id with its last byte, a mark for a broken character
    to the last id that gave one of its bytes.

    Args:
      advance: takes kept ids into a state; returns the text that they settle.
      close_run: ends a run of byte ids; only where a bad byte turns each byte of its
        run into a mark.
      bytes_of: the bytes of each id that may hold a part of a character.
    """

    def __init__(
        self,
        advance: Callable[[list[int], window_state.WindowState], str],
        close_run: Callable[[window_state.WindowState], str] | None,
        bytes_of: Mapping[int, bytes],
    ) -> None:
        self._advance = advance
        self._bytes = bytes_of
        self._close_run = close_run
        self._add_kept = self._add_to_runs if close_run else self._add_to_window
        self._state = window_state.WindowState()
        self._texts: list[str] = []
        # The place of the id of each pending byte; of each byte of an open run.
        self._owners: list[int] = []

    def add(self, token_id: int, *, kept: bool) -> None:
        """Adds the next id; one that is not kept owns nothing."""
        self._texts.append("")
        if kept:
            self._add_kept(token_id)

    def finish(self) -> list[str]:
        """Returns the text of each id."""
        if self._close_run:
            self._finish_run()
        else:
            self._mark_owners(self._state.marks)
        return self._texts

    def _add_to_window(self, token_id: int) -> None:
        state, place = self._state, len(self._texts) - 1
        content = self._bytes.get(token_id, b"")
        pending, marks = state.pending, state.marks
        text = self._advance([token_id], state)
        if pending and not (content and utf8_tail.continues(pending, content[0])):
            self._mark_owners(marks)
            text = text[marks:]
            self._owners = []
        self._texts[place] = text
        owners = self._owners + [place] * len(content)
        self._owners = owners[len(owners) - len(state.pending) :]

    def _mark_owners(self, marks: int) -> None:
        """Gives the marks of a broken character to the ids of its last bytes."""
        for place in self._owners[len(self._owners) - marks :]:
            self._texts[place] += window_state.BROKEN

    def _add_to_runs(self, token_id: int) -> None:
        state, place = self._state, len(self._texts) - 1
        if token_id not in self._bytes:
            self._finish_run()
            self._texts[place] = self._advance([token_id], state)
            return
        self._owners.append(place)
        held = len(state.run)
        self._advance([token_id], state)
        # What the run holds back is this byte's if no bad byte comes.
        self._texts[place] = state.run[held:].decode()

    def _finish_run(self) -> None:
        """Gives every byte of a run a mark if the run is no valid UTF-8."""
        state = self._state
        if state.run_broken or state.pending:
            for place in self._owners:
                self._texts[place] = window_state.BROKEN
        if self._close_run:
            self._close_run(state)
        self._owners = []


def stripped(pieces: list[str]) -> list[str]:
    """Returns the pieces without the blanks that a strip of the whole text takes."""
    kept = list(pieces)
    for places, strip in (
        (range(len(kept)), str.lstrip),
        (range(len(kept) - 1, -1, -1), str.rstrip),
    ):
        for place in places:
            kept[place] = strip(kept[place])
            if kept[place]:
                break
    return kept
