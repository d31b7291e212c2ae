"""Runs Python with OASR and all it depends on importable.

./tools/bazel run //tools:python                        a prompt
./tools/bazel run //tools:python -- script.py args      a script
./tools/bazel run //tools:python -- -m pytest --help    anything python takes
"""

import os
import sys


def main() -> None:
    """Becomes the interpreter, where the user stands."""
    os.environ["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path)
    os.chdir(os.environ.get("BUILD_WORKING_DIRECTORY", "."))
    os.execv(sys.executable, [sys.executable, *sys.argv[1:]])


if __name__ == "__main__":
    main()
