"""What a workspace that uses OASR must fetch, itself included."""

load("//tools:python_environment.bzl", "python_environment")

def oasr_dependencies():
    """Declares OASR's Python environment and registers its interpreter."""
    python_environment(
        name = "oasr_python",
        requirements = Label("//:requirements_lock.txt"),
    )
    native.register_toolchains("@oasr_python//:toolchain")
