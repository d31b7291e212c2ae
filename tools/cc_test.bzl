"""A GoogleTest of the C++ core."""

load("@rules_cc//cc:defs.bzl", "cc_test")

def gtest(name, srcs, deps, size = "small"):
    """Declares a test that Debian's libgtest-dev runs; tools/setup installs it.

    Args:
      name: the target's name.
      srcs: the test files.
      deps: what they test.
      size: as of any Bazel test.
    """
    cc_test(
        name = name,
        size = size,
        srcs = srcs,
        copts = [
            "-std=c++17",
            "-Wall",
            "-Wextra",
        ],
        linkopts = [
            "-lgtest_main",
            "-lgtest",
            "-lpthread",
        ],
        deps = deps,
    )
