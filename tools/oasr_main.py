"""The command line: ./tools/bazel run //tools:oasr -- COMMAND."""

import os
import signal
import sys


def main() -> int:
    """Does what the command line says, where the user stands; returns the exit code."""
    handler = signal.getsignal(signal.SIGINT)
    if handler is signal.default_int_handler:  # Not where a shell has it ignored.
        # While libraries load, nothing has begun that an interrupt could leave behind.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from tools.cli import console
    from tools.cli import exits

    signal.signal(signal.SIGINT, handler)

    def run() -> int:
        os.chdir(os.environ.get("BUILD_WORKING_DIRECTORY", "."))
        return console.run()

    return exits.code_of(run)


if __name__ == "__main__":
    # This file cannot be called oasr.py: it would hide the package of that name.
    sys.exit(main())
