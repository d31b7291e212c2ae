"""A fuzz target of the C++ core."""

load("@rules_cc//cc:defs.bzl", "cc_test")

_SANITIZE = [
    "-fno-sanitize-recover=all",
    # Checks that need the C++ runtime of clang.
    "-fno-sanitize=function,vptr",
]

# What --config=fuzz compiles with, besides the target also what it tests.
FUZZ_COPTS = ["-std=c++17"] + select({
    "//tests/csrc/fuzz:with_libfuzzer": [
        "-DOASR_LIBFUZZER",
        "-O1",
        "-g",
        "-fno-omit-frame-pointer",
        "-fsanitize=fuzzer-no-link,address,undefined",
    ] + _SANITIZE,
    "//conditions:default": [],
})

def fuzz_test(name, srcs, corpus, deps):
    """Declares a test that runs a target over its corpus and mutations of it.

    Under --config=fuzz it is libFuzzer that runs it, with the sanitizers of clang, for
    the seconds that OASR_FUZZ_SECONDS says.

    Args:
      name: the target's name.
      srcs: the files with `LLVMFuzzerTestOneInput`.
      corpus: the inputs to begin with.
      deps: what is tested; under --config=fuzz it is compiled once more.
    """
    cc_test(
        name = name,
        srcs = srcs + [
            "driver.cc",
            "input.h",
        ],
        args = ["$(rootpath %s)" % file for file in corpus],
        copts = FUZZ_COPTS + [
            "-Wall",
            "-Wextra",
        ],
        data = corpus,
        linkopts = select({
            "//tests/csrc/fuzz:with_libfuzzer": [
                "-fsanitize=fuzzer,address,undefined",
            ] + _SANITIZE,
            "//conditions:default": [],
        }),
        linkstatic = True,
        tags = ["fuzz"],
        deps = select({
            "//tests/csrc/fuzz:with_libfuzzer": ["//tests/csrc/fuzz:core"],
            "//conditions:default": deps,
        }),
    )
