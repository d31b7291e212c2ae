"""Tests for funasr_char: the laws, reported cases, files and options."""

import json
import tracemalloc

import hypothesis
from hypothesis import strategies as st
import pytest

from oasr import tokenizers
from tests.tokenizers import funasr_reference as reference
from tests.tokenizers import laws

SPECIALS = ["<blank>", "<s>", "</s>"]
VOCABULARY = [*SPECIALS, *reference.USUAL[:-4], "<OOV>", "<unk>"]
ODD = [*VOCABULARY, *reference.ODD]
# No Chinese token: nothing takes a mark away.
ENGLISH = [*SPECIALS, "hello", "a", "b", "he@@", "llo", "&", "\u3000", "<unk>"]


def build(tmp_path, tokens=VOCABULARY, **options):
    path = tmp_path / "tokens.json"
    content = tokens if isinstance(tokens, bytes) else json.dumps(tokens).encode()
    path.write_bytes(content)
    spec = tokenizers.TokenizerSpec("funasr_char", {"tokens": str(path)}, options)
    return tokenizers.build_tokenizer(spec)


class FunASRLaws(laws.TokenizerLaws):
    tokens = VOCABULARY

    @pytest.fixture(scope="class")
    def tokenizer(self, tmp_path_factory):
        return build(tmp_path_factory.mktemp("tokens"), self.tokens)

    @pytest.fixture
    def special_ids(self):
        return {0, 1, 2}

    def favourites(self, tokenizer):
        favoured = ["a", "b", "he@@", "hello", "\u4f60", "\uff0c", "&", "", " ", "5a@@"]
        return [i for i, token in enumerate(self.tokens) if token in favoured]

    def control_texts(self, tokenizer):
        return [*SPECIALS, "<unk>", "<OOV>"]

    @hypothesis.given(data=st.data())
    def test_encoding_round_trips(self, tokenizer, data):
        """No round trip is promised, but that the ids are those of text."""
        some = st.sampled_from([*self.tokens, "IBM", "hellowo", "\u4eff", " "])
        text = "".join(data.draw(st.lists(st.one_of(st.text(), some))))
        ids, uncovered = tokenizer.encode_with_report(text, split_special_tokens=True)
        assert ids == tokenizer.encode(text, split_special_tokens=True)
        assert ids.count(tokenizer.unk_id) == len(uncovered)
        assert all(tokenizer.is_text(ids))
        assert all(text[place] == character for place, character in uncovered)


class TestUsualVocabulary(FunASRLaws):
    pass


class TestOddTokens(FunASRLaws):
    tokens = ODD


class TestEnglishVocabulary(FunASRLaws):
    tokens = ENGLISH


# Copied from the collection of reported cases; the number is that of the case.
CASES = [
    pytest.param([], "", id="023"),
    pytest.param(["i", "can", "hear", "me"], "i can hear me", id="085"),
    pytest.param(
        ["\u6211", "\u7231", "py@@", "thon", "\u7f16", "\u7a0b"],
        "\u6211\u7231python\u7f16\u7a0b",
        id="086",
    ),
    pytest.param(
        ["\u4f60", "\u597d", "hello", "world"], "\u4f60\u597dhello world", id="087"
    ),
    pytest.param(
        ["\u6211", "\u5728", "i", "b", "m", "\u5de5", "\u4f5c"],
        "\u6211\u5728IBM\u5de5\u4f5c",
        id="088",
    ),
    pytest.param(["i", "a", "m", "here"], "IAM here", id="090"),
    pytest.param(["a", "b", "c", "d@@", "e"], "ABC de", id="093"),
    pytest.param(
        ["\u7b54", "\u6848", "\u662f", "1", ".", "5"],
        "\u7b54\u6848\u662f1.5",
        id="094",
    ),
    pytest.param(["hello", "1", "world"], "hello1world", id="096"),
    pytest.param(["\u4f60", "he@@"], "\u4f60", id="100"),
    pytest.param(["hello", "wo@@", "\u597d"], "hello \u597d", id="102"),
    pytest.param(["@@"], "@@", id="103"),
    pytest.param(["@"], "@", id="103: a single one"),
    pytest.param(
        ["\u3053", "\u3093", "\u306b", "\u3061", "\u306f"],
        "\u3053 \u3093 \u306b \u3061 \u306f",
        id="104",
    ),
    pytest.param(["hello", "\uff0c", "\u4f60"], "hello \u4f60", id="121"),
    pytest.param(["too", "&", "\u4f60"], "too \u4f60", id="122"),
]


@pytest.mark.parametrize(("tokens", "expected"), CASES)
def test_reported_case(tmp_path, tokens, expected):
    tokenizer = build(tmp_path, [*SPECIALS, *tokens])
    ids = list(range(3, 3 + len(tokens)))
    assert tokenizer.decode(ids) == expected
    given, rest = laws.one_by_one(tokenizer, ids)
    assert given + rest == expected
    assert "".join(tokenizer.token_pieces(ids)) == expected


@pytest.mark.parametrize("ids", [[], [0], [0, 1, 2]])
def test_specials_only(tmp_path, ids):
    tokenizer = build(tmp_path)  # Reported case 023.
    assert tokenizer.decode(ids) == ""
    assert tokenizer.token_pieces(ids) == [""] * len(ids)


@pytest.mark.parametrize("tokens", [["hello", "\uff0c"], ["too", "&"]])
def test_a_mark_is_held_until_no_chinese_can_take_it(tmp_path, tokens):
    tokenizer = build(tmp_path, [*SPECIALS, *tokens, "\u4f60"])
    state = tokenizer.new_decode_state()  # Reported cases 121 and 122.
    deltas, texts = [], []
    for token_id in (3, 4, 5):
        deltas.append(tokenizer.decode_incremental([token_id], state))
        texts.append(state["text"])
    assert deltas == [tokens[0], " ", "\u4f60"]
    assert texts == [tokens[0], " ".join(tokens), f"{tokens[0]} \u4f60"]


@pytest.mark.parametrize(
    ("tokens", "pieces"),
    [
        (["hello", "world"], ["hello", " world"]),
        (["he@@", "llo", "wor@@", "ld"], ["he", "llo", " wor", "ld"]),
        (["i", "b", "m", "is"], ["I", "B", "M", " is"]),
        (["he@@", "\u4f60", "llo"], ["", "\u4f60", "hello"]),
        (["he@@", "<unk>", "llo"], ["he", "", "llo"]),
        (["hello", "\uff0c", "\u4f60"], ["hello", "", " \u4f60"]),
        (["\u3000", "hello", "\u3000"], ["", "hello", ""]),
        (["\u4f60", "he@@"], ["\u4f60", ""]),
        (["hello", "", "world"], ["hello", "", " world"]),
    ],
)
def test_pieces(tmp_path, tokens, pieces):
    tokenizer = build(tmp_path, [*SPECIALS, *tokens])
    assert tokenizer.token_pieces(range(3, 3 + len(tokens))) == pieces


def test_names_render_to_nothing_under_any_id(tmp_path):
    tokenizer = build(tmp_path, ["<unk>", "<s>", "\u4f60"], special_ids=[])
    assert tokenizer.special_ids == frozenset()
    assert tokenizer.decode([0, 2, 1, 2, -1, 3]) == "\u4f60\u4f60"


def test_a_token_list_with_unk_at_its_end(tmp_path):
    tokens = ["<blank>", "<s>", "</s>", "\u4f60", "<unk>"]  # Reported case 109.
    tokenizer = build(tmp_path, tokens)
    assert tokenizer.decode([3]) == "\u4f60"
    assert (tokenizer.vocab_size, tokenizer.unk_id) == (5, 4)


def test_a_token_may_be_there_twice(tmp_path):
    tokenizer = build(tmp_path, [*SPECIALS, "\u4f60", "\u4f60"])
    assert tokenizer.decode([3, 4]) == "\u4f60\u4f60"
    assert tokenizer.encode("\u4f60") == [3]


def test_a_byte_order_mark_is_read(tmp_path):
    assert build(tmp_path, b'\xef\xbb\xbf["a"]', special_ids=[]).decode([0]) == "a"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        pytest.param(b"", "tokens.json:1:1: .* Expecting value", id="no content"),
        pytest.param(b"a 0\n", "tokens.json:1:1: ", id="a table"),
        pytest.param(b'["a",\n"b"', r"tokens.json:2:4: .* delimiter", id="cut"),
        pytest.param(b'["a"] ["b"]', r"tokens.json:1:7: .* Extra data", id="two"),
        pytest.param(b'{"a": 0}', "strings, found an object", id="object"),
        pytest.param(b'"a"', "strings, found 'a'", id="string"),
        pytest.param(b"[]", "strings, found an empty one", id="empty, case 109"),
        pytest.param(b'["a", 3]', "element 1 .* string, found 3", id="number"),
        pytest.param(b'["a", null]', "element 1 .* found None", id="null"),
        pytest.param(b'["a", ["b"]]', "element 1 .* found an array", id="nested"),
        pytest.param(b'["a", {"b": 1}]', "element 1 .* found an object", id="entry"),
        pytest.param(b'["\\ud83d"]', "element 0 .* lone surrogate", id="surrogate"),
        pytest.param(b'["a",\n"\xff"]', "tokens.json:2: expected UTF-8", id="latin"),
        pytest.param(
            '["a"]'.encode("utf-16"), "tokens.json:1: expected UTF-8", id="utf-16"
        ),
        pytest.param(b"[" + b"9" * 5000 + b"]", "found a number", id="many digits"),
        pytest.param(b"[" * 1_000_000, "nested too deep", id="brackets"),
        pytest.param(b'{"a":' * 1_000_000, "nested too deep", id="braces"),
    ],
)
def test_a_bad_file_is_refused(tmp_path, content, message):
    tracemalloc.start()
    try:
        with pytest.raises(tokenizers.AssetError, match=message):
            build(tmp_path, content)
        assert tracemalloc.get_traced_memory()[1] < 100 * 2**20
    finally:
        tracemalloc.stop()


def test_a_hundred_megabytes_are_not_read(tmp_path):
    path = tmp_path / "tokens.json"
    with open(path, "wb") as file:
        for _ in range(100):
            file.write(b"[" * 10**6)
    tracemalloc.start()
    message = "tokens.json: .* at most 8388608 bytes, found 100000000"
    with pytest.raises(tokenizers.AssetError, match=message):
        tokenizers.FunASRCharTokenizer(path)
    assert tracemalloc.get_traced_memory()[1] < 2**20
    tracemalloc.stop()


def test_what_is_no_file_is_refused(tmp_path):
    for path, message in [
        (tmp_path / "none.json", "none.json: no such file"),
        (tmp_path, "expected a file, found a directory"),
        ("a\0b", "cannot be read"),
    ]:
        with pytest.raises(tokenizers.AssetError, match=message):
            tokenizers.FunASRCharTokenizer(path)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"unk_symbol": 3}, ValueError, "unk_symbol must be a token, got 3"),
        ({"unk_symbol": ""}, ValueError, "unk_symbol must be a token, got ''"),
        ({"special_ids": ["2"]}, TypeError, "position 0 is '2'"),
        ({"strict": True}, ValueError, r"no option 'strict'; valid are \['special"),
    ],
)
def test_a_bad_option_is_refused(tmp_path, options, error, message):
    with pytest.raises(error, match=message):
        build(tmp_path, **options)


def test_an_unknown_file_role_is_refused():
    spec = tokenizers.TokenizerSpec("funasr_char", {"table": "units.txt"})
    with pytest.raises(ValueError, match=r"no file role 'table'; valid are \['tokens'"):
        tokenizers.build_tokenizer(spec)
