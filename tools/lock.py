"""Renews the locks: ./tools/bazel run //tools:lock [-- --upgrade]."""

import os
import subprocess
import sys

import uv

# All others are held to the versions that OASR itself runs on.
_CONSTRAINTS = "--constraints=requirements_lock.txt"
_LOCKS = {
    "requirements": [],
    "requirements_dev": [_CONSTRAINTS],
    "third_party/references/requirements": [
        _CONSTRAINTS,
        "--overrides=third_party/references/overrides.txt",
    ],
}


def main(arguments: list[str]) -> None:
    """Writes `NAME_lock.txt` for each `NAME.in`."""
    os.chdir(os.environ["BUILD_WORKSPACE_DIRECTORY"])
    for name, options in _LOCKS.items():
        source, lock = f"{name}.in", f"{name}_lock.txt"
        command = [uv.find_uv_bin(), "pip", "compile", "--quiet", "--universal"]
        command += ["--generate-hashes", "--python-version=3.11", "--no-header"]
        command += ["--no-annotate", *options, *arguments]
        command += [source, f"--output-file={lock}"]
        subprocess.run(command, check=True)
        print(f"{lock} is renewed.")


if __name__ == "__main__":
    main(sys.argv[1:])
