"""Runs a pytest file as a Bazel test."""

load("@rules_python//python:defs.bzl", "py_test")

def pytest_test(name, srcs, size = "small", args = [], deps = [], **kwargs):
    """Declares a test whose report names each case.

    `--test_arg=-kNAME` and `--test_filter=NAME` choose cases.

    Args:
      name: the target's name, by custom that of the file.
      srcs: the pytest files.
      size: as of any Bazel test.
      args: further arguments of pytest.
      deps: what the files import.
      **kwargs: further attributes of py_test.
    """
    py_test(
        name = name,
        size = size,
        srcs = srcs + ["//tools:pytest_main.py"],
        args = ["%s/%s" % (native.package_name(), src) for src in srcs] + args,
        main = "//tools:pytest_main.py",
        deps = deps + ["//tests:conftest"],
        **kwargs
    )
