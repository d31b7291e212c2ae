"""Whisper's vocabularies, against its own tokenizer, run from the package."""

import functools
import random

import numpy as np
import pytest

from oasr import tokenizers
from oasr._native import word_grouping
from tests import conftest
from tests.tokenizers import languages
from tests.tokenizers import laws
from tests.tokenizers import random_ids
from tests.tokenizers import whisper_assets

TEXTS = [*languages.SENTENCES.values(), *languages.HOSTILE]
_COUNT = 2000 * conftest.SCALE // 3  # 200,000 of this kind in the long run.


@pytest.fixture(scope="module", params=["en", "v2", "v3"])
def family(request):
    return request.param


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("whisper")


@pytest.fixture(scope="module")
def load(folder):
    """Builds the tokenizer of a family, once."""
    return functools.cache(
        lambda family: tokenizers.WhisperTokenizer(whisper_assets.write(folder, family))
    )


@pytest.fixture(scope="module")
def tokenizer(load, family):
    return load(family)


@pytest.fixture(scope="module")
def reference(folder, family):
    return whisper_assets.reference(folder, family)


def text_of(reference, ids):
    """The text of ids below the end of text, stripped."""
    content = b"".join(reference.encoding.decode_tokens_bytes(ids))
    return content.decode("utf-8", "replace").strip()


def test_a_users_text_has_the_ids_of_the_reference(tokenizer, reference):
    for text in TEXTS:
        expected = reference.encoding.encode(text, disallowed_special=())
        assert tokenizer.encode(text, split_special_tokens=True) == expected
        assert tokenizer.decode(expected) == text.strip()


def test_control_names_in_a_prompt_have_the_ids_of_the_reference(tokenizer, reference):
    for text in TEXTS:
        prompt = f"<|startoftranscript|><|en|><|transcribe|><|0.00|>{text}<|2.48|>"
        expected = reference.encoding.encode(prompt, allowed_special="all")
        assert tokenizer.encode(prompt) == expected
        assert (
            tokenizer.decode(expected)
            == text.replace(
                "<|endoftext|><|startoftranscript|><|en|><|0.00|>", ""
            ).strip()
        )


def test_random_ids_render_as_the_reference_renders_them(tokenizer, reference, family):
    texts = [" hello", " ", "\n", "\u3000", "副", "😀", " 你", "\ufffd", "é", "ﷺ", "!"]
    favourites = sorted({i for text in texts for i in tokenizer.encode(text)})
    favourites += range(94, 256)  # Single bytes.
    rng = random.Random(family)
    random_ids.check_laws(
        rng, tokenizer, favourites, _COUNT, lambda ids: text_of(reference, ids)
    )


def test_a_long_stream_renders_no_id_twice(tokenizer, monkeypatch):
    counts, render = [], tokenizer._render

    def counted(ids):
        counts.append(len(ids))
        return render(ids)

    ids = tokenizer.encode(" 副業 \u3000\u3000 hello 😀") * 500
    state = tokenizer.new_decode_state()
    with monkeypatch.context() as patch:
        patch.setattr(tokenizer, "_render", counted)
        deltas = [tokenizer.decode_incremental([i], state) for i in ids]
    # Bytes do not depend on what stands around them: each id once, at most.
    assert sum(counts) <= len(set(ids))
    assert "".join(deltas) == tokenizer.decode(ids)


# Reported cases; the numbers are those in the collection.

CASES = [
    pytest.param("en", [50257, 50363, 23748, 50413, 50256], "hello", id="063 en"),
    pytest.param(
        "v2", [50258, 50259, 50359, 50364, 7751, 50414, 50257], "hello", id="063, 065"
    ),
    pytest.param(
        "v3", [50258, 50260, 50360, 50364, 7751, 51865, 50257], "hello", id="066"
    ),
    pytest.param("v2", [7751], "hello", id="071"),
    pytest.param("v2", [5935, 107] * 20, "副" * 20, id="073"),
    pytest.param("v2", [7751, *[5935, 107] * 20], "hello" + "副" * 20, id="073 odd"),
    pytest.param("v2", [26259, 161, 98], "今日\ufffd", id="075"),
    pytest.param("v2", [257, 16867, 272], "a \ufffd b", id="076"),
    pytest.param("v2", [43791, 5935, 107, 27119], "今日は副業", id="077"),
    pytest.param(
        "v2",
        [13715, 7643, 5981, 13715, 9345, 6033, 21916, 5981, 10196],
        "สวัสดีครับ",
        id="078",
    ),
    # 50256 is the empty text there: it renders nothing, and is no control.
    pytest.param("v2", [5935, *[50256] * 40, 107], "副", id="123"),
    pytest.param("v2", [7751, *[220] * 40, 64], "hello" + " " * 40 + "a", id="124"),
    pytest.param("v2", [7751, 220, 50257], "hello", id="124 at the end"),
]


@pytest.mark.parametrize(("of", "ids", "text"), CASES)
def test_reported_case(load, of, ids, text):
    tokenizer = load(of)
    assert tokenizer.decode(ids) == text
    state = tokenizer.new_decode_state()
    deltas = [tokenizer.decode_incremental([i], state) for i in ids]
    assert "".join(deltas) + tokenizer.flush_incremental(state) == text
    if "\ufffd" not in text:
        assert "\ufffd" not in "".join(deltas)
    assert "".join(tokenizer.token_pieces(ids)) == text


def test_063_the_end_of_text_and_the_first_timestamp(tokenizer, family):
    expected = {"en": (50256, 50363), "v2": (50257, 50364), "v3": (50257, 50365)}
    found = tokenizer.eot_id, tokenizer.control_id("<|0.00|>")
    assert found == expected[family]


def test_073_no_delta_shows_half_a_character(tokenizer):
    ids = tokenizer.encode("副" * 30)
    state = tokenizer.new_decode_state()
    deltas = [tokenizer.decode_incremental([i], state) for i in ids]
    assert set(deltas) == {"副", ""}


def test_077_a_character_belongs_to_the_id_with_its_last_byte(load):
    pieces = load("v2").token_pieces([43791, 5935, 107, 27119])
    assert pieces == ["今日は", "", "副", "業"]


@pytest.mark.parametrize(
    ("ids", "words"),
    [
        pytest.param(
            [26259, 161, 98], [("今", 0, 0), ("日", 0, 0), ("\ufffd", 1, 2)], id="075"
        ),
        pytest.param(
            [257, 16867, 272], [("a", 0, 0), ("\ufffd", 1, 1), ("b", 2, 2)], id="076"
        ),
        pytest.param(
            [43791, 5935, 107, 27119],
            [("今", 0, 0), ("日", 0, 0), ("は", 0, 0), ("副", 1, 2), ("業", 3, 3)],
            id="077",
        ),
        pytest.param(
            [13715, 7643, 5981, 13715, 9345, 6033, 21916, 5981, 10196],
            [
                ("ส", 0, 0),
                ("วั", 1, 2),
                ("ส", 3, 3),
                ("ดี", 4, 5),
                ("ค", 6, 6),
                ("รั", 6, 7),
                ("บ", 8, 8),
            ],
            id="078",
        ),
    ],
)
def test_words_have_the_spans_of_their_ids(load, ids, words):
    tokenizer = load("v2")
    lends = np.array(tokenizer.is_text(ids))
    text, ends = tokenizer.joined_pieces(ids)
    assert word_grouping.word_spans(text, ends, lends) == words


def test_084_a_nested_list_is_refused(tokenizer):
    with pytest.raises(TypeError, match="position 0 "):
        tokenizer.decode([[7751], [7751, 50257]])


def test_124_blanks_come_with_what_follows_them(tokenizer):
    hello, blank, letter = (tokenizer.encode(text)[0] for text in (" hello", " ", "a"))
    state = tokenizer.new_decode_state()
    assert tokenizer.decode_incremental([hello], state) == "hello"
    assert {tokenizer.decode_incremental([blank], state) for _ in range(40)} == {""}
    assert tokenizer.decode_incremental([letter], state) == " " * 40 + "a"
    assert laws.one_by_one(tokenizer, [hello, blank]) == ("hello", "")
