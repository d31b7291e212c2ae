"""Tests for malformed tokenizer.json files."""

import pytest

from oasr import tokenizers
from tests.tokenizers import tokenizer_jsons

KINDS = [tokenizers.HuggingFaceTokenizer, tokenizers.WhisperTokenizer]

MALFORMED = [
    pytest.param("", "tokenizer.json:1: expected JSON", id="empty file"),
    pytest.param(
        tokenizer_jsons.GOOD[: len(tokenizer_jsons.GOOD) // 2],
        r"json:\d+: expected JSON",
        id="truncated",
    ),
    pytest.param(
        tokenizer_jsons.GOOD + "x",
        r"json:\d+: expected JSON: Extra data",
        id="more behind",
    ),
    pytest.param("[]", "expected a JSON object, found", id="list"),
    pytest.param("null", "expected a JSON object, found None", id="null"),
    pytest.param("{}", "expected a tokenizer, with its texts in model.vocab", id="{}"),
    pytest.param('{"a": 1}', r"found the keys \['a'\]", id="other JSON"),
    pytest.param('{"model": 3}', "expected a tokenizer", id="model a number"),
    pytest.param(b"\xff\xfe{}", "json:1: expected UTF-8", id="not UTF-8"),
    pytest.param(b"PK\x03\x04" + bytes(99), "json:1: expected JSON", id="archive"),
    pytest.param("{'a': 1}", "json:1: expected JSON", id="Python's quotes"),
    pytest.param('{"a": NaN}', "expected a tokenizer", id="not a number"),
    pytest.param('{"a": %s}' % ("9" * 10**6), "expected JSON", id="a million 9s"),
    pytest.param('{"a": 1, "a": 2}', "key 'a' is given twice, as 1 and", id="twice"),
    pytest.param(
        tokenizer_jsons.GOOD.replace('"!": 33', '"!": 33, "!": 34'),
        "key '!' is given twice, as 33 and as 34",
        id="a text twice",
    ),
    pytest.param("[" * 10**5, "nested over 128 deep", id="brackets"),
    pytest.param('{"a":' * 10**5, "nested over 128 deep", id="braces"),
    pytest.param('{"a":' * 900 + "1" + "}" * 900, "nested over 128 deep", id="deep"),
    pytest.param("[" + "1," * 3 * 10**6 + "1]", "of the marks", id="long list"),
    pytest.param(
        tokenizer_jsons.changed("model", "vocab", to={}),
        "model.vocab is empty",
        id="empty",
    ),
    pytest.param(
        tokenizer_jsons.changed("model", to=tokenizer_jsons.UNIGRAM | {"vocab": []}),
        "is empty",
        id="empty Unigram",
    ),
    pytest.param(
        tokenizer_jsons.changed("model", "vocab", to=7), "the vocabulary 7", id="number"
    ),
    pytest.param(
        tokenizer_jsons.changed("model", "vocab", "!", to=32),
        "gives the id 32 twice, to 'Ġ' and to '!'",
        id="an id twice",
    ),
    pytest.param(
        tokenizer_jsons.changed("model", "vocab", "!", to=-1), "an id in", id="negative"
    ),
    pytest.param(
        tokenizer_jsons.changed("model", "vocab", "!", to=33.0), "an id in", id="float"
    ),
    pytest.param(
        tokenizer_jsons.changed("model", "vocab", "!", to=True), "an id in", id="true"
    ),
    pytest.param(
        tokenizer_jsons.changed("model", "vocab", "!", to="33"), "an id in", id="text"
    ),
    pytest.param(
        tokenizer_jsons.changed("model", "vocab", "!", to=None),
        "an id in",
        id="null id",
    ),
    pytest.param(
        tokenizer_jsons.changed("model", "vocab", "!", to=2**31), "an id in", id="2**31"
    ),
    pytest.param(
        tokenizer_jsons.changed("model", "vocab", "!", to=10**400),
        "an id in",
        id="10**400",
    ),
    pytest.param(
        tokenizer_jsons.changed("model", "merges", 0, to=["Ġ", "zz"]),
        r"model.merges\[0\] is \['Ġ', 'zz'\], but 'zz' is not in model.vocab",
        id="a merge names no entry",
    ),
    pytest.param(
        tokenizer_jsons.changed("model", "merges", 1, to=["!", '"']),
        r"model.merges\[1\] is .* '!\"' is not in",
        id="a merge makes no entry",
    ),
    pytest.param(
        tokenizer_jsons.changed("model", "merges", 2, to="a"),
        r"two texts at model.merges\[2\]",
        id="1",
    ),
    pytest.param(
        tokenizer_jsons.changed("model", "merges", 2, to=[1, 2]),
        r"at model.merges\[2\]",
        id="numbers",
    ),
    pytest.param(
        tokenizer_jsons.changed("model", "merges", 2, to=["a"] * 3),
        r"at model.merges\[2\]",
        id="three",
    ),
    pytest.param(
        tokenizer_jsons.changed("model", "merges", to=4),
        "as model.merges",
        id="no merges",
    ),
    pytest.param(
        tokenizer_jsons.changed(
            "model", to=tokenizer_jsons.UNIGRAM | {"vocab": [["a"]]}
        ),
        r"a text and its score at model.vocab\[0\]",
        id="no score",
    ),
    pytest.param(
        tokenizer_jsons.changed("model", to=tokenizer_jsons.UNIGRAM | {"unk_id": 7}),
        "model.unk_id is 7; expected null or the place",
        id="unk_id",
    ),
    pytest.param(
        tokenizer_jsons.changed(
            "model", to=tokenizer_jsons.UNIGRAM | {"vocab": [["a", float("nan")]]}
        ),
        r"a text and its score at model.vocab\[0\], found",
        id="score not a number",
    ),
    pytest.param(
        tokenizer_jsons.changed("model", "type", to="X"),
        "is no tokenizer",
        id="model type",
    ),
    pytest.param(
        tokenizer_jsons.changed("decoder", to={"type": "X"}),
        "is no tokenizer",
        id="decoder",
    ),
    pytest.param(
        tokenizer_jsons.changed("decoder", to="ByteLevel"),
        "is no tokenizer",
        id="a name",
    ),
    pytest.param(
        tokenizer_jsons.changed("added_tokens", to=3),
        "a list as added_tokens",
        id="added",
    ),
    pytest.param(
        tokenizer_jsons.changed("added_tokens", to=[3]),
        r"added_tokens\[0\]: expected an object",
        id="3",
    ),
    pytest.param(
        tokenizer_jsons.changed("added_tokens", 0, "id", to=260),
        "declares the id 260, which is 'Ġhello' already",
        id="added id already taken",
    ),
    # These make the library panic.
    pytest.param(
        tokenizer_jsons.changed("model", "continuing_subword_prefix", to="#####"),
        "tokenizer.json: ",
        id="panic: prefix",
    ),
    pytest.param(
        tokenizer_jsons.changed(
            "normalizer", to={"type": "Precompiled", "precompiled_charsmap": "AAAA"}
        ),
        "character map says that its trie has 0 bytes",
        id="character map",
    ),
]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("content", "message"), MALFORMED)
def test_a_malformed_file_is_refused(tmp_path, kind, content, message):
    path = tokenizer_jsons.write(tmp_path, content)
    with pytest.raises(tokenizers.AssetError, match=message) as refusal:
        kind(path)
    assert str(path) in str(refusal.value)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("content", ["", "[", "[]", '{"a":' * 10**5, "\x00"])
def test_a_malformed_config_is_refused(tmp_path, content):
    config = tmp_path / "tokenizer_config.json"
    config.write_text(content)
    with pytest.raises(tokenizers.AssetError, match=r"tokenizer_config.json:"):
        tokenizers.HuggingFaceTokenizer(
            tokenizer_jsons.write(tmp_path, tokenizer_jsons.GOOD), None, config
        )


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_no_file_is_refused(tmp_path, kind):
    for path, message in [
        (tmp_path / "none.json", "none.json: no such file"),
        (tmp_path, "expected a file, found a directory"),
        ("a\0b", "cannot be read"),
    ]:
        with pytest.raises(tokenizers.AssetError, match=message):
            kind(path)
    with pytest.raises(tokenizers.AssetError, match=r"none.json: no such file"):
        tokenizers.HuggingFaceTokenizer(
            tokenizer_jsons.write(tmp_path, tokenizer_jsons.GOOD),
            None,
            tmp_path / "none.json",
        )


@pytest.mark.parametrize("kind", KINDS)
def test_a_byte_order_mark_and_other_line_ends_are_read(tmp_path, kind):
    path = tokenizer_jsons.write(
        tmp_path, "\ufeff" + tokenizer_jsons.GOOD.replace("\n", "\r\n")
    )
    assert kind(path).decode([260]).strip() == "hello"
