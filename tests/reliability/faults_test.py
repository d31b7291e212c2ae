"""Whatever goes wrong with a file: all of it or what was there, and the next run works.

Each file operation of each writer goes wrong once, in each way.
"""

import json
import os
import resource
import shutil
import signal

import numpy as np
import pytest

from oasr import checkpoints
from oasr.checkpoints import whole_file
from tests.checkpoints import layouts
from tests.reliability import injection
from tools.cli import main

_MOST_OPERATIONS = 400
_TOKENS = "".join(f"- '{token}'\n" for token in layouts.PARAFORMER)


def lay_out(folder):
    """Writes what the writers read: checkpoints, ids and scores."""
    layouts.lay(folder / "wenet", {"units.txt": layouts.WENET})
    layouts.lay(
        folder / "made", {"config.yaml": f"model: Paraformer\ntoken_list:\n{_TOKENS}"}
    )
    (folder / "ids.txt").write_text("2 3\n4 5\n", encoding="utf-8")
    probs = np.full((3, 7), 0.05)
    probs[[0, 1, 2], [2, 3, 4]] = 0.7
    np.save(folder / "scores.npy", np.log(probs))
    (folder / "out").mkdir()
    return folder


def command(*arguments):
    """Runs a command; raises for what it says by its exit code."""
    code = main.run([str(argument) for argument in arguments])
    if code == 130:
        raise KeyboardInterrupt
    if code:
        raise OSError(f"exit code {code}")


def convert(folder, name, output):
    checkpoints.convert_checkpoint(folder / name).save(output)


WRITERS = {
    "a file": lambda f: whole_file.write(f / "out" / "a", b"content" * 1000),
    "a new directory": lambda f: convert(f, "wenet", f / "out" / "new" / "deep"),
    "a directory again": lambda f: convert(f, "wenet", f / "out"),
    "the same directory": lambda f: convert(f, "wenet", f / "wenet"),
    "files that are made": lambda f: convert(f, "made", f / "out"),
    "texts": lambda f: command(
        "detokenize", "--checkpoint", f / "wenet", "--output", f / "out" / "t",
        f / "ids.txt",
    ),
    "transcripts": lambda f: command(
        "decode", "--checkpoint", f / "wenet", "--output", f / "out" / "t",
        f / "scores.npy",
    ),
}  # fmt: skip


def check_whole(found, before, after):
    """Asserts that each file is as it was before, or as it is after all went well."""
    for name, content in found.items():
        assert content in (before.get(name), after.get(name)), f"{name} is half written"
    assert not before.keys() - found.keys(), "a file is gone"


@pytest.mark.parametrize("fault", injection.FAULTS)
@pytest.mark.parametrize("name", WRITERS)
def test_every_file_operation_goes_wrong_once(tmp_path, capfd, name, fault):
    work, folder = WRITERS[name], tmp_path / "work"
    lay_out(folder)
    before = injection.contents(folder)
    work(folder)  # Imports what there is to import, too.
    if name == "a directory again":
        before = injection.contents(folder)
    after = injection.contents(folder)
    for place in range(_MOST_OPERATIONS):
        shutil.rmtree(folder)
        lay_out(folder)
        for path, content in before.items():
            (folder / path).write_bytes(content)
        code, reached = injection.run(lambda: work(folder), fault, place)
        if not reached:
            break
        said = capfd.readouterr().err
        assert code == -signal.SIGKILL if fault == "a kill" else code != 2, said
        check_whole(injection.contents(folder), before, after)
        if fault != "a kill":
            left = [path for path in folder.rglob("*") if injection.is_part(path)]
            assert not left
        work(folder)
        assert injection.contents(folder) == after
    assert 0 < place < _MOST_OPERATIONS - 1


def limited(work, most):
    """Returns the exit code of `work` in a fork whose files have `most` bytes."""
    child = os.fork()
    if child == 0:
        code = injection.DEFECT
        try:
            resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
            work()
            code = injection.DONE
        except injection.EXPECTED:
            code = injection.RAISED
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


@pytest.mark.parametrize("name", WRITERS)
def test_a_disk_that_fills_up_while_a_file_is_written(tmp_path, name):
    work, folder = WRITERS[name], tmp_path / "work"
    lay_out(folder)
    before = injection.contents(folder)
    work(folder)
    after = injection.contents(folder)
    written = [len(c) for n, c in after.items() if before.get(n) != c]
    assert written
    for most in (0, min(written) // 2, max(written) - 1):
        shutil.rmtree(folder)
        lay_out(folder)
        assert limited(lambda: work(folder), most) == injection.RAISED
        check_whole(injection.contents(folder), before, after)
        assert not [path for path in folder.rglob("*") if injection.is_part(path)]
        work(folder)
        assert injection.contents(folder) == after


def test_a_killed_writer_leaves_a_manifest_that_can_be_read_or_none(tmp_path):
    folder = lay_out(tmp_path / "work")
    output = folder / "out"
    convert(folder, "made", tmp_path / "whole")
    for place in range(_MOST_OPERATIONS):
        _, reached = injection.run(
            lambda: convert(folder, "made", output), "a kill", place
        )
        if (output / "oasr.json").exists():
            assert checkpoints.ConvertedCheckpoint.load(output).vocab_size == 9
        if not reached:
            break
        shutil.rmtree(output)
        output.mkdir()
    assert json.loads((output / "oasr.json").read_bytes())["family"] == "paraformer"
