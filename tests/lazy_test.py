"""Tests for lazy: names load when they are used, and are there before."""

import ast
import importlib
import inspect
import sys

import pytest

from oasr import checkpoints
from oasr import engine
from oasr import formats
from oasr import lazy
from oasr import tokenizers
from oasr.engine import decode

PACKAGES = (checkpoints, engine, decode, formats, tokenizers)


@pytest.fixture
def package(tmp_path, monkeypatch):
    """Gives a package with one name in one module."""
    folder = tmp_path / "small_lazy_package"
    folder.mkdir()
    folder.joinpath("__init__.py").write_text(
        "from oasr import lazy\n"
        "__getattr__, __dir__ = lazy.exports(__name__, {'answer': 'deep'})\n"
    )
    folder.joinpath("deep.py").write_text("answer = object()\n")
    monkeypatch.syspath_prepend(tmp_path)
    found = importlib.import_module("small_lazy_package")
    yield found
    for name in [name for name in sys.modules if name.startswith(found.__name__)]:
        del sys.modules[name]


def test_a_name_loads_when_it_is_used(package):
    assert "answer" in dir(package)
    assert "small_lazy_package.deep" not in sys.modules
    assert package.answer is sys.modules["small_lazy_package.deep"].answer
    assert package.answer is vars(package)["answer"]


def test_other_names_are_none(package):
    with pytest.raises(
        AttributeError,
        match=r"^module 'small_lazy_package' has no attribute 'question'$",
    ):
        package.question  # noqa: B018


def test_what_is_returned_can_be_used_by_name():
    load, names = lazy.exports("oasr", {"shown": "showing"})
    assert callable(load("shown"))
    assert "shown" in names()


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.__name__)
def test_type_checkers_see_the_names_and_no_others(package):
    tree = ast.parse(inspect.getsource(package))
    seen = {
        alias.name: node.module
        for branch in tree.body
        if isinstance(branch, ast.If)
        for node in branch.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert sorted(seen) == sorted(package.__all__)
    assert seen == {
        name: f"{package.__name__}.{module}"
        for name, module in package._MODULE_OF.items()
    }
    bound = [node for node in tree.body if not isinstance(node, ast.If)]
    assert not any("__getattr__" in ast.dump(node) for node in bound)
