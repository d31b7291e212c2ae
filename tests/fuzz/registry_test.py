"""Tests for registry: every target is a test, and has a corpus that exists."""

import os
import pathlib

import pytest

from tests.fuzz import registry
from tests.fuzz import target


def test_every_target_is_a_test():
    assert sorted(registry.TARGETS) == os.environ["OASR_FUZZ_TARGETS"].split()


def test_every_folder_of_the_corpus_is_of_a_target():
    folder = pathlib.Path(__file__).parent / "corpus"
    names = {path.name for path in folder.glob("*")}
    assert names <= registry.TARGETS.keys()


def _fail(data):
    raise {b"v": ValueError("bad."), b"k": KeyError("bad")}[data]


def test_a_refusal_is_no_finding_and_another_error_is():
    tried = target.Target(run=_fail, refusals=(ValueError,))
    assert not tried.execute(b"v")
    with pytest.raises(KeyError):
        tried.execute(b"k")
