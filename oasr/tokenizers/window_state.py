"""The progress of a stream that renders its last few ids again with the new ones."""

from oasr.tokenizers import decode_state
from oasr.tokenizers import stripped_stream

BROKEN = "\ufffd"  # What a runtime writes for bytes that are no character.


class WindowState(decode_state.DecodeState):
    """What a windowed stream keeps beside its text: a few ids, bytes and counts.

    Attributes:
      past_start: whether the rule for the start of the text lies behind.
      context: ids rendered before the window, whose text is cut off again.
      context_length: how many characters that text has.
      window: the ids, at most three, that hold the bytes of an unfinished character.
      given: how many characters of the rendered window were given out.
      pending: the bytes, at most three, of the unfinished character.
      marks: how many marks the runtime writes for `pending`.
      run: the finished characters, in UTF-8, of an open byte run that a bad byte
        would undo: text held back.
      run_length: how many bytes that run has, pending ones included; 0 without one.
      run_broken: whether a bad byte came, so that each byte of the run is a mark.
    """

    def __init__(self) -> None:
        super().__init__()
        self.past_start = False
        self.context: tuple[int, ...] = ()
        self.context_length = 0
        self.window: list[int] = []
        self.given = 0
        self.pending = b""
        self.marks = 0
        self.run = bytearray()
        self.run_length = 0
        self.run_broken = False

    def _unsettled(self) -> str:
        """How the runtime renders what is held back now."""
        if self.finished:
            return ""
        return self.run_text() if self.run_length else BROKEN * self.marks

    def run_text(self) -> str:
        """Returns how the runtime renders what is held back of a run that ends now."""
        if self.run_broken:
            return ""
        return BROKEN * self.run_length if self.pending else self.run.decode()

    def close_run(self) -> str:
        """Ends the byte run; returns its text that was held back until now."""
        text = self.run_text()
        self.window, self.pending = [], b""
        self.run, self.run_length, self.run_broken = bytearray(), 0, False
        return text

    def settle(self, text: str) -> str:
        """Gives out the part of `text` that `decode` shows whatever comes later.

        Args:
          text: what no later id can change in the runtime's text; `pending` is what
            follows it.

        Returns:
          The delta.
        """
        return self.give_out(text)


class StrippedWindowState(stripped_stream.StrippedStream, WindowState):
    """The same for a kind whose `decode` strips both ends of the runtime's text."""

    def settle(self, text: str) -> str:
        """Gives out `text` but for blanks that may turn out to stand at the end."""
        return self.feed(text)
