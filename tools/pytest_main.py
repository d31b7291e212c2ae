"""Runs the pytest files a `pytest_test` names, in its runfiles."""

import os
import pathlib
import sys

import pytest

_ROOT = pathlib.Path(__file__).parents[1]


def main(arguments: list[str]) -> int:
    """Returns pytest's exit code; choosing no case of a file is no failure."""
    report, chosen = (
        os.environ.get("XML_OUTPUT_FILE"),
        os.environ.get("TESTBRIDGE_TEST_ONLY"),
    )
    options = [f"--rootdir={_ROOT}", f"--confcutdir={_ROOT}", "-pno:cacheprovider"]
    options += [f"--junitxml={report}"] if report else []
    options += [f"-k{chosen}"] if chosen else []
    options += [str(_ROOT / a) if a.endswith(".py") else a for a in arguments]
    pytest.register_assert_rewrite("tests")
    code = pytest.main(options)
    narrowed = any(option.startswith("-k") for option in options)
    return 0 if narrowed and code == pytest.ExitCode.NO_TESTS_COLLECTED else int(code)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
