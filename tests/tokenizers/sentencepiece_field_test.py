"""Published SentencePiece models, and the models of the reported cases.

The folder is `OASR_FIELD_DATA`, laid out as `<checkpoint>/<file>`; the collection of
cases lies beside it.
"""

import json
import os
import pathlib
import random

import pytest

from oasr import tokenizers
from tests import conftest
from tests.tokenizers import laws
from tests.tokenizers import sentencepiece_checks
from tests.tokenizers import sentencepiece_models

_FOLDER = pathlib.Path(os.environ.get("OASR_FIELD_DATA", ""))

pytestmark = pytest.mark.skipif(
    not os.environ.get("OASR_FIELD_DATA"),
    reason="OASR_FIELD_DATA names no folder of checkpoints",
)

# With the ids that the checkpoint's own decoder leaves out.
MODELS = [
    ("icefall/librispeech_bpe500.bpe.model", 500, [0, 1, 2]),
    ("wenet/librispeech.train_960_unigram5000.bpemodel", 5000, [0, 1, 2]),
    ("sensevoice/chn_jpn_yue_eng_ko_spectok.bpe.model", 25055, [0, 1, 2]),
    ("sentencepiece/mistral_tokenizer.model.v1", 32000, [0, 1, 2]),
]
FIXTURES = ["bpe", "ic", "icb", "nd", "nr", "std", "suf", "uds", "us"]
FILES = [
    *(pytest.param(name, special, id=name) for name, _, special in MODELS),
    *(
        pytest.param(f"../cases/fixtures/{name}.model", special, id=f"{name} {special}")
        for name in FIXTURES
        for special in ([], [0, 1, 2])
    ),
]


def load(name, special_ids=None):
    path = _FOLDER / name
    reference = sentencepiece_models.reference(path.read_bytes())
    return tokenizers.SentencePieceTokenizer(path, special_ids), reference


def fixture(name, special_ids=None):
    return load(f"../cases/fixtures/{name}", special_ids)[0]


@pytest.mark.parametrize(("name", "size", "special_ids"), MODELS)
def test_a_published_model_loads(name, size, special_ids):
    tokenizer, processor = load(name, special_ids)
    assert tokenizer.vocab_size == size == len(processor)
    assert tokenizer.unk_id == processor.unk_id()


def test_icefalls_piece_ids_are_those_of_its_table():
    tokenizer, _ = load("icefall/librispeech_bpe500.bpe.model")
    table = tokenizers.SymbolTableTokenizer(
        _FOLDER / "icefall/librispeech_bpe500.tokens.txt"
    )
    ids = tokenizer.encode("AFTER EARLY NIGHTFALL THE YELLOW LAMPS WOULD LIGHT UP")
    assert table.decode(ids) == tokenizer.decode(ids)
    assert table.decode(ids) == "AFTER EARLY NIGHTFALL THE YELLOW LAMPS WOULD LIGHT UP"


@pytest.mark.parametrize(("name", "special_ids"), FILES)
def test_random_ids(name, special_ids):
    tokenizer, processor = load(name, special_ids)
    rng = random.Random(name)
    for _ in range(100 * conftest.SCALE):
        ids = sentencepiece_checks.random_ids(rng, processor)
        cuts = sorted(rng.choices(range(len(ids) + 1), k=rng.randrange(8)))
        sentencepiece_checks.check_stream(tokenizer, processor, ids, cuts)
        sentencepiece_checks.check_stream(tokenizer, processor, ids, range(len(ids)))
        sentencepiece_checks.check_pieces(tokenizer, processor, ids)


def declarations():
    """The beginning of the Declaration of Human Rights in fifty languages."""
    lines = (_FOLDER / "text/udhr_small.jsonl").read_text(encoding="utf-8").splitlines()
    for line in lines:
        yield "\n".join(json.loads(line)["paragraphs"])[:600]


@pytest.mark.parametrize(("name", "size", "special_ids"), MODELS)
def test_texts_in_fifty_languages(name, size, special_ids):
    tokenizer, processor = load(name, special_ids)
    texts = list(declarations())
    assert len(texts) >= 50
    assert min(map(len, texts)) > 100
    for text in texts:
        ids = tokenizer.encode(text)
        assert ids == processor.encode(text)
        assert ids == tokenizer.encode(text, split_special_tokens=True)
        kept = [i for i in ids if i not in special_ids]
        assert tokenizer.decode(ids) == processor.decode(kept)
        deltas, rest = laws.stream(tokenizer, ids, range(0, len(ids), 7))
        assert "".join(deltas) + rest == processor.decode(kept)


# By the fixture of the case, whose number it is.
CASES = [
    pytest.param("bpe", [1, 100_000], [0, 1, 2], "", id="021"),
    pytest.param("bpe", [274, 315, 0, 308, 325], [], "hello ⁇  world", id="026"),
    pytest.param("bpe", [333, 0, 48, 336, 334, 315], [], " ⁇ -hello", id="027"),
    pytest.param("us", [0], [], "<UNK>", id="028"),
    pytest.param("bpe", [274, 315, 308, 325], None, "hello world", id="029"),
    pytest.param("bpe", [333, 333, 274, 315], None, "hello", id="030"),
    pytest.param("bpe", [274, 315, 333], None, "hello ", id="032"),
    pytest.param("bpe", [274, 315, 231, 192], None, "hello��", id="036"),
    pytest.param("bpe", [231, 192, 232, 168, 192], None, "��好", id="037"),
    pytest.param(
        "bpe", [274, 315, 231, 192, 163, 308, 325], None, "hello你 world", id="038"
    ),
    pytest.param("bpe", [274, 315, 1, 308, 325, 2], [], "hello world", id="039"),
    pytest.param(
        "ic", [25, 6, 6, 4, 0, 3, 28, 4, 17, 6, 9], None, "hello world", id="040"
    ),
    pytest.param("bpe", [274, 315, 197, 163, 350], None, "hello\u00a0w", id="041"),
    pytest.param("bpe", [274, 315, 229, 153, 132, 350], None, "hello▁w", id="042"),
]


@pytest.mark.parametrize(("name", "ids", "special_ids", "expected"), CASES)
def test_case(name, ids, special_ids, expected):
    tokenizer = fixture(f"{name}.model", special_ids)
    assert tokenizer.decode(ids) == expected
    deltas, rest = laws.stream(tokenizer, ids, range(len(ids)))
    assert "".join(deltas) + rest == expected
    assert "".join(tokenizer.token_pieces(ids)) == expected


def test_case_030_no_blank_comes_first():
    tokenizer = fixture("bpe.model")
    deltas, _ = laws.stream(tokenizer, [333, 333, 274, 315], [1, 2, 3])
    assert deltas == ["", "", "he", "llo"]


def test_case_038_no_delta_holds_half_a_character():
    tokenizer = fixture("bpe.model")
    ids = [274, 315, 231, 192, 163, 308, 325]
    deltas, _ = laws.stream(tokenizer, ids, range(1, len(ids)))
    assert "\ufffd" not in "".join(deltas)
