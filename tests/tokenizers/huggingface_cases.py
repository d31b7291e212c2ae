"""Reported cases of tokenizer.json files; the number is that in the collection.

Each names a vocabulary: built here, or, in the field test, the file of that name.
"""

import json

import pytest
import tokenizers
from tokenizers import decoders
from tokenizers import models
from tokenizers import pre_tokenizers

from tests.tokenizers import small_tokenizers as small

_MERGES = ["Ġ h", "Ġh e", "Ġhe l", "Ġhel l", "Ġhell o", "Ġ w", "Ġw o", "Ġwo r"]
_MERGES += ["Ġwor l", "Ġworl d", "ä ½", "ä½ ł", "ä½ł å", "ä½łå ¥", "ä½łå¥ ½"]
_MERGES += ["Ġ ,", "Ġ t", "Ġt h", "Ġth e"]
_ADDED = [small.added(275, "<|eot|>"), small.added(276, "<tool>", special=False)]
_ADDED += [small.added(277, "<L>", special=False, lstrip=True, rstrip=True)]
_ADDED += [small.added(278, "naïve 你", special=False)]


def _bytes_and(merges):
    pairs = [tuple(merge.split()) for merge in merges]
    words = [letter for _, letter in sorted(small.LETTER_OF.items())]
    words += [left + right for left, right in pairs]
    vocab = {word: n for n, word in enumerate(words)}
    tokenizer = tokenizers.Tokenizer(models.BPE(vocab=vocab, merges=pairs))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(
        add_prefix_space=False, use_regex=False
    )
    tokenizer.decoder = decoders.ByteLevel()
    return tokenizer


def _byte_fallback():
    words = ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256))]
    words += ["▁", *"helo", "▁hello", "▁world", *"wrd", "你"]
    vocab = {word: n for n, word in enumerate(words)}
    tokenizer = tokenizers.Tokenizer(
        models.BPE(vocab=vocab, merges=[], unk_token="<unk>", byte_fallback=True)
    )
    tokenizer.decoder = small.byte_fallback().decoder
    return tokenizer


def _space_byte():
    tokenizer = _bytes_and([*_MERGES[:10], "Ġ ä"])
    assert tokenizer.token_to_id("Ġä") == 266
    return tokenizer


def _gap_inline():
    return [small.added(275, "<|a|>"), small.added(285, "<|b|>")]


VOCABULARIES = {
    "bl": (lambda: _bytes_and(_MERGES), []),
    "bl_added": (lambda: _bytes_and(_MERGES), _ADDED),
    "bl_spacebyte": (_space_byte, []),
    "bl_gap_inline": (lambda: _bytes_and(_MERGES), _gap_inline()),
    "bl_conflict_json_false": (
        lambda: _bytes_and(_MERGES),
        [small.added(275, "<|x|>", special=False)],
    ),
    "llama_bf": (_byte_fallback, small.CONTROLS),
}
CONFIGS = {
    "bl_gap_tokenizer_config": [
        *_gap_inline(),
        small.added(286, "<tool>", special=False),
    ],
    "bl_collision_config": [small.added(260, "<|y|>")],
    "bl_conflict_config_true": [small.added(275, "<|x|>")],
}


def write_vocabulary(folder, name):
    """Writes a vocabulary; returns its path."""
    make, added_tokens = VOCABULARIES[name]
    return small.write(folder / f"{name}.json", make(), added_tokens)


def write_config(folder, name):
    """Writes a tokenizer_config.json; returns its path."""
    entries = {str(entry["id"]): entry for entry in map(dict, CONFIGS[name])}
    for entry in entries.values():
        del entry["id"]
    path = folder / f"{name}.json"
    path.write_text(json.dumps({"added_tokens_decoder": entries}))
    return path


# Vocabulary, ids, the deltas one by one (None where only the text counts), the text.
DECODED = [
    pytest.param("llama_bf", [259, 264], None, " hello", id="031"),
    pytest.param("llama_bf", [231, 192, 232, 168, 192], None, "\ufffd" * 5, id="037"),
    pytest.param(
        "bl", [97, 239, 191, 189, 98], ["a", "", "", "\ufffd", "b"], None, id="043"
    ),
    pytest.param(
        "llama_bf", [264, 231, 187, 176], ["hello", "", "", ""], "hello中", id="045"
    ),
    pytest.param(
        "llama_bf",
        [231, 192, 163, 232, 265],
        None,
        "\ufffd\ufffd\ufffd\ufffd world",
        id="046",
    ),
    pytest.param("bl_spacebyte", [266, 189, 160], [" ", "", "你"], None, id="047"),
    pytest.param(
        "bl", [255, 260, 228, 265], None, "\ufffd hello\ufffd world", id="049"
    ),
    pytest.param("bl_added", [260, 278], None, " hellonaïve 你", id="055"),
    pytest.param("bl_added", [228, 189, 275, 160], None, "你", id="057 special"),
    pytest.param(
        "bl_added", [228, 189, 276, 160], None, "\ufffd<tool>\ufffd", id="057 text"
    ),
    pytest.param(
        "bl", [97, 98, 99, 100, 101, 102, 270], [*"abcdef", "你好"], None, id="062"
    ),
    pytest.param("bl", [], [], "", id="023 empty"),
    pytest.param("llama_bf", [0], [""], "", id="023 one special"),
    pytest.param("llama_bf", [0, 1, 2], ["", "", ""], "", id="023 only special"),
]

# Vocabulary, text, ids.
ENCODED = [
    pytest.param("bl_added", "<|eot|> hello", [275, 260], id="059"),
    pytest.param("bl", '!"#', [33, 34, 35], id="126, on bytes by number"),
]


def check_decoded(tokenizer, ids, deltas, text):
    """Asserts the text, the deltas and the pieces of one case."""
    state = tokenizer.new_decode_state()
    found = [tokenizer.decode_incremental([i], state) for i in ids]
    rest = tokenizer.flush_incremental(state)
    text = "".join(deltas) if text is None else text
    assert tokenizer.decode(ids) == text
    assert "".join(found) + rest == text
    assert "".join(tokenizer.token_pieces(ids)) == text
    if deltas is not None:
        assert found == deltas
    elif "\ufffd" not in text:
        assert "\ufffd" not in "".join(found)


def check_configs(load):
    """Asserts the cases of added tokens; `load(vocabulary, config, **options)`."""
    # 050: with "fill" the declared ids are those of the checkpoint.
    filled = load("bl", "bl_gap_tokenizer_config", on_id_mismatch="fill")
    assert filled.encode("<|a|><|b|><tool>") == [275, 285, 286]
    assert filled.decode([260, 285, 286, 265]) == " hello<tool> world"
    # 051: a gap in the tokenizer.json itself is mended, too.
    assert load("bl_gap_inline", on_id_mismatch="fill").encode("<|b|>") == [285]
    # 053: either file makes a token special.
    disagreed = load("bl_conflict_json_false", "bl_conflict_config_true")
    assert disagreed.decode([260, 275, 265]) == " hello world"
    for vocabulary, config in [
        ("bl", "bl_gap_tokenizer_config"),
        ("bl_gap_inline", None),
    ]:
        assert load(vocabulary, config).encode("<|b|>") == [276]
