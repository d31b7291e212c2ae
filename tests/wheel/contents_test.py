"""Tests for contents: which files go where, and the version."""

import pytest

from tools.wheel import contents


@pytest.fixture
def sources(tmp_path):
    def lay(**texts):
        found = {}
        for number, (path, text) in enumerate(texts.items()):
            file = tmp_path / str(number)
            file.write_text(text, encoding="utf-8")
            found[path] = file
        return found

    return lay


def test_the_command_line_moves_into_the_package(sources):
    found = contents.collect(
        sources(
            **{
                "oasr/__init__.py": "__version__ = '1.2.3'\n",
                "oasr/py.typed": "",
                "oasr/_native/a.pyi": "def f() -> int: ...\n",
                "tools/cli/main.py": "from oasr import tokenizers\n"
                "from tools.cli import exits\n",
            }
        )
    )
    assert found == {
        "oasr/__init__.py": b"__version__ = '1.2.3'\n",
        "oasr/py.typed": b"",
        "oasr/_native/a.pyi": b"def f() -> int: ...\n",
        "oasr/_cli/main.py": b"from oasr import tokenizers\n"
        b"from oasr._cli import exits\n",
    }


def test_native_modules_are_copied_byte_by_byte(tmp_path):
    module = tmp_path / "module"
    module.write_bytes(b"\x7fELF\xff\r\n")
    found = contents.collect({"oasr/_native/a.so": module})
    assert found == {"oasr/_native/a.so": b"\x7fELF\xff\r\n"}


@pytest.mark.parametrize(
    "path", ["tools/demo.py", "tests/a.py", "oasr.py", "oasr/data.bin", "oasr/BUILD"]
)
def test_a_file_without_a_place_is_refused(sources, path):
    with pytest.raises(ValueError, match=f"^{path}: the wheel has no place"):
        contents.collect(sources(**{path: ""}))


def test_a_module_of_the_package_needs_nothing_of_tools(sources):
    with pytest.raises(ValueError, match=r"^oasr/a\.py:1: expected nothing of 'tools'"):
        contents.collect(sources(**{"oasr/a.py": "from tools import demo\n"}))


def test_the_version_is_what_the_package_states():
    files = {"oasr/__init__.py": b'"""Doc."""\n\nx = y = 1\n__version__ = "1.2rc1"\n'}
    assert contents.version(files) == "1.2rc1"


@pytest.mark.parametrize("text", [None, b"", b"__version__ = compute()\n"])
def test_a_package_without_a_version_is_refused(text):
    files = {} if text is None else {"oasr/__init__.py": text}
    with pytest.raises(ValueError, match="expected __version__ = "):
        contents.version(files)
