"""Text while ids come: each id is rendered as soon as it is read."""

from collections.abc import Sequence

from oasr import tokenizers
from oasr.formats import txt
from tools.cli import id_lines
from tools.cli import inputs
from tools.cli import messages
from tools.cli import output


class Stream:
    """Renders lines of ids whose bytes come in chunks, cut anywhere.

    An id is read when a blank or the end of its line stands behind it, an array when
    its line has ended. A line ends at what is no id, and is named.

    Args:
      tokenizer: renders the ids.
      results: takes the text that each id settles.
      failures: takes what is no id.
      name: of the input, for messages.
    """

    def __init__(
        self,
        tokenizer: "tokenizers.Tokenizer",
        results: output.Results,
        failures: messages.Failures,
        name: str,
    ) -> None:
        self._tokenizer = tokenizer
        self._results = results
        self._failures = failures
        self._name = name
        self._unread = b""  # Of the current line.
        self._number = 0  # Of the current line, from 1.
        self._begin()

    def feed(self, chunk: bytes) -> None:
        """Renders the ids that are whole by now."""
        unread = self._unread + chunk
        if self._number == 1 and not self._words:
            unread = unread.removeprefix(inputs.BOM)
        *ended, self._unread = unread.split(b"\n")
        for line in ended:
            self._end_line(line)
        if not id_lines.is_array(self._unread) or self._words:
            self._unread = self._read_words(self._unread)

    def end(self) -> None:
        """Renders what stands behind the last line end, if anything does."""
        if self._unread or self._words:
            self._end_line(self._unread)

    def _begin(self) -> None:
        self._state = self._tokenizer.new_decode_state()
        self._number += 1
        self._words = 0  # How many words of the line were read.
        self._failed = False

    def _end_line(self, rest: bytes) -> None:
        if self._words or not id_lines.is_array(rest):
            self._read_words(rest + b" ")
        else:
            self._read_array(rest)
        held = self._tokenizer.flush_incremental(self._state)
        self._results.write(txt.one_line(held) + "\n")
        self._begin()

    def _read_words(self, text: bytes) -> bytes:
        """Renders the words that a blank ends; returns what stands behind."""
        words = text.split()
        rest = words.pop() if words and not text[-1:].isspace() else b""
        for word in words:
            self._words += 1
            self._render_word(word)
        return rest

    def _render_word(self, word: bytes) -> None:
        if self._failed:
            return
        try:
            self._render([id_lines.parse_word(word, self._words)])
        except ValueError as error:
            self._fail(error)

    def _read_array(self, line: bytes) -> None:
        try:
            ids = id_lines.parse(line)
        except ValueError as error:
            self._fail(error)
            return
        for token_id in ids:
            self._render([token_id])

    def _render(self, ids: Sequence[int]) -> None:
        delta = self._tokenizer.decode_incremental(ids, self._state)
        if delta:
            self._results.write(txt.one_line(delta))

    def _fail(self, error: ValueError) -> None:
        self._failed = True
        self._failures.add(f"{self._name}:{self._number}", str(error))
