"""Every test that the documentation names is there: functions, classes and files."""

import pathlib
import re

import pytest

_ROOT = pathlib.Path(__file__).parents[2]
_PAGES = sorted([*_ROOT.glob("docs/*.md"), *_ROOT.glob("*.md")])
_NAME = re.compile(r"`(test_\w+|Test\w+|\w+_test)`")
_DEFINED = re.compile(r"^ *(?:def|class) (\w+)", re.MULTILINE)


@pytest.fixture(scope="module")
def known():
    """The names of all test functions, classes and files."""
    paths = [p for p in _ROOT.glob("tests/**/*") if p.suffix in (".py", ".cc")]
    names = {path.stem for path in paths}
    for path in paths:
        if path.suffix == ".py":
            names.update(_DEFINED.findall(path.read_text("utf-8")))
    return names


@pytest.mark.parametrize("page", _PAGES, ids=lambda page: page.name)
def test_named_tests_exist(page, known):
    named = _NAME.findall(page.read_text("utf-8"))
    assert sorted(set(named) - known) == []


def test_every_law_and_kind_names_its_tests():
    page = (_ROOT / "docs/tokenizers.md").read_text("utf-8")
    sections = re.split(r"^#{2,3} ", page, flags=re.MULTILINE)
    named = {section.split("\n")[0]: _NAME.findall(section) for section in sections}
    for kind in ("symbol_table", "sentencepiece", "huggingface", "whisper"):
        assert named[kind], kind
    assert named["funasr_char"]
    laws = page[page.index("| law |") : page.index("## The kinds")]
    rows = [row for row in laws.split("\n") if re.match(r"\| \d+\.", row)]
    assert len(rows) == 10
    assert all(_NAME.search(row) for row in rows)
