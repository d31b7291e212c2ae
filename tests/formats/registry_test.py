"""Tests for the registry of formats."""

import pytest

from oasr import formats


class Count(formats.Format):
    def render(self, output):
        return f"{len(output.text)}\n"


def test_the_names_are_those_people_know():
    names = ["ctm", "jsonl", "srt", "tsv", "txt", "verbose_json", "vtt"]
    assert formats.list_formats() == names


@pytest.mark.parametrize("name", formats.list_formats())
def test_each_is_built(name):
    assert isinstance(formats.build_format(name), formats.Format)


@pytest.mark.parametrize(
    ("name", "needs_words", "takes_segments", "holds_many"),
    [
        ("ctm", True, False, True),  # Each line names its audio.
        ("jsonl", False, False, True),
        ("srt", True, True, False),  # Times are of one utterance.
        ("tsv", True, True, False),
        ("txt", False, False, True),
        ("verbose_json", False, False, False),
        ("vtt", True, True, False),
    ],
)
def test_each_says_what_it_needs_and_holds(
    name, needs_words, takes_segments, holds_many
):
    found = formats.build_format(name)
    assert found.needs_words == needs_words
    assert found.takes_segments == takes_segments
    assert found.holds_many == holds_many


def test_settings_are_those_of_the_format():
    assert formats.build_format("verbose_json", task="translate")
    with pytest.raises(TypeError):
        formats.build_format("txt", task="translate")


def test_a_format_of_ones_own(monkeypatch):
    monkeypatch.setattr("oasr.formats.registry._registered_formats", {})
    formats.register_format("count", Count)
    assert "count" in formats.list_formats()
    assert isinstance(formats.build_format("count"), Count)
    with pytest.raises(ValueError, match="'count' is"):
        formats.register_format("count", Count)
    formats.register_format("txt", Count, replace=True)
    assert isinstance(formats.build_format("txt"), Count)


def test_an_unknown_format_is_named_with_those_there_are():
    with pytest.raises(
        ValueError, match=r"Unknown format 'ass'.*'jsonl', 'srt', 'tsv'"
    ):
        formats.build_format("ass")


def test_names_that_do_not_exist_are_no_attributes():
    with pytest.raises(AttributeError, match="no attribute 'Writer'"):
        _ = formats.Writer
    assert set(formats.__all__) <= set(dir(formats))
