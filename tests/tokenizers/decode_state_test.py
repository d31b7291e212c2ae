"""Tests for decode_state."""

import collections
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


def test_it_is_a_dictionary_of_its_text_and_a_kinds_own_fields():
    state = decode_state.DecodeState(place=3)
    state["ids"] = [1]
    state.give_out("a")
    assert dict(state) == {"text": "a", "place": 3, "ids": [1]}
    assert list(state.items()) == list({**state}.items())
    assert (len(state), bool(decode_state.DecodeState())) == (3, True)
    assert state.get("other", 5) == 5
    with pytest.raises(KeyError, match="other"):
        state["other"]


def test_the_text_cannot_be_set():
    state = decode_state.DecodeState()
    with pytest.raises(ValueError, match="cannot be set"):
        state["text"] = "a"


def test_equal_states_stand_at_the_same_place():
    states = [decode_state.DecodeState() for _ in range(2)]
    assert states[0] == states[1]
    states[0].give_out("a")
    assert states[0] != states[1]
    states[1].give_out("a", held="b")
    assert states[0] != states[1]
    assert states[0] != {"text": "a"}


class OwnFields:
    """A kind's own type of value in a state."""

    def __init__(self):
        self.seen = {1}

    def __eq__(self, other):
        return self.seen == other.seen

    __hash__ = None


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
    state["set"], state["own"], state["tuple"] = {1}, OwnFields(), ([1],)
    state["array"] = collections.deque([1])
    state.give_out("a")
    twin = twin_of(state)
    assert type(twin) is kind
    assert twin == state
    twin["ids"][1]["deep"] += b"y"
    twin["set"].add(2)
    twin["own"].seen.add(2)
    twin["tuple"][0].append(2)
    twin["array"].append(2)
    twin.give_out("b")
    twin.finish()
    assert state["ids"] == [1, {"deep": bytearray(b"x")}]
    assert (state["set"], state["own"].seen) == ({1}, {1})
    assert (state["tuple"], list(state["array"])) == (([1],), [1])
    assert (state["text"], twin["text"]) == ("a", "ab")
    assert not state.finished
