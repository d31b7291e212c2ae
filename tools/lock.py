"""Renews the locks: ./tools/bazel run //tools:lock [-- --upgrade]."""

import os
import pathlib
import subprocess
import sys

import uv

# The reference implementations are held to the versions that OASR itself runs on.
_LOCKS = {
    ".": [],
    "third_party/references": [
        "--constraints=requirements_lock.txt",
        "--overrides=third_party/references/overrides.txt",
    ],
}


def main(arguments: list[str]) -> None:
    """Writes `requirements_lock.txt` beside each `requirements.in`."""
    os.chdir(os.environ["BUILD_WORKSPACE_DIRECTORY"])
    for folder, options in _LOCKS.items():
        source = pathlib.Path(folder, "requirements.in")
        lock = source.with_name("requirements_lock.txt")
        command = [uv.find_uv_bin(), "pip", "compile", "--quiet", "--universal"]
        command += ["--generate-hashes", "--python-version=3.11", "--no-header"]
        command += ["--no-annotate", "--no-emit-index-url", *options, *arguments]
        command += [str(source), f"--output-file={lock}"]
        subprocess.run(command, check=True)
        print(f"{lock} is renewed.")


if __name__ == "__main__":
    main(sys.argv[1:])
