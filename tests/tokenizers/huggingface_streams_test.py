"""Random id sequences of every make of vocabulary, against the library itself."""

import itertools
import json
import random

import pytest
import tokenizers as reference

from oasr import tokenizers
from tests import conftest
from tests.tokenizers import package_files
from tests.tokenizers import random_ids
from tests.tokenizers import small_tokenizers as small

_BYTES = [0x20, 0xE4, 0xBD, 0xA0, 0xF0, 0x9F, 0x98, 0x80, 0xE3, 0x80, 0xEF, 0xBF, 0xBD]
_BYTES += [0xC0, 0xED, 0xFF, 0x41]

_DECODERS = reference.decoders


def _nested(tokenizer):
    """Wraps the decoder twice, and has it join what is joined."""
    inner = _DECODERS.Sequence([tokenizer.decoder])
    tokenizer.decoder = _DECODERS.Sequence(
        [_DECODERS.Sequence([inner]), _DECODERS.Fuse(), _DECODERS.Fuse()]
    )
    return tokenizer


def _stripping(content):
    """Byte fallback, a character left out at the start of the text."""
    tokenizer = small.byte_fallback(strip=False)
    strip = _DECODERS.Strip(content, 1, 0)
    tokenizer.decoder = _DECODERS.Sequence([tokenizer.decoder, strip])
    return tokenizer


# A vocabulary, its added tokens, the ids that sequences hold often.
MAKES = {
    "byte-level": (
        small.byte_level,
        small.BYTE_LEVEL_ADDED,
        [*_BYTES, *range(256, 283)],
    ),
    "metaspace always": (
        lambda: small.metaspace("always"),
        small.CONTROLS,
        list(range(3, 28)),
    ),
    "metaspace first": (
        lambda: small.metaspace("first"),
        small.CONTROLS,
        list(range(3, 28)),
    ),
    "metaspace never": (
        lambda: small.metaspace("never"),
        small.CONTROLS,
        list(range(3, 28)),
    ),
    "byte fallback": (
        small.byte_fallback,
        small.CONTROLS,
        [*(3 + byte for byte in _BYTES), *range(259, 285)],
    ),
    "byte fallback, no strip": (
        lambda: small.byte_fallback(strip=False),
        small.CONTROLS,
        [*(3 + byte for byte in _BYTES), *range(259, 285)],
    ),
    "byte fallback, strips a letter": (
        lambda: _stripping("a"),
        small.CONTROLS,
        [*(3 + byte for byte in _BYTES), *[3 + ord("a")] * 9, *range(259, 285)],
    ),
    "byte fallback, strips a character": (
        lambda: _stripping("你"),
        small.CONTROLS,
        [*(3 + byte for byte in [*_BYTES, *"你".encode() * 4]), *range(259, 285)],
    ),
    "wordpiece": (small.word_piece, small.WORD_PIECE_ADDED, list(range(3, 20))),
    "wordlevel": (small.word_level, small.WORD_LEVEL_ADDED, list(range(2, 9))),
    "ctc": (small.ctc, small.CTC_ADDED, [0, 0, *range(4, 23)]),
    "wordpiece, no cleanup": (
        lambda: small.word_piece(cleanup=False),
        small.WORD_PIECE_ADDED,
        list(range(3, 20)),
    ),
    "ctc, no cleanup": (
        lambda: small.ctc(cleanup=False),
        small.CTC_ADDED,
        [0, 0, *range(4, 23)],
    ),
    "byte-level, joined twice": (
        lambda: small.byte_level(
            decoder=_DECODERS.Sequence([_DECODERS.ByteLevel(), _DECODERS.Fuse()])
        ),
        small.BYTE_LEVEL_ADDED,
        [*_BYTES, *range(256, 283)],
    ),
    "metaspace, nested": (
        lambda: _nested(small.metaspace("always")),
        small.CONTROLS,
        list(range(3, 28)),
    ),
    "byte fallback, nested": (
        lambda: _nested(small.byte_fallback()),
        small.CONTROLS,
        [*(3 + byte for byte in _BYTES), *range(259, 285)],
    ),
    "end of word, joined twice": (
        lambda: _nested(small.end_of_word()),
        [],
        list(range(12)),
    ),
    "end of word": (small.end_of_word, [], list(range(12))),
}
# 200,000 sequences of this kind in the long run.
_COUNT = 2000 * conftest.SCALE // (len(MAKES) + 1)


@pytest.mark.parametrize("name", MAKES)
def test_streams_are_what_the_library_decodes(tmp_path, name):
    make, added, favourites = MAKES[name]
    path = small.write(tmp_path / "tokenizer.json", make(), added)
    tokenizer = tokenizers.HuggingFaceTokenizer(path)
    library = reference.Tokenizer.from_file(str(path))
    rng = random.Random(name)
    random_ids.check_laws(rng, tokenizer, favourites, _COUNT, library.decode)


def test_streams_of_a_published_byte_fallback_vocabulary():
    path = package_files.find("moonshine_tokenizer", "tokenizer.json")
    tokenizer = tokenizers.HuggingFaceTokenizer(path)
    library = reference.Tokenizer.from_file(str(path))
    texts = [" hello", "中", "😀", "é", "\u3000", "\n", "  ", "\ufffd", "ﷺ"]
    favourites = sorted({i for text in texts for i in library.encode(text).ids})
    favourites += [3 + byte for byte in _BYTES]
    rng = random.Random(0)
    random_ids.check_laws(rng, tokenizer, favourites, _COUNT, library.decode)


def ids_handed_over(tokenizer, monkeypatch):
    """Counts the ids that the runtime renders; returns the list of counts."""
    counts, render = [], tokenizer._render

    def counted(ids):
        counts.append(len(ids))
        return render(ids)

    monkeypatch.setattr(tokenizer, "_render", counted)
    return counts


@pytest.mark.parametrize("name", MAKES)
def test_a_delta_renders_a_few_ids_however_long_the_text(tmp_path, monkeypatch, name):
    make, added, favourites = MAKES[name]
    path = small.write(tmp_path / "tokenizer.json", make(), added)
    tokenizer = tokenizers.HuggingFaceTokenizer(path)
    counts = ids_handed_over(tokenizer, monkeypatch)
    rng = random.Random(name)
    ids = [rng.choice(favourites) for _ in range(5000)]
    state = tokenizer.new_decode_state()
    for token_id in ids:
        tokenizer.decode_incremental([token_id], state)
    # The new id, at most three before it, and one that stands for all the others;
    # twice where the window is cut.
    assert max(counts, default=0) <= 5
    assert sum(counts) <= 10 * len(ids)
    counts.clear()
    assert len(tokenizer.token_pieces(ids)) == len(ids)
    assert sum(counts) <= 10 * len(ids)


def test_a_run_of_bytes_of_any_length_is_held_and_rendered_once(tmp_path, monkeypatch):
    path = small.write(
        tmp_path / "tokenizer.json", small.byte_fallback(), small.CONTROLS
    )
    tokenizer = tokenizers.HuggingFaceTokenizer(path)
    counts = ids_handed_over(tokenizer, monkeypatch)
    ids = [3 + byte for byte in "中".encode()] * 10_000
    state = tokenizer.new_decode_state()
    assert {tokenizer.decode_incremental([i], state) for i in ids} == {""}
    assert max(counts, default=0) <= 5
    assert tokenizer.flush_incremental(state) == "中" * 10_000


def test_the_search_for_a_visible_text_ends(tmp_path, monkeypatch):
    blanks = map("".join, itertools.product(" \t\n\u3000", repeat=7))
    vocab = {text: n for n, text in enumerate([*blanks, "word"])}
    model = {"type": "WordLevel", "vocab": vocab, "unk_token": "word"}
    path = tmp_path / "tokenizer.json"
    path.write_text(json.dumps({"version": "1.0", "model": model}))
    asked, render = [], tokenizers.HuggingFaceTokenizer._render

    def counted(self, ids):
        asked.extend(ids)
        return render(self, ids)

    monkeypatch.setattr(tokenizers.HuggingFaceTokenizer, "_render", counted)
    tokenizer = tokenizers.HuggingFaceTokenizer(path)
    assert len(asked) < 5000 < len(vocab)
    rng = random.Random(0)
    library = reference.Tokenizer.from_file(str(path))
    random_ids.check_laws(rng, tokenizer, [0, 1, 4**7], 50, library.decode)


def test_what_cannot_be_known_is_said_once_and_still_right(tmp_path, caplog):
    decoder = reference.decoders.Sequence(
        [reference.decoders.Fuse(), reference.decoders.Strip(" ", 0, 1)]
    )
    path = small.write(tmp_path / "tokenizer.json", small.word_level(decoder))
    tokenizer = tokenizers.HuggingFaceTokenizer(path)
    blank, hello = 8, 2
    assert tokenizer.decode([hello, blank]) == "hello"
    state = tokenizer.new_decode_state()
    assert tokenizer.decode_incremental([hello], state) == "hello"
    assert tokenizer.decode_incremental([blank], state) == ""
    assert tokenizer.decode_incremental([hello], state) == " hello"
    found = [r.getMessage() for r in caplog.records if r.name == "oasr.tokenizers"]
    assert len(found) == 1
    assert "'Strip'" in found[0]
    assert "cost of streams grows" in found[0]


def test_a_strip_of_marks_is_no_rule_that_is_known(tmp_path, caplog):
    path = small.write(tmp_path / "tokenizer.json", _stripping("\ufffd"))
    tokenizer = tokenizers.HuggingFaceTokenizer(path)
    assert "is not known" in caplog.text
    assert tokenizer.decode([3 + 0xE4, 3 + 0xE4]) == "\ufffd"


def test_a_suffix_within_a_text_is_no_rule_that_only_adds(tmp_path, caplog):
    vocabulary = small.end_of_word(words=["a</w>b"])
    path = small.write(tmp_path / "tokenizer.json", vocabulary)
    tokenizer = tokenizers.HuggingFaceTokenizer(path)
    assert "is not known" in caplog.text
    odd = vocabulary.token_to_id("a</w>b")
    assert tokenizer.decode([odd]) == "ab"
    assert tokenizer.decode([odd, 1]) == "a bh"
    # What was given out is not taken back in silence.
    state = tokenizer.new_decode_state()
    tokenizer.decode_incremental([odd], state)
    with pytest.raises(RuntimeError, match=r"Tokenizer\.decode changed text"):
        tokenizer.decode_incremental([1], state)
