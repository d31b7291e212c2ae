"""Tests for exits: what becomes of each error."""

import pytest

from oasr import tokenizers
from tools.cli import exits


def ends(error):
    """Returns the exit code of what raises `error`."""

    def function():
        raise error

    return exits.code_of(function)


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (SystemExit(), 0, ""),
        (SystemExit(2), 2, ""),
        (KeyboardInterrupt(), 130, "oasr: interrupted\n"),
        (exits.EndedError(15), 143, "oasr: ended by SIGTERM\n"),
        (exits.EndedError(1), 129, "oasr: ended by SIGHUP\n"),
        (BrokenPipeError(32, "Broken pipe", "stdout"), 141, ""),
        (
            FileNotFoundError(2, "No such file", "a"),
            1,
            "oasr: error: a: No such file\n",
        ),
        (OSError(28, "Full"), 1, "oasr: error: Full\n"),
        (OSError("odd"), 1, "oasr: error: odd\n"),
        (OSError(2, "None", b"\xff"), 1, "oasr: error: \\udcff: None\n"),
        (tokenizers.AssetError("a:1: bad\nline"), 1, "oasr: error: a:1: bad\\nline\n"),
        (tokenizers.UnknownKindError("Unknown"), 1, "oasr: error: Unknown\n"),
        (ValueError(), 1, "oasr: error: ValueError\n"),
        (ImportError("pip install it"), 1, "oasr: error: pip install it\n"),
        (ValueError("\x1b[2J"), 1, "oasr: error: \\x1b[2J\n"),
    ],
)
def test_an_error_is_a_line_and_an_exit_code(capfd, error, code, said):
    assert ends(error) == code
    assert capfd.readouterr() == ("", said)


@pytest.mark.parametrize(
    "error", [TypeError("x"), RuntimeError("x"), ImportError("x", name="oasr.x")]
)
def test_a_defect_shows_its_traceback(error):
    with pytest.raises(type(error), match="x"):
        ends(error)


def test_what_is_returned_is_the_exit_code():
    assert exits.code_of(lambda: 0) == 0
    assert exits.code_of(lambda: 1) == 1
