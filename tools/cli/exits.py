"""Exit codes, and what becomes of an error or an interrupt."""

from collections.abc import Callable
import os
import re
import signal
import sys
import types
from typing import NoReturn

from oasr import tokenizers
from tools.cli import messages
from tools.cli import output

OK = 0
FAILED = 1  # As what was asked could not be done, or not all of it.
# As shells have it for programs that a signal ended.
INTERRUPTED = 128 + signal.SIGINT
BROKEN_PIPE = 128 + signal.SIGPIPE

# What the registry of converters says of directories that two of them claim.
_TIED = re.compile(r"Name one, e\.g\. converter='(\w+)'\.")
_NAME_ONE = (
    r"Name one to inspect or convert, e.g. --converter \1; the other commands read what"
    " convert wrote."
)

# What files and options cause; anything else but an absent library is a defect of the
# program and shows its traceback.
_EXPECTED = (OSError, ValueError, tokenizers.UnknownKindError)


class EndedError(BaseException):
    """What a signal that asks the program to end raises, so that nothing is left.

    Attributes:
      signal: the number.
    """

    def __init__(self, number: int) -> None:
        super().__init__(signal.Signals(number).name)
        self.signal = number


def heed_signals() -> None:
    """Lets signals to end raise, where they would end the process as it stands."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is signal.SIG_DFL:  # Not under nohup.
            signal.signal(number, _end)


def _end(number: int, frame: types.FrameType | None) -> NoReturn:
    raise EndedError(number)


def code_of(function: Callable[[], int]) -> int:
    """Calls a function; returns the exit code of what it returned or raised."""
    try:
        code = _code_of(function)
        if sys.stdout is not None:
            with output.naming("stdout"):
                sys.stdout.flush()  # What argparse wrote.
    except BrokenPipeError:
        code = BROKEN_PIPE  # Nobody is there to be told.
    except KeyboardInterrupt:
        messages.say("interrupted")
        code = INTERRUPTED
    except EndedError as ended:
        messages.say(f"ended by {ended}")
        code = 128 + ended.signal
    except _EXPECTED as error:
        messages.say(f"error: {text_of(error)}")
        code = FAILED
    except ImportError as error:
        if error.name is not None:  # Python's own; ours say what to install.
            raise
        messages.say(f"error: {error}")
        code = FAILED
    _drop_what_cannot_be_written()
    return code


def text_of(error: BaseException) -> str:
    """Returns what an error says, a file's name first."""
    if isinstance(error, OSError) and error.strerror:
        name = error.filename
        if isinstance(name, bytes):
            name = os.fsdecode(name)
        return f"{name}: {error.strerror}" if name is not None else error.strerror
    return _TIED.sub(_NAME_ONE, str(error)) or type(error).__name__


def _code_of(function: Callable[[], int]) -> int:
    try:
        return function()
    except SystemExit as asked:  # By argparse.
        if isinstance(asked.code, int):
            return asked.code
        return OK if asked.code is None else FAILED


def _drop_what_cannot_be_written() -> None:
    """Lets Python's flush at exit, which would fail again and say so, lead nowhere."""
    for descriptor, stream in ((1, sys.stdout), (2, sys.stderr)):
        try:
            if stream is not None:
                stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), descriptor)
