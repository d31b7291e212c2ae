"""Tests for decode_state."""

import copy
import pickle

import pytest

from oasr.tokenizers import decode_state
from oasr.tokenizers import stripped_stream


def test_the_text_is_what_was_given_out_and_what_is_held():
    state = decode_state.DecodeState(place=3)
    assert (state["text"], "text" in state, state.get("text")) == ("", True, "")
    assert state.give_out("a\U0001f600\ud800", held="b") == "a\U0001f600\ud800"
    assert state["text"] == "a\U0001f600\ud800b"
    assert state.finish() == "b"
    assert state.finish() == ""
    assert state["text"] == "a\U0001f600\ud800b"


def test_it_is_a_dictionary_of_a_kinds_own_fields():
    state = decode_state.DecodeState(place=3)
    state["ids"] = [1]
    assert dict(state) == {"place": 3, "ids": [1]}
    assert state.get("other", 5) == 5
    with pytest.raises(KeyError, match="other"):
        state["other"]


@pytest.mark.parametrize(
    "twin_of",
    [
        copy.copy,
        copy.deepcopy,
        lambda s: s.copy(),
        lambda s: pickle.loads(pickle.dumps(s)),
    ],
    ids=["copy", "deepcopy", "method", "pickle"],
)
@pytest.mark.parametrize(
    "kind", [decode_state.DecodeState, stripped_stream.StrippedStream]
)
def test_a_twin_shares_nothing(kind, twin_of):
    state = kind()
    state["ids"] = [1, {"deep": bytearray(b"x")}]
    state.give_out("a")
    twin = twin_of(state)
    assert type(twin) is kind
    twin["ids"][1]["deep"] += b"y"
    twin["ids"].append(2)
    twin.give_out("b")
    twin.finish()
    assert dict(state) == {"ids": [1, {"deep": bytearray(b"x")}]}
    assert (state["text"], twin["text"]) == ("a", "ab")
    assert not state.finished
