"""A Python environment with pinned packages, as an external repository."""

_BUILD = """
load("@bazel_tools//tools/python:toolchain.bzl", "py_runtime_pair")
load("@rules_cc//cc:defs.bzl", "cc_library")
load("@rules_python//python:defs.bzl", "py_library", "py_runtime")

package(default_visibility = ["//visibility:public"])

py_runtime(
    name = "runtime",
    interpreter_path = "{python}",
    python_version = "PY3",
    stub_shebang = "#!/usr/bin/env python3",
)

py_runtime_pair(
    name = "runtimes",
    py3_runtime = ":runtime",
)

toolchain(
    name = "toolchain",
    toolchain = ":runtimes",
    toolchain_type = "@bazel_tools//tools/python:toolchain_type",
)

# The packages, for a program that another environment's interpreter runs. As one
# folder, of which Bazel warns: it would not see a change, but nothing changes there.
py_library(
    name = "packages",
    data = ["{site}"],
    imports = ["{site}"],
)

cc_library(
    name = "headers",
    hdrs = glob(["include/**/*.h"]),
    includes = ["include"],
)

cc_library(
    name = "pybind11",
    hdrs = glob(
        ["{site}/pybind11/include/**/*.h"],
        allow_empty = True,
    ),
    includes = ["{site}/pybind11/include"],
    deps = [":headers"],
)
"""

_PROBE = """
import os, sys, sysconfig
paths = sysconfig.get_paths()
print(*sys.version_info[:2], sys.executable, paths["include"], sep="\\n")
"""

_SITE = """
import os, sysconfig
print(os.path.relpath(sysconfig.get_paths()["purelib"]))
"""

# Small packages in C that have no wheel for the newest Python; all others are wheels.
_MAY_BE_BUILT = ["unicodedataplus"]

def _run(rctx, arguments):
    result = rctx.execute(arguments, timeout = 1200)
    if result.return_code:
        fail("%s ended with %d:\n%s%s" % (
            " ".join([str(a) for a in arguments]),
            result.return_code,
            result.stdout,
            result.stderr,
        ))
    return result.stdout.strip()

def _python(rctx):
    """Returns the path of the interpreter on PATH and of its headers."""
    shim = rctx.which("python3")
    if not shim:
        fail("No python3 on PATH; on Debian: apt-get install python3-dev python3-venv.")
    major, minor, python, include = _run(rctx, [shim, "-c", _PROBE]).split("\n")
    if (int(major), int(minor)) < (3, 11):
        fail("OASR needs Python 3.11 or newer; %s is Python %s.%s." % (shim, major, minor))
    if not rctx.path(include + "/Python.h").exists:
        fail("Python.h is not in %s; on Debian: apt-get install python3-dev." % include)
    return python, include

def _pins(rctx):
    """Returns the lines of the locks by package, hashes included."""
    pins, name = {}, None
    for lock in rctx.attr.requirements:
        for line in rctx.read(rctx.path(lock)).split("\n"):
            if "==" in line and not line.startswith((" ", "#")):
                name = line.split("==")[0]
            if name:
                pins[name] = pins.get(name, "") + line + "\n"
    return pins

def _install(rctx, arguments):
    _run(rctx, [
        "venv/bin/python",
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "--require-hashes",
        "--no-deps",
        "--no-build-isolation",
    ] + arguments)

def _install_locks(rctx):
    pins = _pins(rctx)
    wheels = [name for name in pins if name not in _MAY_BE_BUILT]
    if len(wheels) < len(pins):
        # What builds a source distribution is pinned like the rest of the packages.
        rctx.file("builder.txt", pins["setuptools"])
        _install(rctx, ["--only-binary=:all:", "--requirement=builder.txt"])
    locks = ["--requirement=%s" % rctx.path(lock) for lock in rctx.attr.requirements]
    _install(rctx, ["--only-binary=" + ",".join(wheels)] + locks)

def _python_environment_impl(rctx):
    python, include = _python(rctx)
    _run(rctx, [python, "-m", "venv", "venv"])
    _install_locks(rctx)
    rctx.symlink(include, "include")
    rctx.file("BUILD.bazel", _BUILD.format(
        python = rctx.path("venv/bin/python"),
        site = _run(rctx, ["venv/bin/python", "-c", _SITE]),
    ))

python_environment = repository_rule(
    implementation = _python_environment_impl,
    attrs = {
        "requirements": attr.label_list(
            doc = "Locks with hashes, which agree where they overlap.",
            allow_files = True,
            mandatory = True,
        ),
    },
    doc = "Installs locks into a venv of the python3 on PATH (3.11 or newer).",
    environ = ["PATH"],
)
