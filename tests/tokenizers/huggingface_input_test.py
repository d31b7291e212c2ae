"""Tests for malformed tokenizer.json files, and for a missing library."""

import json
import subprocess
import sys

import pytest

from oasr import tokenizers
from tests.tokenizers import small_tokenizers as small

KINDS = [tokenizers.HuggingFaceTokenizer, tokenizers.WhisperTokenizer]


def vocabulary():
    tokenizer = json.loads(small.byte_level().to_str())
    tokenizer["added_tokens"] = [small.added(276, "<|endoftext|>")]
    return tokenizer


def changed(*path, to):
    """The vocabulary with one place changed."""
    content = place = vocabulary()
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = to
    return json.dumps(content)


def write(folder, content):
    path = folder / "tokenizer.json"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


GOOD = json.dumps(vocabulary(), indent=1)
UNIGRAM = {"type": "Unigram", "unk_id": 0, "vocab": [["a", 0.0]]}

MALFORMED = [
    pytest.param("", "tokenizer.json:1: expected JSON", id="empty file"),
    pytest.param(GOOD[: len(GOOD) // 2], r"json:\d+: expected JSON", id="truncated"),
    pytest.param(GOOD + "x", r"json:\d+: expected JSON: Extra data", id="more behind"),
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
        GOOD.replace('"!": 33', '"!": 33, "!": 34'),
        "key '!' is given twice, as 33 and as 34",
        id="a text twice",
    ),
    pytest.param("[" * 10**5, "nested hundreds deep", id="brackets"),
    pytest.param('{"a":' * 10**5, "nested hundreds deep", id="braces"),
    pytest.param(
        '{"a":' * 900 + "1" + "}" * 900, "nested hundreds deep|a tokenizer", id="deep"
    ),
    pytest.param("[" + "1," * 3 * 10**6 + "1]", "of the marks", id="long list"),
    pytest.param(changed("model", "vocab", to={}), "model.vocab is empty", id="empty"),
    pytest.param(
        changed("model", to=UNIGRAM | {"vocab": []}), "is empty", id="empty Unigram"
    ),
    pytest.param(changed("model", "vocab", to=7), "the vocabulary 7", id="number"),
    pytest.param(
        changed("model", "vocab", "!", to=32),
        "gives the id 32 twice, to 'Ġ' and to '!'",
        id="an id twice",
    ),
    pytest.param(changed("model", "vocab", "!", to=-1), "an id in", id="negative"),
    pytest.param(changed("model", "vocab", "!", to=33.0), "an id in", id="float"),
    pytest.param(changed("model", "vocab", "!", to=True), "an id in", id="true"),
    pytest.param(changed("model", "vocab", "!", to="33"), "an id in", id="text"),
    pytest.param(changed("model", "vocab", "!", to=None), "an id in", id="null id"),
    pytest.param(changed("model", "vocab", "!", to=2**31), "an id in", id="2**31"),
    pytest.param(changed("model", "vocab", "!", to=10**400), "an id in", id="10**400"),
    pytest.param(
        changed("model", "merges", 0, to=["Ġ", "zz"]),
        r"model.merges\[0\] is \['Ġ', 'zz'\], but 'zz' is not in model.vocab",
        id="a merge names no entry",
    ),
    pytest.param(
        changed("model", "merges", 1, to=["!", '"']),
        r"model.merges\[1\] is .* '!\"' is not in",
        id="a merge makes no entry",
    ),
    pytest.param(
        changed("model", "merges", 2, to="a"), r"two texts at model.merges\[2\]", id="1"
    ),
    pytest.param(
        changed("model", "merges", 2, to=[1, 2]), r"at model.merges\[2\]", id="numbers"
    ),
    pytest.param(
        changed("model", "merges", 2, to=["a"] * 3), r"at model.merges\[2\]", id="three"
    ),
    pytest.param(changed("model", "merges", to=4), "as model.merges", id="no merges"),
    pytest.param(
        changed("model", to=UNIGRAM | {"vocab": [["a"]]}),
        r"a text and its score at model.vocab\[0\]",
        id="no score",
    ),
    pytest.param(
        changed("model", to=UNIGRAM | {"unk_id": 7}), "is no tokenizer", id="unk_id"
    ),
    pytest.param(
        changed("model", to=UNIGRAM | {"vocab": [["a", float("nan")]]}),
        "is no tokenizer",
        id="score not a number",
    ),
    pytest.param(changed("model", "type", to="X"), "is no tokenizer", id="model type"),
    pytest.param(changed("decoder", to={"type": "X"}), "is no tokenizer", id="decoder"),
    pytest.param(changed("decoder", to="ByteLevel"), "is no tokenizer", id="a name"),
    pytest.param(changed("added_tokens", to=3), "a list as added_tokens", id="added"),
    pytest.param(
        changed("added_tokens", to=[3]),
        r"added_tokens\[0\]: expected an object",
        id="3",
    ),
    pytest.param(
        changed("added_tokens", 0, "id", to=260),
        "declares the id 260, which is 'Ġhello' already",
        id="added id already taken",
    ),
    # These make the library panic.
    pytest.param(
        changed("model", "continuing_subword_prefix", to="#####"),
        "tokenizer.json: ",
        id="panic: prefix",
    ),
    pytest.param(
        changed(
            "normalizer", to={"type": "Precompiled", "precompiled_charsmap": "AAAA"}
        ),
        "character map says that its trie has 0 bytes",
        id="character map",
    ),
]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("content", "message"), MALFORMED)
def test_a_malformed_file_is_refused(tmp_path, kind, content, message):
    path = write(tmp_path, content)
    with pytest.raises(tokenizers.AssetError, match=message) as refusal:
        kind(path)
    assert str(path) in str(refusal.value)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("content", ["", "[", "[]", '{"a":' * 10**5, "\x00"])
def test_a_malformed_config_is_refused(tmp_path, content):
    config = tmp_path / "tokenizer_config.json"
    config.write_text(content)
    with pytest.raises(tokenizers.AssetError, match=r"tokenizer_config.json:"):
        tokenizers.HuggingFaceTokenizer(write(tmp_path, GOOD), None, config)


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
            write(tmp_path, GOOD), None, tmp_path / "none.json"
        )


@pytest.mark.parametrize("kind", KINDS)
def test_a_byte_order_mark_and_other_line_ends_are_read(tmp_path, kind):
    path = write(tmp_path, "\ufeff" + GOOD.replace("\n", "\r\n"))
    assert kind(path).decode([260]).strip() == "hello"


@pytest.mark.parametrize(
    "section",
    [
        {"normalizer": {"type": "Replace", "pattern": {"String": ""}, "content": "x"}},
        {"pre_tokenizer": {"type": "FixedLength", "length": 0}},
    ],
)
def test_a_panic_in_encoding_is_an_asset_error(tmp_path, section):
    path = write(tmp_path, json.dumps(vocabulary() | section))
    tokenizer = tokenizers.HuggingFaceTokenizer(path)
    for split in (False, True):
        with pytest.raises(tokenizers.AssetError, match="does not let its texts be"):
            tokenizer.encode("hello you", split_special_tokens=split)
    assert tokenizer.decode([260]) == " hello"


def test_a_panic_in_decoding_is_an_asset_error(tmp_path):
    decoder = {"type": "Strip", "content": "a", "start": 2, "stop": 2}
    path = write(tmp_path, changed("decoder", to=decoder))
    tokenizer = tokenizers.HuggingFaceTokenizer(path)
    state = tokenizer.new_decode_state()
    for call in (
        tokenizer.decode,
        tokenizer.token_pieces,
        tokenizer.settled,
        lambda ids: tokenizer.decode_incremental(ids, state),
    ):
        with pytest.raises(tokenizers.AssetError, match="does not let its ids be"):
            call([ord("a")])
    assert state["text"] == ""


def test_a_text_that_the_model_cannot_cut_is_an_asset_error(tmp_path):
    model = {"type": "WordLevel", "vocab": {"a": 0}, "unk_token": "[UNK]"}
    path = write(tmp_path, json.dumps({"version": "1.0", "model": model}))
    tokenizer = tokenizers.HuggingFaceTokenizer(path)
    assert tokenizer.encode("a") == [0]
    with pytest.raises(tokenizers.AssetError, match=r"Missing \[UNK\] token"):
        tokenizer.encode("b")


def test_a_text_must_be_unicode(tmp_path):
    tokenizer = tokenizers.HuggingFaceTokenizer(write(tmp_path, GOOD))
    with pytest.raises(ValueError, match=r"position 2 is the lone surrogate '\\ud800'"):
        tokenizer.encode("ab\ud800")
    with pytest.raises(TypeError, match="Expected a text to encode, got bytes"):
        tokenizer.encode(b"ab")


# Cost of a refusal: seconds of one processor, and memory beyond what a good file needs.

_MEASURE = """
import json, resource, sys, time
from oasr import tokenizers

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024

good, *bad = sys.argv[1:]
tokenizers.HuggingFaceTokenizer(good)
report = []
for path in bad:
    before, start = peak(), time.process_time()
    try:
        tokenizers.HuggingFaceTokenizer(path)
    except tokenizers.AssetError as error:
        report.append([str(error), time.process_time() - start, peak() - before])
print(json.dumps(report))
"""

HUGE = {
    "brackets": b"[" * 100_000_000,
    "pairs of brackets": b"[" + b"[]," * 33_000_000 + b"[]]",
    "braces": b'{"a":' * 20_000_000,
    "the most brackets that are parsed": b"[" + b"[]," * 1_499_000 + b"[]]",
    "the most keys that are parsed": b"{%s}"
    % b",".join(b'"%d":0' % n for n in range(2**19)),
    "a long text": b'{"a": "' + b"x" * 48_000_000 + b'"}',
    "a long number": b'{"a": ' + b"9" * 48_000_000 + b"}",
    "blanks": b" " * 48_000_000,
    "zeros": bytes(48_000_000),
}


def test_a_refusal_takes_less_than_a_second_and_200_megabytes(tmp_path):
    bad = []
    for name, content in HUGE.items():
        bad.append(tmp_path / f"{name}.json")
        bad[-1].write_bytes(content)
    command = [
        sys.executable,
        "-c",
        _MEASURE,
        str(write(tmp_path, GOOD)),
        *map(str, bad),
    ]
    run = subprocess.run(
        command,
        env={"PYTHONPATH": ":".join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    )
    report = json.loads(run.stdout)
    assert len(report) == len(HUGE)
    for path, (message, seconds, memory) in zip(bad, report, strict=True):
        assert str(path) in message
        assert seconds < 1, message
        assert memory < 200_000_000, message


# The library is named before any file is looked at.


@pytest.mark.parametrize("kind", ["huggingface", "whisper"])
def test_a_missing_library_is_named(monkeypatch, kind):
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    spec = tokenizers.TokenizerSpec(kind, {"tokenizer": "/no/such/file"})
    with pytest.raises(ImportError, match=r"pip install 'oasr-server\[tokenizers\]'"):
        tokenizers.build_tokenizer(spec)


@pytest.mark.parametrize("kind", ["huggingface", "whisper"])
def test_an_unknown_file_role_or_option_is_refused(kind):
    for spec, message in [
        ((kind, {"tokenizer": "t", "model": "m"}), "no file role 'model'; valid are"),
        ((kind, {"tokenizer": "t"}, {"strict": True}), "no option 'strict'; valid"),
        ((kind,), r"needs the file 'tokenizer'; got \[\]"),
    ]:
        with pytest.raises(ValueError, match=message):
            tokenizers.build_tokenizer(tokenizers.TokenizerSpec(*spec))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"on_id_mismatch": "ignore"}, r"one of \['error', 'fill', 'warn'\], got 'ign"),
        ({"vocab_size": 276}, "of at least 277, as .* ids up to 276, .*; got 276"),
        ({"vocab_size": 10**9}, "and at most [0-9]+; got 1000000000"),
        ({"vocab_size": 300.0}, "got 300.0"),
        ({"vocab_size": True}, "got True"),
    ],
)
def test_a_bad_option_is_refused(tmp_path, options, message):
    path = write(tmp_path, GOOD)
    spec = tokenizers.TokenizerSpec("huggingface", {"tokenizer": str(path)}, options)
    with pytest.raises(ValueError, match=message):
        tokenizers.build_tokenizer(spec)


def test_special_ids_that_are_no_integers_are_refused(tmp_path):
    with pytest.raises(TypeError, match="position 1 is '2'"):
        tokenizers.HuggingFaceTokenizer(write(tmp_path, GOOD), [0, "2"])


def test_the_library_loads_with_the_first_tokenizer_and_not_before(tmp_path):
    program = (
        "import sys\n"
        "from oasr import tokenizers\n"
        "kinds = tokenizers.HuggingFaceTokenizer, tokenizers.WhisperTokenizer\n"
        "assert 'tokenizers' not in sys.modules\n"
        f"kinds[0]({str(write(tmp_path, GOOD))!r})\n"
        "assert 'tokenizers' in sys.modules\n"
    )
    environment = {"PYTHONPATH": ":".join(sys.path)}
    subprocess.run([sys.executable, "-c", program], env=environment, check=True)
