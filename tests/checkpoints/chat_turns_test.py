"""Tests for chat_turns: what each turn is written like, of prompts behind some."""

import pytest

from oasr.checkpoints import chat_turns
from oasr.checkpoints import prompt_template as prompts


def markup(text):
    return prompts.Segment("markup", text)


def slot(name):
    return prompts.Segment("slot", name)


def written(count, first="[", again="[", tail="]"):
    """Returns the segments of a prompt behind `count` turns."""
    found = []
    for number in range(1, count + 1):
        found.append(markup(first if number == 1 else again))
        found += [slot(f"user {number}"), markup("|"), slot(f"reply {number}")]
    return (*found, markup(tail), slot("prompt"))


def test_turns_are_put_together_again():
    turns = chat_turns.find(*(written(count, first="<") for count in (1, 2, 3)))
    assert turns.first == (markup("<"), slot("user"), markup("|"), slot("reply"))
    assert turns.again == (markup("["), slot("user"), markup("|"), slot("reply"))
    assert turns.last == (markup("]"), slot("prompt"))
    # As many as a request may have: limits.MAX_PROMPT_CHARACTERS, in pairs.
    for count in (1, 2, 3, 9, 32_767):
        assert turns.segments(count) == written(count, first="<")


@pytest.mark.parametrize(
    "found",
    [
        pytest.param(
            (written(1), written(2), written(3, again="(")), id="the third is another"
        ),
        pytest.param((written(1), written(2, tail="}"), written(3)), id="another end"),
        pytest.param((written(1), written(1), written(1)), id="older ones are dropped"),
        pytest.param((written(0), written(0), written(0)), id="there are none"),
        pytest.param(
            (written(1), written(2, first="("), written(3)), id="the first changes"
        ),
    ],
)
def test_turns_that_depend_on_others_are_none(found):
    assert chat_turns.find(*found) is None


def test_slots_are_in_the_order_of_a_conversation():
    assert chat_turns.slots(("system", "prompt"), 2) == (
        "system",
        "user 1",
        "reply 1",
        "user 2",
        "reply 2",
        "prompt",
    )
    assert chat_turns.slots(("prompt",), 0) == ("prompt",)
