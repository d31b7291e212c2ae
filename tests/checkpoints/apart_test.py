"""Tests for apart: it says what is said in this process, and dies alone."""

import os
import pathlib
import time

import pytest

from oasr import checkpoints
from oasr import tokenizers
from oasr.checkpoints import apart
from tests.checkpoints import layouts
from tests.tokenizers import sentencepiece_models

_TOKENS = "".join(f"- '{token}'\n" for token in layouts.PARAFORMER)
DIRECTORIES = {
    "a table": {"units.txt": layouts.WENET, "train.yaml": layouts.TRAIN_YAML},
    "a made list": {"config.yaml": f"model: Paraformer\ntoken_list:\n{_TOKENS}"},
    "findings": {"units.txt": "<blank> 0\na 1\na 3\n<0x41> 4\n"},
    "nothing": {"notes.txt": "nothing of use"},
    "no UTF-8": {"units.txt": b"<blank> 0\n\xff 1\n"},
    "deep": {"oasr.json": "[" * 100_000},
}


def outcome(function, *arguments, **options):
    """Returns what a call returns, or the class and the text of what it raises."""
    try:
        return function(*arguments, **options)
    except (ValueError, ImportError) as error:
        return type(error), str(error)


def content(found):
    """Returns a checkpoint with the contents of its files, wherever they are."""
    if not isinstance(found, checkpoints.ConvertedCheckpoint):
        return found
    paths = found.tokenizer.files.items()
    files = {role: pathlib.Path(path).read_bytes() for role, path in paths}
    return found.family, found.vocab_size, found.tokenizer.options, files


@pytest.mark.parametrize("name", DIRECTORIES)
def test_a_conversion_is_what_it_is_here(tmp_path, name):
    folder = layouts.lay(tmp_path / "here", DIRECTORIES[name])
    expected = outcome(checkpoints.convert_checkpoint, folder)
    assert content(outcome(apart.convert_apart, folder)) == content(expected)


@pytest.mark.parametrize("name", ["a table", "findings", "nothing"])
def test_an_inspection_is_what_it_is_here(tmp_path, name):
    folder = layouts.lay(tmp_path / "here", DIRECTORIES[name])
    expected = outcome(checkpoints.inspect_checkpoint, folder)
    assert outcome(apart.inspect_apart, folder) == expected


def test_a_library_in_the_child_reads_the_model(tmp_path):
    model = sentencepiece_models.model("icefall")
    reference = sentencepiece_models.reference(model)
    lines = [f"{reference.id_to_piece(i)} {i}\n" for i in range(len(reference))]
    files = {"tokens.txt": "".join(lines), "bpe.model": model}
    folder = layouts.lay(tmp_path / "here", files)
    found = apart.inspect_apart(folder)
    assert found.checkpoint.tokenizer.kind == "sentencepiece"
    assert found == checkpoints.inspect_checkpoint(folder)


def test_a_saved_checkpoint_is_read_apart(tmp_path):
    folder = layouts.lay(tmp_path / "here", DIRECTORIES["a made list"])
    saved = apart.convert_apart(folder).save(tmp_path / "saved")
    assert apart.convert_apart(tmp_path / "saved") == saved
    assert apart.convert_apart(tmp_path / "saved" / "oasr.json") == saved
    assert apart.inspect_apart(tmp_path / "saved").checkpoint == saved


def test_an_unknown_converter_is_a_value_error(tmp_path):
    folder = layouts.lay(tmp_path / "here", DIRECTORIES["a table"])
    with pytest.raises(ValueError, match="Unknown converter 'nobody'") as caught:
        apart.convert_apart(folder, converter="nobody")
    assert not isinstance(caught.value, tokenizers.AssetError)


_HOSTILE = """
import ctypes, os, pathlib, signal, subprocess, sys, time
from oasr import checkpoints, tokenizers

class Hostile(checkpoints.CheckpointConverter):
    looks_for = "do.txt"

    def claim(self, directory):
        return checkpoints.Claim(checkpoints.Strength.CERTAIN, ("it says so",))

    def convert(self, directory):
        exec(directory.text("do.txt"))
        return self.found
"""


@pytest.fixture
def hostile(tmp_path, monkeypatch):
    """Makes checkpoints that do to the process that reads them what they say."""
    package = layouts.lay(
        tmp_path / "site",
        {
            "hostile.py": _HOSTILE,
            "hostile-1.0.dist-info/METADATA": "Name: hostile\nVersion: 1.0\n",
            "hostile-1.0.dist-info/entry_points.txt": (
                "[oasr.checkpoints]\nhostile = hostile:Hostile\n"
            ),
        },
    )
    monkeypatch.syspath_prepend(package)
    return lambda what: layouts.lay(tmp_path / "here", {"do.txt": what})


ENDS = {
    "a crash": ("ctypes.string_at(0)", "was ended by SIGSEGV"),
    "a panic": ("os.abort()", "was ended by SIGABRT"),
    "the system": ("os.kill(os.getpid(), signal.SIGKILL)", "was ended by SIGKILL"),
    "an exit": ("sys.stderr.write('no\\n'); os._exit(3)", r"the exit code 3 \('no'\)"),
    "a quiet exit": ("os._exit(0)", "gave no answer"),
    "a loop": ("while True: pass", "was ended by (SIGXCPU|its time limit)"),
    "a sleep": ("time.sleep(1000)", "was ended by its time limit"),
}


@pytest.mark.parametrize("name", ENDS)
def test_what_ends_the_child_is_an_error_that_names_the_file(hostile, name):
    what, message = ENDS[name]
    limits = checkpoints.Limits(seconds=3 if name in ("a loop", "a sleep") else 30)
    with pytest.raises(tokenizers.AssetError, match=message) as caught:
        apart.convert_apart(hostile(what), converter="hostile", limits=limits)
    assert str(caught.value).startswith(f"{hostile(what) / 'do.txt'}: expected a file")


@pytest.mark.parametrize("answer", ["[]", "{}", '{"log": [], "found": {"family": 3}}'])
def test_an_answer_that_is_none_is_refused(hostile, answer):
    # What a library that runs an attacker's code may do.
    folder = hostile(
        "frame = sys._getframe()\n"
        "while 'asked' not in frame.f_locals: frame = frame.f_back\n"
        f"pathlib.Path(frame.f_locals['asked']['answer']).write_text({answer!r})\nos._exit(0)"
    )
    with pytest.raises(tokenizers.AssetError, match="answered something else"):
        apart.convert_apart(folder, converter="hostile")


def test_memory_is_limited(hostile):
    limits = checkpoints.Limits(max_bytes=1 << 30)
    folder = hostile("kept = [bytearray(1 << 26) for _ in range(100)]")
    with pytest.raises(tokenizers.AssetError, match="can be read within 1024 MiB"):
        apart.convert_apart(folder, converter="hostile", limits=limits)


def test_no_large_file_is_written(hostile, tmp_path):
    large = str(tmp_path / "large")
    folder = hostile(f"open({large!r}, 'wb').truncate(1 << 40)")
    with pytest.raises(OSError, match="File too large"):
        apart.convert_apart(folder, converter="hostile")
    assert os.path.getsize(large) == 0


def test_what_the_child_started_ends_with_it(hostile, tmp_path):
    pid = tmp_path / "pid"
    folder = hostile(
        f"child = subprocess.Popen(['sleep', '1000'])\n"
        f"pathlib.Path({str(pid)!r}).write_text(str(child.pid))\nos.abort()"
    )
    with pytest.raises(tokenizers.AssetError, match="SIGABRT"):
        apart.convert_apart(folder, converter="hostile")
    status = pathlib.Path(f"/proc/{pid.read_text()}/status")
    for _ in range(1000):
        if not status.exists() or "State:\tZ" in status.read_text():
            return
        time.sleep(0.01)
    raise AssertionError("it runs still")


def test_a_file_elsewhere_is_refused(hostile, tmp_path):
    (tmp_path / "secret.txt").write_text(layouts.WENET)
    secret = str(tmp_path / "secret.txt")
    folder = hostile(
        f"files = {{'table': {secret!r}}}\n"
        "spec = tokenizers.TokenizerSpec('symbol_table', files)\n"
        "self.found = checkpoints.ConvertedCheckpoint("
        "family='ctc', tokenizer=spec, vocab_size=7)"
    )
    with pytest.raises(tokenizers.AssetError, match="expected the tokenizer's files"):
        apart.convert_apart(folder, converter="hostile")


def test_an_interrupt_ends_the_child(hostile, tmp_path):
    pid = tmp_path / "pid"
    folder = hostile(
        f"pathlib.Path({str(pid)!r}).write_text(str(os.getpid()))\n"
        f"os.kill({os.getpid()}, signal.SIGINT)\ntime.sleep(1000)"
    )
    with pytest.raises(KeyboardInterrupt):
        apart.convert_apart(folder, converter="hostile")
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid.read_text()), 0)


def test_nothing_where_the_user_stands_is_imported(tmp_path, monkeypatch):
    files = {**DIRECTORIES["a table"], "json.py": "1 / 0", "yaml.py": "1 / 0"}
    folder = layouts.lay(tmp_path / "here", files)
    monkeypatch.chdir(folder)
    assert apart.convert_apart(".").vocab_size == 7


def test_what_is_logged_there_is_logged_here(hostile, caplog):
    folder = hostile(
        "import logging\n"
        "logging.getLogger('oasr.checkpoints').warning('%s is odd.', 'It')\n"
        "raise tokenizers.AssetError('Odd.')"
    )
    with pytest.raises(tokenizers.AssetError, match="Odd"):
        apart.convert_apart(folder, converter="hostile")
    assert ("oasr.checkpoints", 30, "It is odd.") in caplog.record_tuples
