"""A file or a folder of a published Python package, as an external repository."""

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

_EXTRACT_FOLDER = """
import pathlib, sys, zipfile

archive, folder = sys.argv[1:]
members = zipfile.ZipFile(archive)
names = [n for n in members.namelist() if n.startswith(folder + "/") and n[-1] != "/"]
if not names:
    raise KeyError(folder)
for name in names:
    path = pathlib.Path(folder.split("/")[-1], name[len(folder) + 1:])
    path.parent.mkdir(parents=True, exist_ok=True)
    with members.open(name) as packed, open(path, "wb") as file:
        while block := packed.read(1 << 20):
            file.write(block)
"""

def _download(rctx):
    """Returns the path of the distribution, and of a Python to read it with."""

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

    return rctx.path("archive").readdir()[0], python

def _extract(rctx, code):
    """Runs a script over the distribution's path and `path`."""
    archive, python = _download(rctx)
    result = rctx.execute([python, "-c", code, archive, rctx.attr.path])
    if result.return_code:
        pinned = "%s==%s" % (rctx.attr.package, rctx.attr.version)
        fail("%s holds no %s:\n%s" % (pinned, rctx.attr.path, result.stderr))
    rctx.delete("archive")

def _package_file_impl(rctx):
    _extract(rctx, _EXTRACT)
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

_FOLDER_BUILD = """
package(default_visibility = ["//visibility:public"])

filegroup(
    name = "{name}",
    srcs = glob(["{name}/**"]),
)

exports_files(glob(["{name}/**"]))
"""

def _package_folder_impl(rctx):
    # A user may be waiting for it; nothing else that is fetched is as large.
    # buildifier: disable=print
    print("Fetching %s %s from the package registry: %s." % (
        rctx.attr.package,
        rctx.attr.version,
        rctx.attr.download_size,
    ))
    _extract(rctx, _EXTRACT_FOLDER)
    name = rctx.attr.path.split("/")[-1]
    rctx.file("BUILD.bazel", _FOLDER_BUILD.format(name = name))

package_folder = repository_rule(
    implementation = _package_folder_impl,
    attrs = {
        "download_size": attr.string(
            doc = "How much is fetched, for people, e.g. '70.7 MB'.",
            mandatory = True,
        ),
        "kind": attr.string(
            doc = "The distribution that `sha256` is of.",
            default = "wheel",
            values = ["wheel"],
        ),
        "package": attr.string(mandatory = True),
        "path": attr.string(
            doc = "The folder's path in the distribution; its last part names the target.",
            mandatory = True,
        ),
        "sha256": attr.string(mandatory = True),
        "version": attr.string(mandatory = True),
    },
    doc = "Fetches a large distribution, says so, and keeps one folder of it.",
)
