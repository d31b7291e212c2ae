"""Nothing that a file says is run, unpickled or followed: the sources show it."""

import ast
import pathlib

import pytest

_ROOT = pathlib.Path(__file__).parents[2]
_SOURCES = sorted(
    path for folder in ("oasr", "tools/cli") for path in (_ROOT / folder).rglob("*.py")
)

# What runs code that a file or a text holds, by the last two names of a call.
_RUNS_CODE = {
    "eval",
    "exec",
    "compile",
    "__import__",
    "pickle.load",
    "pickle.loads",
    "pickle.Unpickler",
    "marshal.loads",
    "shelve.open",
    "torch.load",
    "joblib.load",
    "yaml.full_load",
    "yaml.unsafe_load",
    "yaml.load_all",
    "os.system",
    "os.popen",
    "runpy.run_path",
    "importlib.util",
    "numpy.load",
}


def calls(path):
    """Yields the last two names of each function that a source calls, and the call."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            yield ".".join(ast.unparse(node.func).split(".")[-2:]), node


def options(call):
    return {one.arg: ast.unparse(one.value) for one in call.keywords}


def test_there_are_sources():
    names = {path.name for path in _SOURCES}
    assert len(_SOURCES) > 120
    assert {"directory.py", "recorded_arrays.py", "inspect.py"} <= names


@pytest.mark.parametrize("path", _SOURCES, ids=lambda p: str(p.relative_to(_ROOT)))
def test_no_content_is_run(path):
    for name, call in calls(path):
        assert name not in _RUNS_CODE, f"{path.name}:{call.lineno}: {name}"
        given = options(call)
        if name in ("np.load", "format.read_array"):
            assert given.get("allow_pickle") == "False", f"{path.name}:{call.lineno}"
        if name == "yaml.load":
            # The module's own subclass of the safe loader.
            assert ast.unparse(call.args[1]) == "_Loader", f"{path.name}:{call.lineno}"
        assert given.get("shell", "False") == "False", f"{path.name}:{call.lineno}"
        assert given.get("trust_remote_code", "False") == "False", path.name


def test_the_yaml_loader_is_a_safe_one():
    import yaml

    from oasr.checkpoints import yaml_file

    assert issubclass(yaml_file._Loader, yaml.SafeLoader)
    assert not issubclass(yaml_file._Loader, yaml.UnsafeLoader)


def test_programs_are_those_of_this_package():
    started = [
        (path.name, ast.unparse(call.args[0]))
        for path in (_ROOT / "oasr").rglob("*.py")
        for name, call in calls(path)
        if name.startswith("subprocess.") and call.args
    ]
    assert sorted(started) == [
        ("apart_process.py", "child_process.command(apart_child.__name__)"),
        ("chat_sandbox.py", "[sys.executable, '-P', os.fspath(child)]"),
    ]
