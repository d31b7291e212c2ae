"""Tests for conversation: a list of messages, read as turns."""

import re

import pytest

from oasr import engine
from oasr.engine import conversation
from oasr.engine import limits


def said(*texts, system=None):
    """Returns messages in turn."""
    roles = ("user", "assistant")
    found = [] if system is None else [{"role": "system", "content": system}]
    return found + [
        {"role": roles[place % 2], "content": text} for place, text in enumerate(texts)
    ]


@pytest.mark.parametrize(
    ("messages", "expected"),
    [
        (said("a"), conversation.Conversation(prompt="a")),
        (said("a", system="s"), conversation.Conversation(prompt="a", system="s")),
        (
            tuple(said("a", "b", "c", "d", "e", system="s")),
            conversation.Conversation(
                prompt="e", system="s", turns=(("a", "b"), ("c", "d"))
            ),
        ),
    ],
)
def test_messages_are_turns(messages, expected):
    assert conversation.Conversation.from_messages("x", messages) == expected
    options = engine.DecodingOptions(messages=messages)
    assert options.messages == expected
    assert options == engine.DecodingOptions(messages=expected)
    assert options.asked() == {"messages": expected}
    assert hash(options.messages) == hash(expected)


ROLES = "must be one of 'system' or none, then 'user' and 'assistant' in turn"


@pytest.mark.parametrize(
    ("messages", "error"),
    [
        ([], ROLES),
        ("hello", "DecodingOptions.messages must be a list of messages, got 'hello'"),
        (3, "must be a list of messages, got 3"),
        (said("a", "b"), ROLES),
        (said("a")[::-1] * 2, ROLES),
        ([*said("a"), {"role": "system", "content": "s"}], ROLES),
        ([{"role": "tool", "content": "x"}], ROLES),
        (["a"], "messages[0] must have a 'role' and a 'content' and nothing else"),
        ([{"role": "user"}], "messages[0] must have a 'role' and a 'content'"),
        ([{"role": "user", "content": "a", "name": "b"}], "and nothing else, got {"),
        ([{"role": "user", "content": 3}], "[0]['content'] must be a non-empty"),
        ([{"role": None, "content": "a"}], "[0]['role'] must be a non-empty string"),
        (said("a", "", "c"), "[1]['content'] must be a non-empty string, got ''"),
        (
            said("a" * (limits.MAX_PROMPT_CHARACTERS - 1), "b", "c"),
            "must have at most 65536 characters in all, got 65537",
        ),
    ],
)
def test_what_is_no_conversation_is_refused(messages, error):
    with pytest.raises(ValueError, match=re.escape(error)):
        engine.DecodingOptions(messages=messages)


def test_a_prompt_is_said_once():
    with pytest.raises(ValueError, match=r"either prompt or messages, got both"):
        engine.DecodingOptions(prompt="a", messages=said("a"))


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({"prompt": ""}, "Conversation.prompt must be a non-empty string, got ''."),
        ({"prompt": 5}, "Conversation.prompt must be a non-empty string, got 5."),
        ({"system": ""}, "Conversation.system must be a non-empty string, got ''."),
        ({"turns": [("b", "c")]}, "turns must be a tuple of pairs, got [('b', 'c')]."),
        ({"turns": (("b", "c"), ("d",))}, "turns[1] must be what the user said and"),
        ({"turns": ("bc",)}, "turns[0] must be what the user said and the reply"),
        ({"turns": (("b", None),)}, "turns[0] must be a non-empty string, got None."),
        (
            {
                "system": "s" * (limits.MAX_PROMPT_CHARACTERS - 2),
                "turns": (("b", "c"),),
            },
            "must have at most 65536 characters in all, got 65537.",
        ),
    ],
)
def test_one_that_is_written_out_is_held_to_the_same(fields, error):
    with pytest.raises(ValueError, match=re.escape(error)):
        engine.DecodingOptions(
            messages=conversation.Conversation(**{"prompt": "a"} | fields)
        )


def test_a_name_is_a_string():
    class Role:
        def __str__(self):
            return "role"

    with pytest.raises(ValueError, match="must have a 'role' and a 'content' and"):
        engine.DecodingOptions(messages=[{Role(): "user", "content": "a"}])
