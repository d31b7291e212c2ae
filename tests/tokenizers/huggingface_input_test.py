"""Tests for a library that panics or is missing, texts, and options."""

import json
import subprocess
import sys

import pytest

from oasr import tokenizers
from tests.tokenizers import tokenizer_jsons


@pytest.mark.parametrize(
    "section",
    [
        {"normalizer": {"type": "Replace", "pattern": {"String": ""}, "content": "x"}},
        {"pre_tokenizer": {"type": "FixedLength", "length": 0}},
    ],
)
def test_a_panic_in_encoding_is_an_asset_error(tmp_path, section):
    path = tokenizer_jsons.write(
        tmp_path, json.dumps(tokenizer_jsons.vocabulary() | section)
    )
    tokenizer = tokenizers.HuggingFaceTokenizer(path)
    for split in (False, True):
        with pytest.raises(tokenizers.AssetError, match="does not let its texts be"):
            tokenizer.encode("hello you", split_special_tokens=split)
    assert tokenizer.decode([260]) == " hello"


def test_a_panic_in_decoding_is_an_asset_error(tmp_path):
    decoder = {"type": "Strip", "content": "a", "start": 2, "stop": 2}
    path = tokenizer_jsons.write(
        tmp_path, tokenizer_jsons.changed("decoder", to=decoder)
    )
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
    path = tokenizer_jsons.write(
        tmp_path, json.dumps({"version": "1.0", "model": model})
    )
    tokenizer = tokenizers.HuggingFaceTokenizer(path)
    assert tokenizer.encode("a") == [0]
    with pytest.raises(tokenizers.AssetError, match=r"Missing \[UNK\] token"):
        tokenizer.encode("b")


def test_a_text_must_be_unicode(tmp_path):
    tokenizer = tokenizers.HuggingFaceTokenizer(
        tokenizer_jsons.write(tmp_path, tokenizer_jsons.GOOD)
    )
    with pytest.raises(ValueError, match=r"position 2 is the lone surrogate '\\ud800'"):
        tokenizer.encode("ab\ud800")
    with pytest.raises(TypeError, match="Expected a text to encode, got bytes"):
        tokenizer.encode(b"ab")


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
    path = tokenizer_jsons.write(tmp_path, tokenizer_jsons.GOOD)
    spec = tokenizers.TokenizerSpec("huggingface", {"tokenizer": str(path)}, options)
    with pytest.raises(ValueError, match=message):
        tokenizers.build_tokenizer(spec)


def test_special_ids_that_are_no_integers_are_refused(tmp_path):
    with pytest.raises(TypeError, match="position 1 is '2'"):
        tokenizers.HuggingFaceTokenizer(
            tokenizer_jsons.write(tmp_path, tokenizer_jsons.GOOD), [0, "2"]
        )


def test_the_library_loads_with_the_first_tokenizer_and_not_before(tmp_path):
    program = (
        "import sys\n"
        "from oasr import tokenizers\n"
        "kinds = tokenizers.HuggingFaceTokenizer, tokenizers.WhisperTokenizer\n"
        "assert 'tokenizers' not in sys.modules\n"
        f"kinds[0]({str(tokenizer_jsons.write(tmp_path, tokenizer_jsons.GOOD))!r})\n"
        "assert 'tokenizers' in sys.modules\n"
    )
    environment = {"PYTHONPATH": ":".join(sys.path)}
    subprocess.run([sys.executable, "-c", program], env=environment, check=True)
