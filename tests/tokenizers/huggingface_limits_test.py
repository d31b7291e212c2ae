"""Tests for tokenizer.json files that would take gigabytes, or end the process."""

import base64
import io
import json
import struct

import pytest
import sentencepiece
import tokenizers as reference

from oasr import tokenizers
from oasr.tokenizers import sentencepiece_model
from tests.tokenizers import small_tokenizers as small

_BPE = {"type": "BPE", "vocab": {"a": 0, "b": 1, "ab": 2}, "merges": [["a", "b"]]}
_WORDS = {"type": "WordLevel", "vocab": {"a": 0}, "unk_token": "a"}


def write(folder, model=_BPE, **sections):
    path = folder / "tokenizer.json"
    content = {"version": "1.0", "model": model} | sections
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


def replace(content, old="a"):
    return {"type": "Replace", "pattern": {"String": old}, "content": content}


def sequence(section, steps):
    return {section: {"type": "Sequence", f"{section}s".replace("pre_", "pre"): steps}}


def normalizers(*steps):
    return sequence("normalizer", list(steps))


def decoders(*steps):
    return sequence("decoder", list(steps))


def pre_tokenizers(*steps):
    return sequence("pre_tokenizer", list(steps))


TEN = [replace("a" * 10)] * 9
UNTYPED = [{"pattern": {"String": "a"}, "content": "a" * 10}] * 9
REGEX = {"type": "Replace", "pattern": {"Regex": "a|"}, "content": "aa"}
BLANKS = {"type": "Metaspace", "replacement": "x", "prepend_scheme": "always"}
GROWING = [
    (decoders(*TEN), r"decoder.decoders\[3\]: .* Replace may make a text 10000 times"),
    (normalizers(*TEN), r"normalizer.normalizers\[3\]: .* 10000 times"),
    (decoders(*UNTYPED), r"decoders\[3\]: .* 10000 times"),
    (normalizers(*UNTYPED), r"normalizers\[3\]: .* 10000 times"),
    (
        decoders(decoders(*TEN[:2])["decoder"], *TEN[:2]),
        r"decoder.decoders\[2\]: .* 10000 times",
    ),
    (
        normalizers(*TEN[:2], normalizers(*TEN[:2])["normalizer"]),
        r"normalizer.normalizers\[2\].normalizers\[1\]: .* 10000 times",
    ),
    (normalizers(*[REGEX] * 9), r"normalizers\[6\]: .* 2187 times"),
    (normalizers(*[replace("aa", "")] * 9), r"normalizers\[6\]: .* 2187 times"),
    (normalizers(*[{"type": "Prepend", "prepend": "aaa"}] * 9), "4096 times"),
    (normalizers(*[{"type": "ByteLevel"}] * 9), r"normalizers\[5\]: .* 4096 times"),
    (pre_tokenizers(*[small.BYTE_LEVEL] * 9), r"pretokenizers\[4\]: .* 3125 times"),
    (pre_tokenizers(*[BLANKS] * 16), r"pretokenizers\[10\]: .* 2048 times"),
    (
        normalizers(*TEN[:3]) | pre_tokenizers(BLANKS, BLANKS),
        r"pre_tokenizer.pretokenizers\[0\]: .* 2000 times",
    ),
    (decoders(*[{"type": "BPEDecoder", "suffix": ""}] * 16), "2048 times"),
    (
        decoders(
            *[{"type": "CTC", "pad_token": "p", "word_delimiter_token": "",
               "cleanup": False}] * 16
        ),
        "2048 times",
    ),
    (normalizers(replace("b" * 65)), r"normalizers\[0\]: .* at most 64 .* found 65"),
    ({"normalizer": {"type": "Prepend", "prepend": "b" * 10**6}}, "normalizer: .* 64"),
    ({"decoder": replace("b" * 65)}, "decoder: .* at most 64 characters, found 65"),
    (decoders(*[{"type": "Fuse"}] * 17), r"decoders\[16\]: decoder has over 16 steps"),
    (normalizers(*[{"type": "NFC"}] * 17), "normalizer has over 16 steps"),
]  # fmt: skip


@pytest.mark.parametrize("kind", ["HuggingFaceTokenizer", "WhisperTokenizer"])
@pytest.mark.parametrize(("sections", "message"), GROWING)
def test_what_grows_is_refused(tmp_path, kind, sections, message):
    path = write(tmp_path, **sections)
    with pytest.raises(tokenizers.AssetError, match=message) as refusal:
        getattr(tokenizers, kind)(path)
    assert str(refusal.value).startswith(f"{path}: ")


def test_all_texts_together_are_bounded(tmp_path):
    long = {"type": "BPE", "vocab": {"a" * 2_000_000: 0}, "merges": []}
    path = write(tmp_path, long, decoder=replace("a" * 60))
    with pytest.raises(tokenizers.AssetError, match=r"decoder: the texts .* 60 times"):
        tokenizers.HuggingFaceTokenizer(path)
    # The library normalises added tokens when it is built.
    token = small.added(3, "a" * 2_000_000, normalized=True)
    path = write(tmp_path, normalizer=replace("a" * 60), added_tokens=[token])
    with pytest.raises(tokenizers.AssetError, match=r"normalizer: .* 60 times"):
        tokenizers.HuggingFaceTokenizer(path)


@pytest.mark.parametrize("name", ["continuing_subword_prefix", "end_of_word_suffix"])
@pytest.mark.parametrize("affix", ["x" * 65, 3])
def test_a_long_affix_is_refused(tmp_path, name, affix):
    path = write(tmp_path, _BPE | {name: affix})
    with pytest.raises(tokenizers.AssetError, match=f"64 characters as model.{name}"):
        tokenizers.HuggingFaceTokenizer(path)


def test_a_template_does_not_repeat_a_text(tmp_path):
    text = {"Sequence": {"id": "A", "type_id": 0}}
    template = {"type": "TemplateProcessing", "single": [text] * 1000}
    template |= {"pair": [text, {"Sequence": {"id": "B", "type_id": 0}}]}
    path = write(tmp_path, post_processor=template | {"special_tokens": {}})
    assert tokenizers.HuggingFaceTokenizer(path).encode("ab") == [2]


# What published files do is not refused, and renders as the library renders it.

PUBLISHED = {
    "Llama": normalizers({"type": "Prepend", "prepend": "▁"}, replace("▁", " "))
    | decoders(
        replace(" ", "▁"),
        {"type": "ByteFallback"},
        {"type": "Fuse"},
        {"type": "Strip", "content": " ", "start": 1, "stop": 0},
    ),
    "CLIP": normalizers(
        {"type": "NFC"},
        {"type": "Replace", "pattern": {"Regex": r"\s+"}, "content": " "},
        {"type": "Lowercase"},
    ),
    "ALBERT": normalizers(
        replace('"', "``"),
        replace('"', "''"),
        {"type": "NFKD"},
        {"type": "StripAccents"},
        {"type": "Lowercase"},
        {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": " "},
    ),
    "byte-level": pre_tokenizers(
        {"type": "Digits", "individual_digits": True}, small.BYTE_LEVEL
    )
    | {"decoder": small.BYTE_LEVEL},
}


@pytest.mark.parametrize("sections", PUBLISHED.values(), ids=PUBLISHED)
def test_published_sections_are_taken(tmp_path, sections):
    path = write(tmp_path, **sections)
    tokenizer = tokenizers.HuggingFaceTokenizer(path)
    library = reference.Tokenizer.from_file(str(path))
    assert tokenizer.encode("ab  aba") == library.encode("ab  aba").ids
    assert tokenizer.decode([2, 0, 1]) == library.decode([2, 0, 1])


# Character maps.


def charsmap(size, units, texts=b"x\0"):
    content = struct.pack(f"<I{len(units)}I", size, *units) + texts
    return base64.b64encode(content).decode()


# The first unit: offset 0, no value, so that bytes lead within the first 256 units.
SOUND = [0] * 256


@pytest.mark.parametrize(
    ("coded", "message"),
    [
        ("/" * 16, "says that its trie has 4294967295 bytes; .* the 8 bytes"),
        ("CAAAAAAAAAAAAAAA", "the unit 0 of the character map points outside"),
        ("", "has 0 bytes"),
        ("AAAA", "has 0 bytes"),
        (charsmap(0, []), "has 0 bytes"),
        (charsmap(1022, SOUND), "has 1022 bytes; expected a multiple of 4"),
        (charsmap(1028, SOUND), "has 1028 bytes"),
        (charsmap(1024, [*SOUND[:7], 1 << 18, *SOUND[8:]]), "the unit 7 of"),
        (charsmap(1024, [*SOUND[:7], 1 << 9 | 1 << 10, *SOUND[8:]]), "the unit 7 of"),
        # The unit 7 has a value, at itself, which is behind the texts.
        (charsmap(1024, [1 << 31 | 9, *SOUND[1:7], 7 << 10 | 1 << 8, *SOUND[8:]]),
         "the unit 7 of"),
        ("not base64!", "expected a character map in base64"),
        ("A" * 6_000_000, "no map has over"),
        (charsmap(1024, SOUND, b"x" * 2000), "2000 times"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("nested", [False, True])
def test_a_character_map_that_points_outside_itself_is_refused(
    tmp_path, coded, message, nested
):
    section = {"type": "Precompiled", "precompiled_charsmap": coded}
    if nested:
        section = normalizers(normalizers(section)["normalizer"])["normalizer"]
    path = write(tmp_path, _WORDS, normalizer=section)
    with pytest.raises(tokenizers.AssetError, match=message) as refusal:
        tokenizers.HuggingFaceTokenizer(path)
    assert f"{path}: normalizer" in str(refusal.value)


def published_map(rule):
    """Returns the character map that SentencePiece makes of one of its rules."""
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(["hello world"] * 20),
        model_writer=model,
        vocab_size=14,
        hard_vocab_limit=False,
        normalization_rule_name=rule,
        minloglevel=2,
    )
    content = model.getvalue()
    for number in (3, 2):  # normalizer_spec, precompiled_charsmap
        (content,) = (
            content[first:last]
            for found, _, first, last in sentencepiece_model.read_fields(content)
            if found == number
        )
    return base64.b64encode(content).decode()


@pytest.mark.parametrize("rule", ["nmt_nfkc", "nfkc", "nmt_nfkc_cf", "nfkc_cf"])
def test_the_maps_of_sentencepiece_are_taken(tmp_path, rule):
    section = {"type": "Precompiled", "precompiled_charsmap": published_map(rule)}
    path = write(tmp_path, normalizer=section)
    tokenizer = tokenizers.HuggingFaceTokenizer(path)
    assert tokenizer.encode("\uff41\uff42") == [2]


def test_a_numbering_may_leave_out_three_ids_of_four(tmp_path):
    texts = 20_000
    for step, sound in ((4, True), (5, False)):
        vocab = {str(n): step * n for n in range(texts)}
        path = write(tmp_path, {"type": "WordLevel", "vocab": vocab, "unk_token": "0"})
        if not sound:
            with pytest.raises(tokenizers.AssetError, match="one id in 4"):
                tokenizers.HuggingFaceTokenizer(path)
            continue
        tokenizer = tokenizers.HuggingFaceTokenizer(path, [8])
        ids = [0, 1, 2, 3, 4, 8, 79_996, 79_997, 80_000, -1, 10**30]
        expected = [True, False, False, False, True, False, True, *[False] * 4]
        assert tokenizer.is_text(ids).tolist() == expected
        assert tokenizer.decode(ids) == "0 1 19999"


def test_a_model_is_not_far_larger_than_its_vocabulary(tmp_path):
    path = write(tmp_path)
    assert tokenizers.HuggingFaceTokenizer(path, vocab_size=2**16).vocab_size == 2**16
    with pytest.raises(ValueError, match="at most 65536; got 1000000"):
        tokenizers.HuggingFaceTokenizer(path, vocab_size=10**6)


def test_the_same_merge_in_both_forms_is_the_same(tmp_path):
    path = write(tmp_path, _BPE | {"merges": ["a b", ["a", "b"]]})
    with pytest.raises(tokenizers.AssetError, match=r"merges\[1\] is \['a', 'b'\], wh"):
        tokenizers.HuggingFaceTokenizer(path)
