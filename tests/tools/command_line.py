"""Runs the program as a user does, and lays out what it reads."""

import json
import os
import pathlib
import subprocess

import numpy as np

from tests.checkpoints import layouts
from tools.cli import main

OASR = pathlib.Path(__file__).parents[2] / "tools" / "oasr"
# What people call folders.
FOLDER = "my models 模型"

BYTE_LEVEL = {"type": "ByteLevel", "add_prefix_space": False, "use_regex": False}
BYTE_LEVEL["trim_offsets"] = True
HUGGING_FACE = {
    "version": "1.0",
    "pre_tokenizer": BYTE_LEVEL,
    "decoder": BYTE_LEVEL,
    "model": {
        "type": "BPE",
        "vocab": {"<": 0, ">": 1, "e": 2, "n": 3, "d": 4, "en": 5, "Ċ": 6, "Ġ": 7},
        "merges": ["e n"],
    },
    "added_tokens": [
        {
            "id": 8,
            "content": "<end>",
            "single_word": False,
            "lstrip": False,
            "rstrip": False,
            "normalized": False,
            "special": True,
        }
    ],
}


def environment():
    """Returns the environment of a user's shell, without what Bazel's tests add."""
    ours = ("PYTHON", "RUNFILES", "BUILD_", "TEST_", "JAVA_RUNFILES", "COVERAGE")
    return {k: v for k, v in os.environ.items() if not k.startswith(ours)}


def start(*arguments, cwd, **options):
    """Starts the program; its pipes are bytes."""
    options = {"env": environment(), "stderr": subprocess.PIPE, **options}
    return subprocess.Popen([OASR, *arguments], cwd=cwd, **options)


def run(*arguments, cwd, stdin=b"", **options):
    """Runs the program to its end; returns exit code, stdout and stderr."""
    options = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, **options}
    with start(*arguments, cwd=cwd, **options) as process:
        out, err = process.communicate(stdin, timeout=60)
    return process.returncode, (out or b"").decode(), (err or b"").decode()


def run_here(capfd, *arguments):
    """Runs the program within the test; returns exit code, stdout and stderr."""
    capfd.readouterr()
    code = main.run([str(argument) for argument in arguments])
    out, err = capfd.readouterr()
    return code, out, err


def wenet(folder):
    """Lays out a checkpoint that decodes only; returns its folder."""
    return layouts.lay(folder, {"units.txt": layouts.WENET})


def paraformer(folder):
    """Lays out a checkpoint that encodes, too; returns its folder."""
    return layouts.lay(folder, {"tokens.json": layouts.PARAFORMER})


def hugging_face(folder):
    """Lays out a spec whose texts can hold line breaks; returns its path."""
    spec = {"kind": "huggingface", "files": {"tokenizer": "tokenizer.json"}}
    layouts.lay(folder, {"tokenizer.json": HUGGING_FACE, "spec.json": spec})
    return folder / "spec.json"


def scores(*labels, size=7):
    """Returns `[T, V]` log-probabilities whose best labels are these."""
    probs = np.full((len(labels), size), 0.01)
    probs[np.arange(len(labels)), labels] = 1 - 0.01 * (size - 1)
    return np.log(probs).astype(np.float32)


def read_jsonl(text):
    """Returns the objects of JSON lines."""
    return [json.loads(line) for line in text.splitlines()]
