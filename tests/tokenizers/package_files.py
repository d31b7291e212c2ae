"""Where Bazel puts the files of published packages that tests read."""

import pathlib

# Beside the workspace in the runfiles of a test, one folder per external repository.
_RUNFILES = pathlib.Path(__file__).parents[3]


def find(repository, name):
    """Returns the path of a file of an external repository."""
    path = _RUNFILES / repository / name
    assert path.exists(), f"add @{repository}//:{name} to the data of the test"
    return path
