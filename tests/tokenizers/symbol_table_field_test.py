"""Symbol tables of published checkpoints, against sentencepiece and published results.

The folder is `OASR_FIELD_DATA`, laid out as `<checkpoint>/<file>`.
"""

import json
import os
import pathlib
import random

import pytest
import sentencepiece

from oasr import tokenizers
from tests.tokenizers import laws

_FOLDER = os.environ.get("OASR_FIELD_DATA", "")

pytestmark = pytest.mark.skipif(
    not _FOLDER, reason="OASR_FIELD_DATA names no folder of checkpoints"
)

# The number of ids is that of the published model; specials by their names there.
TABLES = [
    ("wenet/librispeech.words.txt", 5002, {0, 1, 5001}),
    ("wenet/aishell2.words.txt", 5235, {0, 1, 5234}),
    ("icefall/librispeech_bpe500.tokens.txt", 502, {0, 1, 2, 500, 501}),
    ("icefall/zipformer_bilingual_zh_en.tokens.txt", 6257, {0, 1, 2, 6254, 6255, 6256}),
    ("ctc_ocr/ppocrv4_units.txt", 6625, {0}),
]
SENTENCES = [
    "AFTER EARLY NIGHTFALL THE YELLOW LAMPS WOULD LIGHT UP HERE AND THERE",
    "YET THESE THOUGHTS AFFECTED HESTER PRYNNE LESS WITH HOPE THAN APPREHENSION",
    "I DON'T KNOW",
    "A",
]


def load(name, special_ids=(), **options):
    path = pathlib.Path(_FOLDER, name)
    return tokenizers.SymbolTableTokenizer(path, special_ids, **options)


def rows(name):
    """The `<piece> <id>` rows as they stand in a file of two plain columns."""
    text = pathlib.Path(_FOLDER, name).read_text(encoding="utf-8")
    return [line.rsplit(" ", 1) for line in text.split("\n") if line]


@pytest.mark.parametrize(("name", "size", "special_ids"), TABLES)
def test_a_published_table_loads_whole(name, size, special_ids):
    tokenizer = load(name, special_ids)
    assert tokenizer.vocab_size == size
    for piece, token_id in rows(name):
        expected = piece.replace("\u2581", " ").strip()
        in_text = int(token_id) not in special_ids
        assert tokenizer.decode([int(token_id)]) == (expected if in_text else "")


@pytest.mark.parametrize(("name", "size", "special_ids"), TABLES)
def test_streams_and_pieces_of_a_published_table_are_exact(name, size, special_ids):
    tokenizer, rng = load(name, special_ids), random.Random(3)
    for _ in range(300):
        ids = [rng.randrange(-2, size + 3) for _ in range(20)]
        given, rest = laws.one_by_one(tokenizer, ids)
        assert given + rest == tokenizer.decode(ids)
        assert "".join(tokenizer.token_pieces(ids)) == tokenizer.decode(ids)


@pytest.mark.parametrize("sentence", SENTENCES)
def test_icefall_ids_render_as_sentencepiece_renders_them(sentence):
    model = str(pathlib.Path(_FOLDER, "icefall/librispeech_bpe500.bpe.model"))
    processor = sentencepiece.SentencePieceProcessor(model_file=model)
    ids = processor.encode(sentence)
    tokenizer = load("icefall/librispeech_bpe500.tokens.txt", {0, 1, 2})
    assert tokenizer.decode(ids) == processor.decode(ids) == sentence


@pytest.mark.parametrize("sentence", SENTENCES)
def test_wenet_units_render_as_sentencepiece_renders_the_pieces(sentence):
    model = "wenet/librispeech.train_960_unigram5000.bpemodel"
    path = str(pathlib.Path(_FOLDER, model))
    processor = sentencepiece.SentencePieceProcessor(model_file=path)
    pieces = processor.encode(sentence, out_type=str)
    id_of = {piece: int(i) for piece, i in rows("wenet/librispeech.words.txt")}
    ids = [id_of[piece] for piece in pieces]
    tokenizer = load("wenet/librispeech.words.txt", {0, 1, 5001})
    assert tokenizer.decode(ids) == processor.decode(pieces)


@pytest.mark.parametrize(
    ("name", "label", "at_least"),
    [
        ("icefall/zipformer_bilingual_zh_en.tokens.txt", "bilingual_zh_en", 90),
        ("icefall/librispeech_bpe500.tokens.txt", "librispeech_bpe500", 10),
    ],
)
def test_published_results_render_as_published(name, label, at_least):
    tokenizer = load(name, {0, 1, 2})
    id_of = {piece.replace("\u2581", " "): int(i) for piece, i in rows(name)}
    published = pathlib.Path(_FOLDER, "decoded_tokens/sherpa_docs_results.json")
    tried = 0
    for result in json.loads(published.read_text(encoding="utf-8")):
        if label in result["tables"] and result["joins"]:
            ids = [id_of[token] for token in result["tokens"]]
            assert tokenizer.decode(ids) == result["text"].strip()
            tried += 1
    assert tried >= at_least


def test_the_historical_reader_reads_published_tables_alike():
    for name, size, _ in TABLES[:4]:
        strict, historical = load(name, {0, 1, 2}), load(name, {0, 1, 2}, strict=False)
        assert historical.decode(range(size)) == strict.decode(range(size))
