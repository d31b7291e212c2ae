"""Streams of the kinds whose `decode` is UTF-8 bytes, read and stripped.

Three things are held back, and no more: a beginning of a character, whitespace that
may turn out to stand at the end, and with the former the latter if the character may
turn out to be whitespace.
"""

from oasr.tokenizers import decode_state
from oasr.tokenizers import utf8_tail

# Every proper beginning of a whitespace character; none is above U+3000.
_BLANK_BEGINNINGS = frozenset(
    chr(c).encode()[:length]
    for c in range(0x3001)
    if chr(c).isspace()
    for length in range(1, len(chr(c).encode()))
)


class StrippedStream(decode_state.DecodeState):
    """The progress of a stream of bytes whose text is stripped at both ends.

    Attributes:
      begun: whether a visible character was given out.
      blanks: whitespace behind what was given out, in UTF-8.
      pending: the bytes, at most three, of a character that is not complete.
    """

    def __init__(self) -> None:
        super().__init__()
        self.begun = False
        self.blanks = bytearray()
        self.pending = b""

    def _unsettled(self) -> str:
        """What `decode` shows behind the text given out: no blank at the end."""
        if not self.pending:
            return ""
        return (self.blanks + self.pending).decode("utf-8", "replace")

    def feed_bytes(self, new: bytes) -> str:
        """Returns the text that `new` settles."""
        buffer = self.pending + new
        # Python's own incremental decoder waits behind half of a surrogate, too.
        self.pending = utf8_tail.incomplete_tail(buffer)
        whole = buffer[: len(buffer) - len(self.pending)]
        return self.feed(whole.decode("utf-8", "replace"))

    def feed(self, text: str) -> str:
        """Returns the part of `text`, and of the blanks before it, that is settled."""
        if not self.begun:
            text = text.lstrip()
        visible = text.rstrip()
        blanks = text[len(visible) :].encode()
        if visible:
            delta = self.blanks.decode() + visible
            self.blanks = bytearray(blanks)
            self.begun = True
        else:
            delta = ""
            self.blanks += blanks
        # What cannot become whitespace keeps the blanks before it from the strip.
        if self.pending and self.pending not in _BLANK_BEGINNINGS:
            delta += self.blanks.decode()
            self.blanks = bytearray()
            self.begun = True
        return self.give_out(delta)
