"""Tests for metadata, read by `packaging` and `importlib.metadata`."""

import configparser

from packaging import metadata as core_metadata
from packaging import tags

from tools.wheel import metadata

PROJECT = {
    "name": "some-thing",
    "description": "Does a thing",
    "license": "Apache-2.0",
    "license-files": ["LICENSE"],
    "requires-python": ">=3.11",
    "classifiers": ["Typing :: Typed"],
    "dependencies": ["numpy>=1.26"],
    "optional-dependencies": {"all": ["some-thing[b]", "a>=1"], "b": ["c[d]<3,>=2"]},
    "scripts": {"thing": "some.thing:main"},
}
README = "# Thing\n\nFrom: here\n\n  😀\n"


def test_packaging_reads_what_the_project_says():
    text = metadata.core(PROJECT, "1.2.3", README)
    found = core_metadata.Metadata.from_email(text.encode(), validate=True)
    assert (found.name, str(found.version)) == ("some-thing", "1.2.3")
    assert found.summary == "Does a thing"
    assert (found.license_expression, found.license_files) == (
        "Apache-2.0",
        ["LICENSE"],
    )
    assert str(found.requires_python) == ">=3.11"
    assert found.classifiers == ["Typing :: Typed"]
    assert found.provides_extra == ["all", "b"]
    assert [str(needed) for needed in found.requires_dist] == [
        "numpy>=1.26",
        'some-thing[b]; extra == "all"',
        'a>=1; extra == "all"',
        'c[d]<3,>=2; extra == "b"',
    ]
    assert found.description == README
    assert found.description_content_type == "text/markdown; charset=UTF-8"


def test_the_tag_is_one_this_interpreter_installs():
    [tag] = tags.parse_tag(metadata.tag())
    assert tag in set(tags.sys_tags())
    assert tag.interpreter == f"cp{tags.interpreter_version()}"
    assert f"Tag: {tag}\n" in metadata.wheel(str(tag))


def test_scripts_are_entry_points():
    parser = configparser.ConfigParser()
    parser.read_string(metadata.entry_points(PROJECT))
    assert dict(parser["console_scripts"]) == {"thing": "some.thing:main"}
