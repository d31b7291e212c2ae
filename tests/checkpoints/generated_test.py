"""Tests for generated: files that last as long as the process."""

import os
import pathlib
import subprocess
import sys

from oasr.checkpoints import generated


def test_the_same_content_has_the_same_path():
    first = generated.write("tokens.json", b"[1]")
    assert generated.write("tokens.json", b"[1]") == first
    assert generated.write("tokens.json", b"[2]") != first
    assert pathlib.Path(first).read_bytes() == b"[1]"
    assert pathlib.Path(first).name == "tokens.json"


def test_only_the_owner_reads_the_folder():
    folder = pathlib.Path(generated.write("a", b"")).parents[1]
    assert folder.stat().st_mode & 0o077 == 0


def run(code):
    path = os.pathsep.join(sys.path)
    result = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=True,
    )
    return result.stdout.split()


def test_the_file_is_gone_when_the_process_ends():
    (path,) = run(
        "from oasr.checkpoints import generated\n"
        "path = generated.write('a', b'text')\n"
        "assert open(path).read() == 'text'\n"
        "print(path)\n"
    )
    assert not os.path.exists(os.path.dirname(os.path.dirname(path)))


def test_a_fork_leaves_the_files_of_its_parent():
    run(
        "import os, sys\n"
        "from oasr.checkpoints import generated\n"
        "path = generated.write('a', b'text')\n"
        "if os.fork() == 0:\n"
        "    assert generated.write('a', b'text') != path\n"
        "    sys.exit()\n"
        "os.wait()\n"
        "assert open(path).read() == 'text'\n"
    )
