"""Mypy, strict, has nothing to say about what OASR ships and builds with."""

from tools.lint import lint


def test_types_are_complete(tmp_path):
    shipped = ("benchmarks/", "oasr/", "tools/")
    names = [
        name
        for name in lint.sources(".py", ".pyi")
        if name.startswith(shipped) and not name.endswith("_test.py")
    ]
    lint.run_module("mypy", f"--cache-dir={tmp_path}", *names)
