"""Tests for hotwords: what may be a phrase, and that it is preferred."""

import numpy as np
import pytest

from oasr import engine
from oasr import tokenizers
from oasr._native import ctc_prefix_beam
from oasr.engine.decode import hotwords
from tests.engine import invariants

TABLE = "<blank> 0\n▁set 1\n▁sent 2\n▁it 3\n<unk> 4\n"


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "units.txt"
    path.write_text(TABLE, encoding="utf-8")
    return str(path)


def transcribe(table, *, n_best=1, **options):
    # "set it" is a little likelier than "sent it".
    probs = [[0.02, 0.5, 0.4, 0.04, 0.04], [0.02, 0.02, 0.02, 0.92, 0.02]]
    spec = tokenizers.TokenizerSpec(
        "symbol_table", {"table": table}, {"special_ids": [0, 4]}
    )
    config = engine.EngineConfig(tokenizer=spec, scores="probs", decode_options=options)
    asked = engine.DecodingOptions(n_best=n_best)
    with invariants.CheckedEngine(config) as asr:
        (output,) = asr.transcribe([engine.Request("a", np.array(probs), asked)])
    return output


@pytest.mark.parametrize("phrase", [[2], [2, 3], ["▁sent"], ["▁sent", "▁it"]])
def test_a_phrase_is_preferred(table, phrase):
    assert transcribe(table).text == "set it"
    found = transcribe(table, hotwords=[(phrase, 1.0)])
    assert found.text == "sent it"
    # Scores and confidence stay those of the sound.
    plain = transcribe(table, n_best=9)
    place = plain.nbest_texts.index("sent it")
    assert found.scores == [pytest.approx(plain.scores[place])]
    assert found.confidence == pytest.approx((0.4 + 0.92) / 2)


def test_a_small_boost_does_not_overrule_the_sound(table):
    assert transcribe(table, hotwords=[([2], 0.01)]).text == "set it"


@pytest.mark.parametrize(
    ("pair", "message"),
    [
        (("sent", 1.0), r"\['hotwords'\]\[1\], \('sent', 1.0\): .* cannot encode text"),
        (([2, 0], 1.0), "The id 0 is blank"),
        (([2, 5], 1.0), "The id 5 is outside the vocabulary"),
        (([-1], 1.0), "The id -1 is outside the vocabulary"),
        (([2**70], 1.0), "is outside the vocabulary"),
        ((["▁no"], 1.0), "The symbol table has no piece '▁no'"),
        (([], 1.0), "at least one token"),
        (([2.0], 1.0), "the id at position 0 is 2.0"),
        ((7, 1.0), "must be a sequence of integers, got 7"),
        (([2], 0), "boost must be a finite number above 0, got 0"),
        (([2],), r"\[1\], "),
    ],
)
def test_a_phrase_without_ids_is_reported_by_name(table, pair, message):
    with pytest.raises(ValueError, match=message):
        transcribe(table, hotwords=[([2], 1.0), pair])


def test_every_fault_is_reported(table):
    tokenizer = tokenizers.SymbolTableTokenizer(table)
    with pytest.raises(ValueError, match=r"\[0\], .*\[2\], "):
        hotwords.build_context([(["a"], 1), ([1], 1), (["b"], 1)], tokenizer)


def test_text_the_vocabulary_lacks_is_reported(tmp_path):
    class Letters(tokenizers.Tokenizer):
        vocab_size, special_ids, unk_id = 27, frozenset({26}), 26

        def decode(self, ids):
            return "".join(chr(97 + i) for i in ids if i < 26)

        def encode(self, text, *, split_special_tokens=False):
            assert split_special_tokens
            ids = [ord(c) - 97 if "a" <= c <= "z" else 26 for c in text.lstrip()]
            return [i for i in ids if i != 26 or self.unk_id is not None]

    class LettersOnly(Letters):
        unk_id = None

    for kind in (Letters, LettersOnly):
        assert hotwords.build_context([("abc", 1.0)], kind()) is not None
        with pytest.raises(ValueError, match=r"'a!'.*: The vocabulary lacks a part"):
            hotwords.build_context([("a!", 1.0)], kind())


def test_no_phrases_are_no_context():
    assert hotwords.build_context([], None) is None


def test_greedy_search_prefers_nothing(table):
    with pytest.raises(ValueError, match=r"hotwords.* need search='prefix_beam'"):
        transcribe(table, search="greedy", hotwords=[([2], 1.0)])


def test_the_number_of_phrases_is_bounded():
    with pytest.raises(ValueError, match="may have 10000 phrases, got 10001"):
        hotwords.build_context([([1], 1.0)] * 10_001, None)


@pytest.mark.parametrize("given", [5, "set", None, iter([])])
def test_what_is_no_list_of_phrases_is_refused(given):
    with pytest.raises(ValueError, match=r"must be a list of \(phrase, boost\) pairs"):
        hotwords.build_context(given, None)


def test_a_word_is_preferred_at_the_start_and_behind_a_blank(tmp_path):
    # Byte-level vocabularies write a word in two ways.
    class TwoWays(tokenizers.Tokenizer):
        vocab_size, special_ids = 4, frozenset()

        def decode(self, ids):
            return "".join(["", "paris", " paris", " is"][i] for i in ids)

        def encode(self, text, *, split_special_tokens=False):
            return [["paris", " paris"].index(text) + 1]

    context = hotwords.build_context([("paris", 5.0)], TwoWays())
    for ids in ([1, 3], [3, 2]):
        log_probs = np.full((2, 4), -9.0, np.float32)
        log_probs[:, 0] = -0.5
        for frame, token_id in enumerate(ids):
            log_probs[frame, token_id] = -2.0
        found = ctc_prefix_beam.search(log_probs, n_best=1, context=context)
        preferred = ids[0] if ids[0] == 1 else ids[1]
        assert preferred in found[0].ids
