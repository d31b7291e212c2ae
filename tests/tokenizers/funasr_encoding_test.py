"""Tests for what funasr_char makes of text."""

import itertools
import json

import pytest

from oasr import tokenizers

TOKENS = ["<blank>", "<s>", "</s>", "\u4f60", "\u597d", "hello", "us", "he@@", "l@@"]
TOKENS += ["lo@@", "l", "o", "i", "b", "m", "don't", "'s", "5", "\uff0c", "0@@"]
TOKENS += ["\u7f16\u7a0b", "n", "o@@", "a@@", "ab@@", "bc", "c", "<unk>"]
UNK = TOKENS.index("<unk>")


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory):
    return build(tmp_path_factory.mktemp("tokens"))


def build(folder, tokens=TOKENS, **options):
    path = folder / "tokens.json"
    path.write_text(json.dumps(tokens))
    return tokenizers.FunASRCharTokenizer(path, **options)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        pytest.param("", [], id="nothing"),
        pytest.param(" \n\u3000", [], id="blanks"),
        pytest.param(
            "\u4f60\u597d, hello", ["\u4f60", "\u597d", "<unk>", "hello"], id="mixed"
        ),
        pytest.param("\u4f60\uff0c5", ["\u4f60", "\uff0c", "5"], id="characters"),
        pytest.param("Hello DON'T", ["hello", "don't"], id="capitals are folded"),
        pytest.param("helo", ["he@@", "l@@", "o"], id="parts"),
        pytest.param("hehello", ["he@@", "hello"], id="fewest parts"),
        pytest.param("lolol", ["lo@@", "lo@@", "l"], id="longer parts first"),
        pytest.param("abc", ["ab@@", "c"], id="of as few the longer first"),
        pytest.param("hello's", ["he@@", "l@@", "lo@@", "'s"], id="apostrophe"),
        pytest.param("IBM", ["i", "b", "m"], id="letters of an abbreviation"),
        pytest.param("US", ["us"], id="a word in capitals"),
        pytest.param("ibn", ["i", "b", "n"], id="characters, where no parts fit"),
        pytest.param("n\u00efl", ["n", "<unk>", "l"], id="a letter not there"),
        pytest.param(
            "\u7f16\u7a0b\u7f16", ["\u7f16\u7a0b", "<unk>"], id="longest token first"
        ),
        pytest.param("\U0001f600", ["<unk>"], id="four bytes"),
        pytest.param("\u4ecfN", ["<unk>", "n"], id="a capital folded"),
    ],
)
def test_encode(tokenizer, text, tokens):
    ids = tokenizer.encode(text)
    assert [TOKENS[i] for i in ids] == tokens
    assert tokenizer.encode(text, split_special_tokens=True) == ids


def test_a_hot_word_that_is_not_in_the_table(tmp_path):
    tokens = ["<blank>", "<s>", "</s>", "\u4f60", "<unk>"]  # Reported case 110.
    tokenizer = build(tmp_path, tokens)
    assert tokenizer.encode("\u4ecfN") == [4, 4]
    ids, uncovered = tokenizer.encode_with_report("\u4ecf\u4f60 N")
    assert ids == [4, 3, 4]
    assert uncovered == [(0, "\u4ecf"), (3, "N")]


def test_without_unk_the_uncovered_is_left_out(tmp_path):
    tokenizer = build(tmp_path, TOKENS[:-1])
    assert tokenizer.unk_id is None
    assert tokenizer.encode_with_report("\u4f60?") == ([3], [(1, "?")])


def test_another_unk_symbol(tmp_path):
    tokenizer = build(tmp_path, [*TOKENS[:-1], "<UNK>"], unk_symbol="<UNK>")
    assert tokenizer.encode("?") == [len(TOKENS) - 1]


def test_a_control_token_is_text_in_a_users_text(tokenizer):
    text = "\u4f60</s><unk>"
    assert tokenizer.encode_with_report(text) == ([3, 2, UNK], [])
    ids, uncovered = tokenizer.encode_with_report(text, split_special_tokens=True)
    # Of the names, the vocabulary has the letter n.
    assert [TOKENS[i] for i in ids if i != UNK] == ["\u4f60", "n"]
    assert "".join(c for _, c in uncovered) == "</s><uk>"


def test_words_and_characters_of_the_vocabulary_round_trip(tokenizer):
    for words in itertools.product(["hello", "us", "don't"], repeat=3):
        text = " ".join(words)
        assert tokenizer.decode(tokenizer.encode(text)) == text
    for characters in itertools.product("\u4f60\u597d5", repeat=4):
        text = "".join(characters)
        assert tokenizer.decode(tokenizer.encode(text)) == text
    assert tokenizer.decode(tokenizer.encode("IBM\u4f60helo")) == "IBM\u4f60helo"


def test_uncovered_text_is_warned_of_once(tmp_path, caplog):
    tokenizer = build(tmp_path)
    tokenizer.encode("\u4f60")
    assert not caplog.records
    tokenizer.encode("\u4f60? !")
    tokenizer.encode("?")
    messages = [r.getMessage() for r in caplog.records if r.name == "oasr.tokenizers"]
    assert len(messages) == 1
    assert "2 character(s), the first '?' at 1" in messages[0]


def test_the_lengths_of_parts_do_not_add_up(tmp_path):
    tokens = ["<unk>", *("a" * n + "@@" for n in range(1, 2000)), "a" * 3000, "b"]
    tokenizer = build(tmp_path, tokens)
    # Of the longest parts that are looked up, and their rest.
    assert len(tokenizer.encode("a" * 20_000 + "b")) == 20_000 // 64 + 2
    # Neither fits, so both ways of writing it are tried.
    assert tokenizer.encode("A" + "a" * 20_000 + "c")[0] == 0
    assert tokenizer.encode("a" * 3000) == [2000]


def test_a_long_word_takes_no_longer_per_letter(tokenizer):
    ids = tokenizer.encode("he" * 100_000 + "o")
    assert len(ids) == 100_001
    assert tokenizer.decode(ids) == "he" * 100_000 + "o"
