"""What only OASR's own demo, tests and benchmarks fetch."""

load("//tools:package_file.bzl", "package_file")

def oasr_dev_dependencies():
    """Declares the files of published packages that demo and tests read."""
    package_file(
        name = "libri_logits",
        package = "pyctcdecode",
        version = "0.5.0",
        kind = "sdist",
        path = "pyctcdecode/tests/sample_data/libri_logits.json",
        sha256 = "f3bcb313e43ca16a54938b3e77b0b375328653bba932668243db745fde513a2c",
    )
