"""What is said to the user: on stderr, a line each."""

import logging
import sys


def say(text: str) -> None:
    """Writes a line to stderr, if there is one that takes it.

    Characters that would steer a terminal are shown as escapes: names and contents of
    files that nobody trusts are in messages.
    """
    if sys.stderr is None:
        return
    try:
        print(f"oasr: {printable(text)}", file=sys.stderr, flush=True)
    except OSError:
        return  # There is no other place to say it.


def printable(text: str) -> str:
    """Returns `text` on one line, with escapes for what has no shape of its own."""
    return "".join(c if c.isprintable() else _escape(c) for c in text)


def _escape(character: str) -> str:
    # Marks that join or direct letters have no shape, and belong to their script.
    if character in "\u200c\u200d":
        return character
    return character.encode("unicode_escape").decode("ascii")


class Log(logging.Handler):
    """Says what the library logs."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        # What a request failed by is in its output, which commands report.
        self.addFilter(lambda record: not str(record.msg).startswith("Request "))

    def emit(self, record: logging.LogRecord) -> None:
        """Writes one record."""
        say(f"{record.levelname.lower()}: {record.getMessage()}")


def show_log() -> None:
    """Lets warnings of the library be said, in the manner of the other messages."""
    logger = logging.getLogger("oasr")
    if not any(isinstance(handler, Log) for handler in logger.handlers):
        logger.addHandler(Log())
    logger.propagate = False


class Failures:
    """Names what failed, and counts it.

    Attributes:
      count: how much failed.
    """

    def __init__(self) -> None:
        self.count = 0

    def add(self, place: str, reason: str) -> None:
        """Says that something failed; what else there is to do goes on."""
        self.count += 1
        # Errors of files begin with the file, which often is the place.
        named = reason if reason.startswith(f"{place}: ") else f"{place}: {reason}"
        say(f"error: {named}")

    @property
    def exit_code(self) -> int:
        """1 if anything failed, else 0."""
        return int(self.count > 0)
