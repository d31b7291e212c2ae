"""Tests for piece_streams: the native table against the window, and against decode."""

import copy
import gc
import pickle
import random
import weakref

import numpy as np
import pytest

from oasr import tokenizers
from oasr.tokenizers import piece_streams
from tests import conftest
from tests.tokenizers import huggingface_laws
from tests.tokenizers import laws
from tests.tokenizers import sentencepiece_laws
from tests.tokenizers import sentencepiece_models
from tests.tokenizers import small_tokenizers as small
from tests.tokenizers import symbol_tables
from tests.tokenizers import whisper_assets

_RUNTIMES = {
    "byte-level": lambda: (small.byte_level(), small.BYTE_LEVEL_ADDED),
    "metaspace first": lambda: (small.metaspace("first"), small.CONTROLS),
    "metaspace always": lambda: (small.metaspace("always"), small.CONTROLS),
    "metaspace never": lambda: (small.metaspace("never"), small.CONTROLS),
    "word pieces": lambda: (small.word_piece(), ()),
    "words": lambda: (small.word_level(), ()),
    "byte fallback": lambda: (small.byte_fallback(), small.CONTROLS),
    "byte fallback, no strip": lambda: (
        small.byte_fallback(strip=False),
        small.CONTROLS,
    ),
}
_TABLES = {
    "table": (symbol_tables.TABLE, "none"),
    "hex table": (symbol_tables.HEX_TABLE, "hex"),
    "bbpe table": (symbol_tables.BBPE_TABLE, "bbpe"),
}

KINDS = {
    "huggingface": list(_RUNTIMES),
    "sentencepiece": list(sentencepiece_models.OPTIONS),
    "symbol_table": list(_TABLES),
    "whisper": list(whisper_assets.FAMILIES),
}
NAMES = [(kind, name) for kind, names in KINDS.items() for name in names]

# A million sequences of each kind in the long run.
_COUNT = 10_000 * conftest.SCALE


def with_a_table(name, folder):
    if name in _RUNTIMES:
        return huggingface_laws.build(folder, *_RUNTIMES[name]())
    if name in _TABLES:
        table, byte_pieces = _TABLES[name]
        return symbol_tables.build(folder, table, byte_pieces=byte_pieces)
    if name in whisper_assets.FAMILIES:
        return tokenizers.WhisperTokenizer(whisper_assets.write(folder, name))
    return sentencepiece_laws.build(folder, sentencepiece_models.model(name), [])


def without_a_table(tokenizer):
    """The same tokenizer by the window, or a symbol table by its stripped stream."""
    other = copy.copy(tokenizer)
    del other.decode_incremental  # What the table put in place of the method.
    if isinstance(tokenizer, tokenizers.SymbolTableTokenizer):
        other._dense = []
    else:
        other._streams = None
    return other


def draw(rng, size, parts):
    """Returns up to 15 ids: any, foreign ones, parts of characters."""
    return [
        rng.choice((rng.randrange(-2, size + 2), rng.choice(parts)))
        for _ in range(rng.randrange(16))
    ]


@pytest.mark.parametrize(("kind", "name"), NAMES)
def test_the_table_gives_what_the_window_gives(kind, name, tmp_path):
    tokenizer = with_a_table(name, tmp_path)
    window = without_a_table(tokenizer)
    rng, size = random.Random(name), tokenizer.vocab_size
    parts = [i for i in range(size) if "\ufffd" in tokenizer.decode([i])] or [0]
    for _ in range(_COUNT // len(KINDS[kind])):
        ids = draw(rng, size, parts)
        states = [one.new_decode_state() for one in (tokenizer, window)]
        assert isinstance(states[0], piece_streams.TableState)
        assert not isinstance(states[1], piece_streams.TableState)
        place, given = 0, ""
        while place < len(ids):
            chunk = ids[place : place + rng.randrange(1, 4)]
            place += len(chunk)
            deltas = [
                one.decode_incremental(chunk, state)
                for one, state in zip((tokenizer, window), states, strict=True)
            ]
            given += deltas[0]
            assert deltas[0] == deltas[1]
            assert states[0]["text"] == tokenizer.decode(ids[:place])
        assert given + tokenizer.flush_incremental(states[0]) == tokenizer.decode(ids)
        assert tokenizer.token_pieces(ids) == window.token_pieces(ids)


def test_a_runtime_is_asked_once_for_each_id(tmp_path):
    tokenizer = with_a_table("byte-level", tmp_path)
    asked = []
    render = tokenizer._render

    def counting(ids):
        asked.append(ids)
        return render(ids)

    tokenizer._render = counting
    tokenizer._use_table()
    laws.one_by_one(tokenizer, [0x41, 0x42, 0x41] * 1000)
    assert len(asked) <= 2
    tokenizer.token_pieces([0x41, 0x42] * 1000)
    assert len(asked) <= 2


def test_ids_of_any_type_and_beyond_any_size_are_read(tmp_path):
    tokenizer = with_a_table("byte-level", tmp_path)
    expected = tokenizer.decode([0x41, 0x42])
    for ids in (
        (0x41, 2**70, 0x42),
        np.array([0x41, -1, 0x42]),
        [0x41, np.int64(0x42)],
    ):
        state = tokenizer.new_decode_state()
        assert tokenizer.decode_incremental(ids, state) == expected


def test_a_finished_stream_is_refused_for_one_id_and_for_many(tmp_path):
    tokenizer = with_a_table("byte-level", tmp_path)
    for ids in ([0x41], [0x41, 0x42], (0x41,)):
        state = tokenizer.new_decode_state()
        tokenizer.flush_incremental(state)
        with pytest.raises(ValueError, match="new ids need a new state"):
            tokenizer.decode_incremental(ids, state)


def test_a_stream_goes_on_with_a_pickled_tokenizer(tmp_path):
    tokenizer = with_a_table("bytes", tmp_path)
    rng = random.Random(5)
    ids = [rng.randrange(tokenizer.vocab_size) for _ in range(60)]
    state = tokenizer.new_decode_state()
    given = tokenizer.decode_incremental(ids[:30], state)
    twin, state = pickle.loads(pickle.dumps((tokenizer, state)))
    given += twin.decode_incremental(ids[30:], state)
    assert given + twin.flush_incremental(state) == tokenizer.decode(ids)


def test_a_state_of_another_kind_is_refused(tmp_path):
    tokenizer = with_a_table("byte-level", tmp_path)
    with pytest.raises(TypeError, match="a TableState; got DecodeState"):
        tokenizer.decode_incremental([0x41], tokenizers.DecodeState())
    strips = symbol_tables.build(tmp_path)
    marks = with_a_table("bytes", tmp_path)
    for other in (strips, marks):
        for ids in ([0x41], [0x41, 0x42], (0x41,)):
            with pytest.raises(TypeError, match="in another way"):
                tokenizer.decode_incremental(ids, other.new_decode_state())


def test_a_subclass_may_decode_in_its_own_way(tmp_path):
    class Shouting(tokenizers.SymbolTableTokenizer):
        def decode_incremental(self, new_ids, state):
            return super().decode_incremental(new_ids, state).upper()

    path = tmp_path / "units.txt"
    path.write_text("a 3\nb 4\n")
    tokenizer = Shouting(path)
    state = tokenizer.new_decode_state()
    assert [tokenizer.decode_incremental([i], state) for i in (3, 4)] == ["A", "B"]


def test_a_tokenizer_and_its_decoder_are_collected(tmp_path):
    tokenizer = with_a_table("byte-level", tmp_path)
    gone = weakref.ref(tokenizer)
    del tokenizer
    gc.collect()
    assert gone() is None


def test_arguments_may_be_given_by_name(tmp_path):
    tokenizer = with_a_table("byte-level", tmp_path)
    state = tokenizer.new_decode_state()
    delta = tokenizer.decode_incremental(new_ids=[0x41], state=state)
    assert delta == tokenizer.decode([0x41])
    with pytest.raises(TypeError, match="missing 1 required positional argument"):
        tokenizer.decode_incremental([0x41])
