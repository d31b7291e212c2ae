"""What a workspace that uses OASR must fetch, itself included."""

load("//tools:python_environment.bzl", "python_environment")

def oasr_dependencies(requirements = []):
    """Declares OASR's Python environment and registers its interpreter.

    Args:
      requirements: locks of further packages to install beside those of OASR.
    """
    python_environment(
        name = "oasr_python",
        requirements = [Label("//:requirements_lock.txt")] + requirements,
    )
    native.register_toolchains("@oasr_python//:toolchain")
