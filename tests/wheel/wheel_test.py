"""Tests for the wheel that Bazel builds: what is in it, and that it is all."""

import ast
import base64
import csv
import hashlib
import io
import pathlib
import re
import zipfile

from packaging import tags
from packaging import utils
import pytest

import oasr
from tests.wheel import environments

_ROOT = pathlib.Path(__file__).parents[2]


@pytest.fixture(scope="module")
def files():
    with zipfile.ZipFile(environments.wheel()) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name) for name in archive.namelist()}


def test_the_name_says_what_it_fits():
    name, version, build, found = utils.parse_wheel_filename(environments.wheel().name)
    assert (name, str(version), build) == ("oasr-server", oasr.__version__, ())
    [tag] = found
    assert tag in set(tags.sys_tags())
    python = f"cp{tags.interpreter_version()}"
    assert (tag.interpreter, tag.platform[:6]) == (python, "linux_")


def test_every_source_of_the_repository_is_in_it(files):
    paths = [*_ROOT.glob("oasr/**/*.py"), *_ROOT.glob("oasr/**/*.pyi")]
    sources = {path.relative_to(_ROOT).as_posix() for path in paths}
    commands = (_ROOT / "tools" / "cli").glob("*.py")
    sources |= {"oasr/py.typed", *(f"oasr/_cli/{path.name}" for path in commands)}
    assert "oasr/tokenizers/base.py" in sources
    packaged = {name for name in files if not name.endswith(".so")}
    packaged = {name for name in packaged if ".dist-info/" not in name}
    assert packaged == sources


def test_every_stub_has_its_module(files):
    stubs = {name.removesuffix("i") for name in files if name.endswith(".pyi")}
    modules = {name[:-2] + "py" for name in files if name.endswith(".so")}
    assert stubs
    assert stubs == modules
    for name in files:
        if name.endswith(".so"):
            module = re.sub(r".*/|\.so$", "", name)
            assert f"PyInit_{module}".encode() in files[name]


def test_nothing_is_left_of_the_tools(files):
    assert {name.partition("/")[0] for name in files} == {
        "oasr",
        f"oasr_server-{oasr.__version__}.dist-info",
    }
    for name in files:
        if not name.endswith(".py"):
            continue
        for node in ast.walk(ast.parse(files[name])):
            if isinstance(node, ast.Import):
                assert not [a for a in node.names if a.name.split(".")[0] == "tools"]
            if isinstance(node, ast.ImportFrom) and node.module:
                assert node.module.split(".")[0] != "tools", name


def test_the_record_is_right(files):
    [name] = [name for name in files if name.endswith(".dist-info/RECORD")]
    rows = list(csv.reader(io.StringIO(files[name].decode("utf-8"))))
    assert sorted(row[0] for row in rows) == sorted(files)
    for path, digest, size in rows:
        if path == name:
            assert (digest, size) == ("", "")
            continue
        found = base64.urlsafe_b64encode(hashlib.sha256(files[path]).digest())
        assert digest == f"sha256={found.decode().rstrip('=')}"
        assert int(size) == len(files[path])


def test_the_metadata_is_that_of_the_repository(files):
    found = environments.described(environments.wheel())
    assert (found.name, str(found.version)) == ("oasr-server", oasr.__version__)
    assert str(found.requires_python) == ">=3.11"
    assert found.description == (_ROOT / "README.md").read_text("utf-8")
    licence = f"oasr_server-{oasr.__version__}.dist-info/licenses/LICENSE"
    assert files[licence] == (_ROOT / "LICENSE").read_bytes()


def test_the_extras_are_ranges_of_what_they_promise():
    wanted = environments.described(environments.wheel()).requires_dist
    assert all("==" not in str(one.specifier) for one in wanted)

    def direct(extra):
        ours = [r for r in wanted if r.marker and r.marker.evaluate({"extra": extra})]
        return {r.name for r in ours}

    assert {"numpy", "jinja2"} <= {r.name for r in wanted if not r.marker}
    assert direct("tokenizers") == {"sentencepiece", "tokenizers"}
    assert direct("score") == {"jiwer"}
    assert direct("recognizer") == {
        "ctranslate2",
        "oasr-server",
        "soundfile",
        "soxr",
    }


def test_two_builds_are_the_same_bytes():
    [again] = (_ROOT / "tests" / "wheel" / "again").iterdir()
    assert again.name == environments.wheel().name
    assert again.read_bytes() == environments.wheel().read_bytes()
