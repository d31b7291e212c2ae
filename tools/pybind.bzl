"""Builds a pybind11 module and the Python library that imports it."""

load("@rules_cc//cc:defs.bzl", "cc_binary")
load("@rules_python//python:defs.bzl", "py_library")

# Modules are fast and self-contained however the workspace that embeds us builds.
COPTS = [
    "-std=c++17",
    "-O2",
    "-fvisibility=hidden",
    "-Wall",
    "-Wextra",
]

def pybind_module(name, srcs, deps = [], visibility = None):
    """Declares `name`, importable as `<package>.<name>`, typed by `<name>.pyi`.

    Args:
      name: the module's name, as PYBIND11_MODULE spells it.
      srcs: the one binding file.
      deps: the C++ libraries it binds.
      visibility: who may import the module.
    """
    cc_binary(
        name = name + ".so",
        srcs = srcs,
        copts = COPTS,
        linkshared = True,
        visibility = ["//visibility:private"],
        deps = deps + ["@oasr_python//:pybind11"],
    )
    py_library(
        name = name,
        srcs = ["__init__.py"],
        data = [
            name + ".pyi",
            ":" + name + ".so",
        ],
        visibility = visibility,
        deps = ["//oasr:version"],
    )
