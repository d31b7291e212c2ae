"""Ruff has nothing to say about any Python file."""

from tools.lint import lint

FILES = lint.sources(".py", ".pyi")


def test_no_rule_is_broken():
    lint.run_module("ruff", "check", "--no-cache", *FILES)


def test_every_file_is_formatted():
    lint.run_module("ruff", "format", "--no-cache", "--diff", *FILES)
