"""Tests for added tokens: two files that declare them, and a runtime that numbers."""

import json
import pickle

import pytest
import tokenizers as reference
import transformers

from oasr import tokenizers
from tests.tokenizers import laws
from tests.tokenizers import small_tokenizers as small

FIRST = 276  # The first id behind the byte-level vocabulary.


def write_config(folder, entries):
    path = folder / "tokenizer_config.json"
    path.write_text(json.dumps({"added_tokens_decoder": entries}))
    return path


def config_entry(content, **flags):
    entry = small.added(0, content, **flags)
    del entry["id"]
    return entry


def load(folder, declared=(), entries=None, *, vocabulary=None, **options):
    path = folder / "tokenizer.json"
    small.write(path, vocabulary or small.byte_level(), declared)
    config = None if entries is None else write_config(folder, entries)
    return tokenizers.HuggingFaceTokenizer(path, None, config, **options)


def messages(caplog):
    return [r.getMessage() for r in caplog.records if r.name == "oasr.tokenizers"]


ENTRIES = {
    "276": config_entry("<|eot|>"),
    "277": config_entry("<tool>", special=False),
    "278": config_entry("<L>", special=False, lstrip=True, rstrip=True),
    "279": config_entry("word", special=False, single_word=True),
    "280": config_entry("<|n|>", normalized=True),
}


@pytest.mark.parametrize("in_json", [0, 1, 3, 5])
@pytest.mark.parametrize("on_id_mismatch", ["warn", "error", "fill"])
def test_missing_tokens_are_added_with_their_flags(
    tmp_path, caplog, in_json, on_id_mismatch
):
    declared = [{"id": int(i), **e} for i, e in list(ENTRIES.items())[:in_json]]
    tokenizer = load(tmp_path, declared, ENTRIES, on_id_mismatch=on_id_mismatch)
    assert messages(caplog) == []
    assert tokenizer.special_ids == {276, 280}
    text = "<|eot|>a <L> word words<tool><|n|>"
    ids = tokenizer.encode(text)
    assert ids == [276, ord("a"), 278, 279, 261, *b"ords", 277, 280]
    assert tokenizer.decode(ids) == "a<L>word words<tool>"
    # The library itself, with the same tokens in its file.
    small.write(
        tmp_path / "whole.json",
        small.byte_level(),
        [{"id": int(i), **e} for i, e in ENTRIES.items()],
    )
    whole = reference.Tokenizer.from_file(str(tmp_path / "whole.json"))
    assert whole.encode(text, add_special_tokens=False).ids == ids


def test_without_the_config_the_tokens_are_text(tmp_path):
    tokenizer = load(tmp_path)
    assert tokenizer.encode("<|eot|>") == list(b"<|eot|>")


def test_entries_are_added_by_id_whatever_their_order(tmp_path, caplog):
    entries = dict(reversed(ENTRIES.items()))
    tokenizer = load(tmp_path, [], entries)
    assert tokenizer.encode("<tool><|eot|>") == [277, 276]
    assert messages(caplog) == []


def test_transformers_merges_alike(tmp_path):
    tokenizer = load(tmp_path, [small.added(276, "<|eot|>")], ENTRIES)
    merged = transformers.PreTrainedTokenizerFast.from_pretrained(tmp_path)
    for text in ("<|eot|>a <L> word words<tool><|n|>", "x<|n|>y <|eot|> z"):
        ids = tokenizer.encode(text)
        assert merged.encode(text, add_special_tokens=False) == ids
        assert tokenizer.decode(ids) == merged.decode(
            ids, skip_special_tokens=True, clean_up_tokenization_spaces=False
        )


GAP = {
    "276": config_entry("<|a|>"),
    "285": config_entry("<|b|>"),
    "286": config_entry("<tool>", special=False),
}


def test_a_mismatch_is_warned_of_by_token_and_both_ids(tmp_path, caplog):
    tokenizer = load(tmp_path, [], GAP)
    assert tokenizer.special_ids == {276, 277}
    assert tokenizer.encode("<|b|><tool>") == [277, 278]
    found = messages(caplog)
    assert len(found) == 2
    assert (
        "'<|b|>' declares the id 285, but the runtime gives it the id 277" in found[0]
    )
    assert "'<tool>' declares the id 286, but the runtime gives it" in found[1]


def test_a_mismatch_can_be_refused(tmp_path):
    with pytest.raises(
        tokenizers.AssetError,
        match=r"tokenizer.json: the added token '<\|b\|>' declares the id 285, and"
        " would get the id 277; on_id_mismatch='fill' keeps",
    ):
        load(tmp_path, [], GAP, on_id_mismatch="error")


VOCABULARIES = [
    pytest.param(small.byte_level, id="bpe"),
    pytest.param(small.word_piece, id="wordpiece"),
    pytest.param(small.word_level, id="wordlevel"),
    pytest.param(lambda: small.metaspace("always"), id="unigram"),
    pytest.param(small.byte_fallback, id="byte fallback"),
]


@pytest.mark.parametrize("make", VOCABULARIES)
@pytest.mark.parametrize("in_json", [False, True])
def test_declared_ids_with_gaps_can_be_kept(tmp_path, caplog, make, in_json):
    entries = {"300": config_entry("<|a|>"), "310": config_entry("<|b|>")}
    entries |= {"2000": config_entry("<tool>", special=False)}
    declared = [{"id": int(i), **e} for i, e in entries.items()] if in_json else []
    if make in (small.byte_fallback,) or "metaspace" in repr(make):
        declared += small.CONTROLS
    plain = load(tmp_path, vocabulary=make())
    tokenizer = load(
        tmp_path, declared, entries, vocabulary=make(), on_id_mismatch="fill"
    )
    assert messages(caplog) == []
    assert tokenizer.vocab_size == 2001
    for same in (tokenizer, pickle.loads(pickle.dumps(tokenizer))):
        assert same.encode("<|a|><|b|><tool>") == [300, 310, 2000]
        assert same.decode([300, 2000, 310]).strip() == "<tool>"
        hidden = same.encode("<|a|><|b|><tool>", split_special_tokens=True)
        assert hidden[-1] == 2000
        assert not {300, 310} & set(hidden)
    # The ids between are of no text, and halves of a character meet across them.
    gap = [i for i in range(plain.vocab_size, 2000) if i not in (300, 310)]
    assert tokenizer.decode(gap) == ""
    assert tokenizer.token_pieces(gap) == [""] * len(gap)
    assert not any(tokenizer.is_text(gap))
    # All else is as without the tokens.
    for text in ("hello world", "hello", "helo wrd !", "do nothing s"):
        ids = plain.encode(text)
        assert tokenizer.encode(text) == ids
        assert tokenizer.decode(ids) == plain.decode(ids)


def test_halves_of_a_character_meet_across_a_gap(tmp_path):
    tokenizer = load(tmp_path, [], GAP, on_id_mismatch="fill")
    ids = [0xE4, *[280] * 40, 0xBD, 285, 0xA0]
    assert tokenizer.decode(ids) == "你"
    assert laws.one_by_one(tokenizer, ids) == ("你", "")


def test_a_gap_in_the_vocabulary_itself_is_no_place_for_a_token(tmp_path):
    vocabulary = reference.Tokenizer(
        reference.models.WordLevel({"a": 0, "b": 2}, unk_token="a")
    )
    declared = [small.added(3, "<x>")]
    with pytest.raises(tokenizers.AssetError, match="the id 2 would be both"):
        load(tmp_path, declared, vocabulary=vocabulary)
    tokenizer = load(tmp_path, declared, vocabulary=vocabulary, on_id_mismatch="fill")
    assert tokenizer.encode("<x>") == [3]


@pytest.mark.parametrize("special", [True, False])
def test_a_token_that_either_file_marks_special_is(tmp_path, caplog, special):
    declared = [
        small.added(276, "<|x|>", special=special),
        small.added(277, "<|y|>", special=not special),
    ]
    entries = {
        "276": config_entry("<|x|>", special=not special),
        "277": config_entry("<|y|>", special=special),
    }
    tokenizer = load(tmp_path, declared, entries)
    assert tokenizer.special_ids == {276, 277}
    assert tokenizer.decode([65, 276, 277, 66]) == "AB"
    found = messages(caplog)
    assert len(found) == 1
    assert "disagree" in found[0]
    assert "<|x|>" in found[0]
    assert "<|y|>" in found[0]
    merged = transformers.PreTrainedTokenizerFast.from_pretrained(tmp_path)
    assert merged.decode([65, 276, 277, 66], skip_special_tokens=True) == "AB"


@pytest.mark.parametrize(
    ("declared", "entries", "message"),
    [
        pytest.param(
            [],
            {"260": config_entry("<|y|>")},
            "tokenizer_config.json: .* declares the id 260, which is 'Ġhello' already",
            id="a word's id",
        ),
        pytest.param(
            [small.added(276, "<|x|>")],
            {"276": config_entry("<|y|>")},
            r"tokenizer_config.json: .* id 276, which is '<\|x\|>' already",
            id="another token's id",
        ),
        pytest.param(
            [small.added(276, "<|x|>"), small.added(276, "<|y|>")],
            {},
            r"tokenizer.json: .* id 276, which is '<\|x\|>' already",
            id="twice in one file",
        ),
        pytest.param(
            [small.added(5, "<|x|>")],
            {},
            "tokenizer.json: .* declares the id 5, which is 'ą' already",
            id="a letter's id",
        ),
        pytest.param(
            [small.added(276, "<|x|>")],
            {"277": config_entry("<|x|>")},
            "declares the id 277, and the id 276 as well",
            id="two ids",
        ),
        pytest.param(
            [], {"276": {"special": True}}, "a text as 'content'", id="no text"
        ),
        pytest.param([], {"276": "<|x|>"}, "a text as 'content'", id="no object"),
        pytest.param([], {"276": config_entry("")}, "is empty", id="empty text"),
        pytest.param([], {"x": config_entry("a")}, "an id in", id="no number"),
        pytest.param([], {"-1": config_entry("a")}, "an id in", id="negative"),
        pytest.param([], {"²": config_entry("a")}, "an id in", id="superscript"),
        pytest.param([], {"9" * 30: config_entry("a")}, "an id in", id="absurd"),
        pytest.param([small.added(1.0, "a")], {}, "an id in", id="float"),
        pytest.param([small.added(True, "a")], {}, "an id in", id="boolean"),
        pytest.param([small.added(2**32, "a")], {}, "an id in", id="beyond 32 bits"),
        pytest.param(
            [small.added(276, "a", special=1)], {}, "true or false as 'special'", id="1"
        ),
        pytest.param(
            [], {"276": config_entry("a", lstrip=None)}, "false as 'lstrip'", id="null"
        ),
        pytest.param([], [], None, id="an empty list is nothing"),
        pytest.param([], ["a"], "an object as added_tokens_decoder", id="list"),
    ],
)
def test_bad_declarations_are_refused(tmp_path, declared, entries, message):
    if message is None:
        assert load(tmp_path, declared, entries).special_ids == frozenset()
        return
    for on_id_mismatch in ("warn", "error", "fill"):
        with pytest.raises(tokenizers.AssetError, match=message):
            load(tmp_path, declared, entries, on_id_mismatch=on_id_mismatch)


def test_a_token_that_the_vocabulary_has_elsewhere(tmp_path, caplog):
    declared = [small.added(300, "Ġhello", special=False)]
    with pytest.raises(tokenizers.AssetError, match=r"in model\.vocab it has the id"):
        load(tmp_path, declared, on_id_mismatch="fill")
    tokenizer = load(tmp_path, declared)
    assert "declares the id 300, but the runtime gives it the id 260" in caplog.text
    assert tokenizer.encode("Ġhello") == [260]


def test_flags_that_are_left_out_are_the_librarys(tmp_path):
    entries = {"276": {"content": "Жд"}, "277": {"content": "<s>", "special": True}}
    tokenizer = load(tmp_path, [], entries)
    assert tokenizer.special_ids == {277}
    assert tokenizer.encode("Жд<s>") == [276, 277]


def test_the_config_may_declare_nothing(tmp_path):
    path = small.write(tmp_path / "tokenizer.json", small.byte_level())
    config = tmp_path / "tokenizer_config.json"
    config.write_text('{"tokenizer_class": "Qwen2Tokenizer"}')
    tokenizer = tokenizers.HuggingFaceTokenizer(path, None, config)
    assert tokenizer.special_ids == frozenset()
