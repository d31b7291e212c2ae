"""Tests for renaming: sources that import from another package."""

import pytest

from tools.wheel import renaming


def move(source):
    return renaming.move(source, old="tools.cli", new="oasr._cli", path="a.py")


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("", ""),
        ("from tools.cli import a\n", "from oasr._cli import a\n"),
        ("from tools.cli.deep import a as b\n", "from oasr._cli.deep import a as b\n"),
        (
            "def f():\n    from tools.cli import a",
            "def f():\n    from oasr._cli import a",
        ),
        ("x = '😀'; from tools.cli import a", "x = '😀'; from oasr._cli import a"),
        (
            "from tools.cli import (\n    a,\n)\n",
            "from oasr._cli import (\n    a,\n)\n",
        ),
        (
            "x = '\u2028'\nfrom tools.cli import a",
            "x = '\u2028'\nfrom oasr._cli import a",
        ),
        ("T = {'a': 'tools.cli.a:A'}\n", "T = {'a': 'oasr._cli.a:A'}\n"),
        ('T = "tools.cli.a", 1, "tools.cli"', 'T = "oasr._cli.a", 1, "oasr._cli"'),
    ],
)
def test_imports_and_references_move(source, expected):
    assert move(source) == expected


@pytest.mark.parametrize(
    "source",
    [
        "from tools_cli import a\n",
        "import mytools.cli\n",
        "from oasr import tools\n",
        "from . import tools\n",
        '"""Reads what tools.cli.main wrote."""\n',
        "PROGRAM = './tools/bazel run //tools:oasr'\n",
        "tools = 1\ntools.cli\n",
        "# from tools.cli import a\n",
    ],
)
def test_anything_else_stays(source):
    assert move(source) == source


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("import tools", "import tools"),
        ("import tools.cli.main", "import tools.cli.main"),
        ("from tools import cli", "from tools import cli"),
        ("from tools.clip import a", "from tools.clip import a"),
        ("from tools.lint import a", "from tools.lint import a"),
        ("from \\\n  tools.cli import a", "from \\"),
        ("NAME = 'tools.lint.main:run'", "NAME = 'tools.lint.main:run'"),
    ],
)
def test_what_would_need_the_old_package_is_refused(line, shown):
    with pytest.raises(
        ValueError, match=r"a\.py:2: expected nothing of 'tools'"
    ) as caught:
        move(f"x = 1\n{line}\n")
    assert str(caught.value).endswith(f"found {shown!r}.")
