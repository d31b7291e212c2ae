"""Tests for txt: a line for each utterance, whatever is in the text."""

import pytest

from oasr import engine
from oasr import formats


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", ""),
        ("hello", "hello"),
        ("你好 😀", "你好 😀"),
        ("a\nb", "a b"),
        ("a\r\nb\n", "a  b "),
        ("a\u2028b\x85c\x0bd\x0ce\x1cf\x1dg\x1eh\u2029i\rj", "a b c d e f g h i j"),
        ("a\tb\u3000c", "a\tb\u3000c"),
    ],
)
def test_a_text_is_a_line(text, line):
    output = engine.RequestOutput("a", text=text)
    assert formats.build_format("txt").render(output) == line + "\n"


def test_no_character_makes_a_second_line():
    text = "".join(map(chr, [*range(0xD800), *range(0xE000, 0x11000)]))
    written = formats.build_format("txt").render(engine.RequestOutput("a", text=text))
    assert len(written.splitlines()) == 1
    assert len(written) == len(text) + 1


def test_one_that_failed_is_an_empty_line():
    failed = engine.RequestOutput.failed("a", "scores: none")
    assert formats.build_format("txt").render(failed) == "\n"
