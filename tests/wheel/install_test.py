"""Tests for the installed wheel, with nothing but what its metadata asks for."""

import json
import os
import re
import sys

import pytest

import oasr
from tests.checkpoints import layouts
from tests.wheel import environments

TABLE = "<blank> 0\n<unk> 1\n<eos> 2\n▁he 3\nllo 4\n你 5\n😀 6\n"
# What each kind would read, if it looked before it asks for its library.
KINDS = {
    "huggingface": {"tokenizer": "absent.json"},
    "sentencepiece": {"model": "absent.model"},
    "whisper": {"tokenizer": "absent.json"},
}


@pytest.fixture(scope="module")
def bare(tmp_path_factory):
    """The wheel without any extra."""
    environment = environments.Environment(tmp_path_factory.mktemp("bare"))
    environment.link(environments.needed(environments.wheel()))
    before = _names(environment)
    environment.install(environments.wheel())
    environment.added = _names(environment) - before
    return environment


@pytest.fixture
def folder(tmp_path):
    """A folder with a checkpoint whose name has a blank."""
    layouts.lay(tmp_path / "my model", {"units.txt": layouts.WENET})
    (tmp_path / "units.txt").write_text(TABLE, encoding="utf-8")
    return tmp_path


def _names(environment):
    places = (environment.site, environment.scripts)
    return {path for place in places for path in place.rglob("*")}


def test_it_adds_one_package_and_one_program(bare):
    tops = {path for path in bare.added if path.parent in (bare.site, bare.scripts)}
    assert {path.name for path in tops} == {
        "oasr",
        f"oasr_server-{oasr.__version__}.dist-info",
    }
    assert bare.scripts / "oasr" in tops


def test_pip_finds_nothing_wrong(bare):
    done = bare.pip("check")
    assert (done.returncode, done.stdout) == (0, "No broken requirements found.\n")


def test_the_extras_are_not_there(bare, tmp_path):
    asked = f"{environments.wheel()}[tokenizers]"
    done = bare.pip("install", asked)
    assert done.returncode == 1
    assert "No matching distribution found for sentencepiece" in done.stderr
    program = "import {}"
    for name in ("sentencepiece", "tokenizers", "ctranslate2", "soundfile", "pytest"):
        done = bare.run(bare.python, "-c", program.format(name), cwd=tmp_path)
        assert f"No module named '{name}'" in done.stderr


def test_every_module_can_be_imported(bare, tmp_path):
    program = """
import importlib, pkgutil, oasr
for found in pkgutil.walk_packages(oasr.__path__, "oasr."):
    if not found.name.endswith("__main__"):
        importlib.import_module(found.name)
        print(found.name)
"""
    found = bare.python_says(program, cwd=tmp_path).split()
    assert {"oasr._cli.main", "oasr._native.token_ids", "oasr.engine.engine"} <= {
        *found
    }


def test_ids_become_text_whole_and_as_a_stream(bare, folder):
    program = """
from oasr import tokenizers
tokenizer = tokenizers.SymbolTableTokenizer("units.txt")
print(ascii(tokenizer.decode([0, 3, 4, 5, 6])))
state = tokenizer.new_decode_state()
for token_id in [3, 4, 3, 5]:
    print(ascii(tokenizer.decode_incremental([token_id], state)))
print(ascii(tokenizer.flush_incremental(state) + "."))
"""
    texts = ["hello你😀", "he", "llo", " he", "你", "."]
    assert bare.python_says(program, cwd=folder).splitlines() == [*map(ascii, texts)]


def test_scores_become_a_transcript_with_words(bare, folder):
    program = """
import numpy as np
from oasr import engine, tokenizers
probs = np.full((4, 7), 0.01)
probs[range(4), [3, 4, 0, 5]] = 0.94
config = engine.EngineConfig(
    tokenizer=tokenizers.TokenizerSpec("symbol_table", {"table": "units.txt"}),
    scores="probs",
    seconds_per_frame=0.5,
)
asked = {"n_best": 2, "word_timestamps": True}
with engine.ASREngine(config) as asr:
    [output] = asr.transcribe([engine.Request("a", probs, asked)])
print(ascii(output.text), len(output.nbest_texts), len(output.words))
print(*[ascii(word.word) for word in output.words], output.words[-1].end)
"""
    # Each token ends with the frame that emitted it; the last one is the fourth.
    expected = [f"{'hello你'!a} 2 2", f"'hello' {'你'!a} 2.0"]
    assert bare.python_says(program, cwd=folder).splitlines() == expected


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_without_its_library_says_what_to_install(bare, tmp_path, kind):
    program = f"""
from oasr import tokenizers
try:
    tokenizers.build_tokenizer(tokenizers.TokenizerSpec({kind!r}, {KINDS[kind]!r}))
except ImportError as error:
    print(error)
"""
    said = bare.python_says(program, cwd=tmp_path)
    assert kind in said.lower()
    assert "pip install 'oasr-server[tokenizers]'" in said


def test_the_program_says_what_it_stands_on(bare, tmp_path):
    done = bare.run("oasr", "--version", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[:2] == [f"oasr {oasr.__version__}", f"python {sys.version.split()[0]}"]
    absent = {"ctranslate2", "sentencepiece", "tokenizers"}
    assert {f"{name} is not installed" for name in absent} <= {*lines}


def test_the_program_reads_pipes(bare, folder):
    asked = ("oasr", "detokenize", "--checkpoint", "my model")
    done = bare.run(*asked, cwd=folder, stdin="2 3\n[4, 5]\n")
    assert (done.returncode, done.stdout) == (0, "hello\n你😀\n"), done.stderr


@pytest.mark.parametrize(
    ("arguments", "extra"),
    [
        (("detokenize", "--spec", "spec.json"), "tokenizers"),
        (("score", "texts.txt", "texts.txt"), "score"),
        (("transcribe", "absent.wav", "--model", "my model"), "recognizer"),
    ],
)
def test_the_program_says_what_to_install(bare, folder, arguments, extra):
    spec = {"kind": "huggingface", "files": {"tokenizer": "absent.json"}}
    (folder / "spec.json").write_text(json.dumps(spec))
    (folder / "texts.txt").write_text("hello\n")
    done = bare.run("oasr", *arguments, cwd=folder, stdin="1\n")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("oasr: error: ")
    assert f"pip install 'oasr-server[{extra}]'" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "reading",
    [
        "from oasr.features import audio; audio.read('absent.wav')",
        "from oasr.models import ctranslate2_whisper as models;"
        " models.CTranslate2Whisper('absent')",
    ],
)
def test_a_recognizer_without_its_libraries_says_what_to_install(
    bare, tmp_path, reading
):
    done = bare.run(bare.python, "-c", reading, cwd=tmp_path)
    assert done.returncode == 1
    assert "\nImportError: " in done.stderr
    assert "pip install 'oasr-server[recognizer]'" in done.stderr


def test_the_pages_of_help_know_the_program_by_its_name(bare, tmp_path):
    page = bare.run("oasr", "--help", cwd=tmp_path).stdout
    names = re.findall(r"^    (\w+)\b", page, re.MULTILINE)
    assert {"convert", "decode", "detokenize", "encode", "inspect"} <= {*names}
    for name in names:
        page = bare.run("oasr", name, "--help", cwd=tmp_path).stdout
        assert "bazel" not in page
        assert "oasr " in page.partition("\nexample:\n")[2]


@pytest.mark.parametrize("name", ["convert", "decode", "detokenize", "inspect"])
def test_the_example_of_the_help_works_when_pasted(bare, tmp_path, name):
    page = bare.run("oasr", name, "--help", cwd=tmp_path).stdout
    example = page.partition("\nexample:\n")[2].replace("/tmp/oasr", f"{tmp_path}/o")
    done = bare.run("sh", "-e", cwd=tmp_path, stdin=example)
    assert done.returncode == 0, done.stderr


def test_nothing_is_left_after_it(tmp_path):
    environment = environments.Environment(tmp_path / "venv")
    environment.link(environments.needed(environments.wheel()))
    before = _names(environment)
    environment.install(environments.wheel())
    done = environment.run("oasr", "--version", cwd=tmp_path)
    assert done.returncode == 0
    done = environment.pip("uninstall", "--yes", "oasr-server")
    assert done.returncode == 0, done.stderr
    assert _names(environment) == before
    assert not os.path.exists(environment.site / "oasr")
