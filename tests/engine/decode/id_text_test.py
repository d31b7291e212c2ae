"""Tests for id_text: numbers with a space between, streamed and in pieces."""

import copy
import pickle
import random

import numpy as np
import pytest

from oasr.engine.decode import id_text
from tests import conftest

TOKENIZER = id_text.IdText()


@pytest.mark.parametrize(
    ("ids", "text"),
    [
        ([], ""),
        ([0, 1, 2], ""),
        ([5], "5"),
        ([0, 5, 1, 7], "5 7"),
        ([-1, 10**20, 3], "-1 100000000000000000000 3"),
        (np.array([7, 0, 8]), "7 8"),
    ],
)
def test_ids_are_joined_by_spaces(ids, text):
    assert TOKENIZER.decode(ids) == text


@pytest.mark.parametrize("seed", range(50 * conftest.SCALE))
def test_streams_and_pieces_are_the_text(seed):
    generator = random.Random(seed)
    ids = [generator.randrange(-2, 9) for _ in range(generator.randrange(20))]
    text = " ".join(str(i) for i in ids if i not in (0, 1, 2))
    assert TOKENIZER.decode(ids) == text
    assert TOKENIZER.settled(ids) == len(text)
    pieces = TOKENIZER.token_pieces(ids)
    assert len(pieces) == len(ids)
    assert "".join(pieces) == text
    for token_id, piece in zip(ids, pieces, strict=True):
        assert piece.strip() == ("" if token_id in (0, 1, 2) else str(token_id))
    state, place = TOKENIZER.new_decode_state(), 0
    while place < len(ids):
        size = generator.randrange(4)
        delta = TOKENIZER.decode_incremental(ids[place : place + size], state)
        assert delta == "".join(pieces[place : place + size])
        place += size
        assert state["text"] == TOKENIZER.decode(ids[:place])
        state = pickle.loads(pickle.dumps(copy.deepcopy(state)))
    assert TOKENIZER.flush_incremental(state) == ""


def test_the_state_of_a_stream_does_not_grow_beside_its_text():
    state = TOKENIZER.new_decode_state()
    TOKENIZER.decode_incremental(list(range(5000)), state)
    assert set(state) == {"text", "begun"}
    assert state.held == ""


def test_all_but_special_ids_are_text():
    found = TOKENIZER.is_text([0, 1, 2, 3, -1, 10**20])
    assert found.dtype == np.bool_
    assert found.tolist() == [False, False, False, True, True, True]


@pytest.mark.parametrize("ids", [[5, 1.5], [True], "57", [[5]]])
def test_what_is_no_id_is_refused(ids):
    for method in (TOKENIZER.decode, TOKENIZER.token_pieces, TOKENIZER.is_text):
        with pytest.raises(TypeError, match="Token ids must be"):
            method(ids)


def test_text_has_no_ids():
    assert not TOKENIZER.supports_encode
    with pytest.raises(NotImplementedError, match="without a tokenizer"):
        TOKENIZER.encode("5")
