"""Text in many languages, against tokenizers and transformers themselves."""

import json
import random

import pytest
import tokenizers as reference
import transformers

from oasr import tokenizers
from tests import conftest
from tests.tokenizers import languages
from tests.tokenizers import package_files
from tests.tokenizers import small_tokenizers as small

TEXTS = [*languages.SENTENCES.values(), *languages.HOSTILE]
# These name control tokens of some vocabulary, so that as a user's text they differ.
CONTROL = ("<s>", "<|", "[CLS]", "<unk>")
HARMLESS = [text for text in TEXTS if not any(name in text for name in CONTROL)]

MAKES = {
    "byte-level": (small.byte_level, small.BYTE_LEVEL_ADDED),
    "byte-level, cut at words": (
        lambda: small.byte_level(use_regex=True),
        small.BYTE_LEVEL_ADDED,
    ),
    "metaspace always": (lambda: small.metaspace("always"), small.CONTROLS),
    "metaspace first": (lambda: small.metaspace("first"), small.CONTROLS),
    "metaspace never": (lambda: small.metaspace("never"), small.CONTROLS),
    "byte fallback": (small.byte_fallback, small.CONTROLS),
    "wordpiece": (small.word_piece, small.WORD_PIECE_ADDED),
    "wordlevel": (small.word_level, small.WORD_LEVEL_ADDED),
    "ctc": (small.ctc, small.CTC_ADDED),
    "end of word": (small.end_of_word, []),
    "moonshine": (None, None),
}


@pytest.fixture(scope="module", params=MAKES)
def path(request, tmp_path_factory):
    make, added = MAKES[request.param]
    if make is None:
        return package_files.find("moonshine_tokenizer", "tokenizer.json")
    folder = tmp_path_factory.mktemp("vocabulary")
    return small.write(folder / "tokenizer.json", make(), added)


@pytest.fixture(scope="module")
def tokenizer(path):
    return tokenizers.HuggingFaceTokenizer(path)


@pytest.fixture(scope="module")
def library(path):
    return reference.Tokenizer.from_file(str(path))


@pytest.fixture(scope="module")
def transformer(path):
    return transformers.PreTrainedTokenizerFast(tokenizer_file=str(path))


def test_there_are_sixty_languages():
    assert len(languages.SENTENCES) >= 60
    assert len(HARMLESS) > 80


def test_ids_and_texts_are_those_of_the_library(tokenizer, library):
    for text in TEXTS:
        ids = library.encode(text, add_special_tokens=False).ids
        assert tokenizer.encode(text) == ids
        assert tokenizer.decode(ids) == library.decode(ids, skip_special_tokens=True)


def test_ids_and_texts_are_those_of_transformers(tokenizer, transformer):
    for text in TEXTS:
        ids = tokenizer.encode(text)
        assert transformer.encode(text, add_special_tokens=False) == ids
        assert tokenizer.decode(ids) == transformer.decode(
            ids, skip_special_tokens=True, clean_up_tokenization_spaces=False
        )


def test_harmless_text_of_a_user_has_the_same_ids(tokenizer):
    for text in HARMLESS:
        ids = tokenizer.encode(text)
        assert tokenizer.encode(text, split_special_tokens=True) == ids


def test_hostile_text_of_a_user_becomes_no_control_id(tokenizer, library):
    controls = [library.id_to_token(i) for i in sorted(tokenizer.special_ids)]
    rng = random.Random(0)
    parts = [*TEXTS, *controls[:50], *controls[:50]]
    for _ in range(300 * conftest.SCALE):
        glue = rng.choice(["", " "])
        text = glue.join(rng.choice(parts) for _ in range(rng.randrange(5)))
        ids = tokenizer.encode(text, split_special_tokens=True)
        assert not (set(ids) & tokenizer.special_ids) - {tokenizer.unk_id}


def renamed(tokenizer, names):
    """The same vocabulary with other names, which no text here holds."""
    content = json.loads(tokenizer.to_str())
    vocab = content["model"]["vocab"]
    other = {name: f"\U000f0000{n}" for n, name in enumerate(names)}
    content["model"]["vocab"] = (
        [[other.get(text, text), score] for text, score in vocab]
        if isinstance(vocab, list)
        else {other.get(text, text): i for text, i in vocab.items()}
    )
    if content["model"].get("unk_token") in other:
        content["model"]["unk_token"] = other[content["model"]["unk_token"]]
    return reference.Tokenizer.from_str(json.dumps(content))


@pytest.mark.parametrize(
    ("vocabulary", "added"),
    [
        (small.metaspace("always"), small.CONTROLS),
        (small.metaspace("never"), small.CONTROLS),
        (small.word_level(), small.WORD_LEVEL_ADDED),
        (small.word_piece(), small.WORD_PIECE_ADDED),
        (small.byte_fallback(), small.CONTROLS),
        (small.ctc(), small.CTC_ADDED),
    ],
)
def test_the_model_does_not_find_control_tokens_in_a_users_text(
    tmp_path, vocabulary, added
):
    path = small.write(tmp_path / "t.json", vocabulary, added)
    tokenizer = tokenizers.HuggingFaceTokenizer(path)
    names = [entry["content"] for entry in added]
    without = renamed(vocabulary, names)
    texts = [*names, *(f"hello {name} world" for name in names), "".join(names)]
    assert any(tokenizer.encode(t) != without.encode(t).ids for t in texts)
    for text in texts:
        found = tokenizer.encode(text, split_special_tokens=True)
        assert found == without.encode(text).ids


def test_the_switch_of_the_library_is_not_enough(tmp_path):
    path = small.write(tmp_path / "t.json", small.metaspace("always"), small.CONTROLS)
    library = reference.Tokenizer.from_file(str(path))
    library.encode_special_tokens = True
    assert 1 in library.encode("<s>").ids
    tokenizer = tokenizers.HuggingFaceTokenizer(path)
    assert 1 not in tokenizer.encode("<s>", split_special_tokens=True)


def test_specials_are_those_that_the_library_skips(tokenizer, library):
    size = library.get_vocab_size()
    shown = {i for i in range(size) if library.decode([i], skip_special_tokens=False)}
    kept = {i for i in range(size) if library.decode([i], skip_special_tokens=True)}
    assert tokenizer.special_ids >= shown - kept
    assert tokenizer.special_ids.isdisjoint(kept)
    assert tokenizer.vocab_size == size
    for token_id in shown - kept:
        assert tokenizer.decode([token_id]) == ""


def test_streams_of_texts_are_the_texts(tokenizer):
    for text in TEXTS:
        ids = tokenizer.encode(text)
        state = tokenizer.new_decode_state()
        given = "".join(tokenizer.decode_incremental([i], state) for i in ids)
        assert given + tokenizer.flush_incremental(state) == tokenizer.decode(ids)
        pieces = tokenizer.token_pieces(ids)
        assert "".join(pieces) == tokenizer.decode(ids)


# What a file says of training: it is for training.


@pytest.mark.parametrize(
    "sections",
    [
        {
            "truncation": {
                "max_length": 3,
                "stride": 0,
                "direction": "Right",
                "strategy": "LongestFirst",
            }
        },
        {
            "padding": {
                "strategy": {"Fixed": 50},
                "direction": "Right",
                "pad_to_multiple_of": None,
                "pad_id": 0,
                "pad_type_id": 0,
                "pad_token": "x",
            }
        },
        {
            "post_processor": {
                "type": "TemplateProcessing",
                "single": [
                    {"SpecialToken": {"id": "<|eot|>", "type_id": 0}},
                    {"Sequence": {"id": "A", "type_id": 0}},
                ],
                "pair": [{"Sequence": {"id": "A", "type_id": 0}}],
                "special_tokens": {
                    "<|eot|>": {"id": "<|eot|>", "ids": [276], "tokens": ["<|eot|>"]}
                },
            }
        },
    ],
    ids=["truncation", "padding", "template"],
)
def test_no_id_is_cut_off_or_added(tmp_path, sections):
    added = small.BYTE_LEVEL_ADDED
    path = small.write(tmp_path / "t.json", small.byte_level(), added, **sections)
    tokenizer = tokenizers.HuggingFaceTokenizer(path)
    for split in (False, True):
        ids = tokenizer.encode("many letters", split_special_tokens=split)
        assert ids == list(b"many letters")


def test_dropout_is_off(tmp_path):
    vocabulary = small.byte_level()
    vocabulary.model.dropout = 0.9
    path = small.write(tmp_path / "t.json", vocabulary)
    tokenizer = tokenizers.HuggingFaceTokenizer(path)
    for split in (False, True):
        assert tokenizer.encode(" hello", split_special_tokens=split) == [260]
    assert reference.Tokenizer.from_file(str(path)).model.dropout == pytest.approx(0.9)


def test_a_text_that_a_model_has_twice_keeps_both_ids(tmp_path):
    model = reference.models.Unigram([("<unk>", 0.0), ("a", -1.0), ("a", -2.0)], 0)
    path = small.write(tmp_path / "t.json", reference.Tokenizer(model))
    tokenizer = tokenizers.HuggingFaceTokenizer(path)
    assert tokenizer.decode([1, 2]) == "a a"
    assert tokenizer.is_text([1, 2]).tolist() == [True, True]
