"""Tests for the registry of formats."""

import pytest

from oasr import formats


class Count(formats.Format):
    def render(self, output):
        return f"{len(output.text)}\n"


def test_the_names_are_those_people_know():
    assert formats.list_formats() == ["jsonl", "srt", "txt", "vtt"]


@pytest.mark.parametrize("name", formats.list_formats())
def test_each_is_built(name):
    assert isinstance(formats.build_format(name), formats.Format)


def test_times_are_of_one_utterance():
    timed = {n for n in formats.list_formats() if formats.build_format(n).needs_words}
    assert timed == {"srt", "vtt"}
    for name in formats.list_formats():
        assert formats.build_format(name).holds_many == (name not in timed)


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
    with pytest.raises(ValueError, match=r"Unknown format 'ass'.*'jsonl', 'srt'"):
        formats.build_format("ass")


def test_names_that_do_not_exist_are_no_attributes():
    with pytest.raises(AttributeError, match="no attribute 'Writer'"):
        _ = formats.Writer
    assert set(formats.__all__) <= set(dir(formats))
