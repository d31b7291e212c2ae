"""The truth about every directory that published files can be laid out as.

Runs where OASR_FIELD_DATA names a folder with the files.
"""

import json
import lzma
import os
import pathlib

import pytest

from oasr import checkpoints
from oasr import tokenizers
from oasr.checkpoints import byte_guess
from oasr.checkpoints import vocabulary
from tests.checkpoints import layouts
from tests.tokenizers import whisper_assets

# WeNet's recipe of LibriSpeech, as far as it matters here.
_RECIPE = """
encoder: conformer
encoder_conf: {input_layer: conv2d}
dataset_conf: {fbank_conf: {frame_shift: 10}}
output_dim: 5002
"""
_QWEN_CONFIG = {"model_type": "qwen2_audio", "text_config": {"vocab_size": 156032}}
_NEMO = """
target: nemo.collections.asr.models.rnnt_bpe_models.EncDecRNNTBPEModel
tokenizer: {type: bpe, model_path: nemo:0a_tokenizer.model}
preprocessor: {window_stride: 0.01}
encoder: {subsampling_factor: 8}
joint: {num_classes: 32000}
"""
_BASE = "openai_whisper-base"


def read(name):
    """Returns the content of a file of the field data, unpacked."""
    folder = os.environ.get("OASR_FIELD_DATA")
    if not folder:
        pytest.skip("OASR_FIELD_DATA names no folder with field data")
    path = pathlib.Path(folder, name)
    if not path.exists():
        pytest.skip(f"the field data has no {name}")
    content = path.read_bytes()
    return lzma.decompress(content) if name.endswith(".xz") else content


def lay(folder, files, **more):
    """Lays files of the field data out; `more` are files of our own."""
    return layouts.lay(
        folder, {name: read(source) for name, source in files.items()} | more
    )


# By name: the files, files of our own, what is detected: converter, family, kind,
# labels of the model, blank, seconds per frame, whether it encodes; the findings.
DIRECTORIES = {
    "icefall": (
        {
            "data/lang_bpe_500/tokens.txt": "icefall/librispeech_bpe500.tokens.txt",
            "data/lang_bpe_500/bpe.model": "icefall/librispeech_bpe500.bpe.model",
        },
        {},
        ("icefall", "ctc", "sentencepiece", 500, 0, 0.04, True),
        [],
    ),
    "icefall without its model": (
        {"tokens.txt": "icefall/librispeech_bpe500.tokens.txt"},
        {},
        ("icefall", "ctc", "symbol_table", 500, 0, 0.04, False),
        [("unreachable_id", (500, 501))],
    ),
    "icefall with another model": (
        {
            "tokens.txt": "icefall/librispeech_bpe500.tokens.txt",
            "bpe.model": "wenet/librispeech.train_960_unigram5000.bpemodel",
        },
        {},
        ("icefall", "ctc", "symbol_table", 500, 0, 0.04, False),
        [("unreachable_id", (500, 501))],
    ),
    "sherpa-onnx transducer": (
        {"tokens.txt": "icefall/zipformer_bilingual_zh_en.tokens.txt"},
        {"joiner-epoch-99-avg-1.onnx": b""},
        ("icefall", "transducer", "symbol_table", 6254, 0, 0.04, False),
        [("unreachable_id", (6254, 6255, 6256))],
    ),
    "wenet characters": (
        {"units.txt": "wenet/aishell2.words.txt"},
        {},
        ("wenet", "ctc", "symbol_table", 5235, 0, None, False),
        [],
    ),
    "wenet pieces": (
        {
            "words.txt": "wenet/librispeech.words.txt",
            "train_960_unigram5000.model": (
                "wenet/librispeech.train_960_unigram5000.bpemodel"
            ),
        },
        {"train.yaml": _RECIPE},
        ("wenet", "ctc", "symbol_table", 5002, 0, 0.04, False),
        [],
    ),
    "ocr": (
        {"units.txt": "ctc_ocr/ppocrv4_units.txt"},
        {},
        ("wenet", "ctc", "symbol_table", 6625, 0, None, False),
        [],
    ),
    "sensevoice": (
        {
            "tokens.txt": "sensevoice/tokens.txt",
            "chn_jpn_yue_eng_ko_spectok.bpe.model": (
                "sensevoice/chn_jpn_yue_eng_ko_spectok.bpe.model"
            ),
            "config.yaml": "sensevoice/config.yaml",
            "am.mvn": "sensevoice/am.mvn",
        },
        {},
        ("sensevoice", "ctc", "sentencepiece", 25055, 0, 0.06, True),
        [],
    ),
    "sensevoice without its model": (
        {"tokens.txt": "sensevoice/tokens.txt"},
        {},
        ("sensevoice", "ctc", "symbol_table", 25055, 0, 0.06, False),
        [],
    ),
    "paraformer": (
        {"tokens.json": "paraformer/tokens.json"},
        {},
        ("paraformer", "paraformer", "funasr_char", 8404, 0, 0.06, True),
        [],
    ),
    "paraformer as lines": (
        {"vocab.txt": "paraformer/vocab.txt"},
        {},
        ("paraformer", "paraformer", "funasr_char", 8404, 0, 0.06, True),
        [],
    ),
    "paraformer of wenet": (
        {"words.txt": "paraformer/wenet_paraformer.words.txt"},
        {},
        ("paraformer", "paraformer", "funasr_char", 8404, 0, 0.06, True),
        [],
    ),
    "whisper base": (
        {
            "tokenizer.json": f"whisper/{_BASE}.tokenizer.json.xz",
            "tokenizer_config.json": f"whisper/{_BASE}.tokenizer_config.json.xz",
            "generation_config.json": f"whisper/{_BASE}.generation_config.json",
        },
        {},
        ("whisper", "aed", "whisper", 51865, None, 0.02, True),
        [("unreachable_id", (50256,))],
    ),
    "whisper tiny.en": (
        {"tokenizer.json": "whisper/faster_whisper_tiny.en.tokenizer.json.xz"},
        {},
        ("whisper", "aed", "whisper", 51864, None, 0.02, True),
        [("head_mismatch", (50363,))],
    ),
    "whisper large-v3": (
        {"tokenizer.json": "whisper/whisper_v3.tokenizer.json.xz"},
        {},
        ("whisper", "aed", "whisper", 51866, None, 0.02, True),
        [("unreachable_id", (50256,))],
    ),
    "moonshine": (
        {"tokenizer.json": "huggingface_moonshine/tokenizer.json.xz"},
        {"config.json": '{"model_type": "moonshine", "vocab_size": 32768}'},
        ("moonshine", "aed", "huggingface", 32768, None, 0.024, True),
        [],
    ),
    "nemo": (
        {"0a_tokenizer.model": "sentencepiece/mistral_tokenizer.model.v1"},
        {"model_config.yaml": _NEMO},
        ("nemo", "transducer", "sentencepiece", 32001, 32000, 0.08, True),
        [],
    ),
    "qwen2-audio": (
        {
            "tokenizer.json": "qwen2_audio/tokenizer.json.xz",
            "tokenizer_config.json": "qwen2_audio/tokenizer_config.json.xz",
        },
        {"config.json": json.dumps(_QWEN_CONFIG)},
        ("qwen2_audio", "llm", "huggingface", 156032, None, 0.04, True),
        [
            ("added_token_drift", tuple(range(151646, 154931))),
            ("head_mismatch", (154931,)),
        ],
    ),
}


@pytest.mark.parametrize("name", DIRECTORIES)
def test_the_inspection_tells_the_truth(tmp_path, name):
    files, more, expected, findings = DIRECTORIES[name]
    inspection = checkpoints.inspect_checkpoint(lay(tmp_path, files, **more))
    found = inspection.checkpoint
    assert expected == (
        inspection.detected,
        found.family,
        found.tokenizer.kind,
        found.vocab_size,
        found.blank_id,
        found.seconds_per_frame,
        inspection.supports_encode,
    )
    assert [(f.rule, f.ids) for f in inspection.findings] == findings
    assert all(f.severity == "note" for f in inspection.findings)


# The same vocabulary in its published text, by directory: ids and what they say.
TEXTS = {
    "icefall": ([4, 3], "THES"),
    "wenet pieces": ([0, 2, 5001], "'"),
    "wenet characters": ([0, 2, 5234], "'"),
    "paraformer": ([1, 3, 2], None),
    "whisper base": ([50258, 50259, 50359, 50364, 7751, 50414, 50257], "hello"),
    "whisper tiny.en": ([50257, 50363, 23748, 50413, 50256], "hello"),
    "whisper large-v3": ([50258, 50260, 50360, 50364, 7751, 51865, 50257], "hello"),
}


@pytest.mark.parametrize("name", DIRECTORIES)
def test_a_saved_checkpoint_decodes_equally(tmp_path, name):
    files, more, _, _ = DIRECTORIES[name]
    folder = lay(tmp_path / "checkpoint", files, **more)
    converted = checkpoints.convert_checkpoint(folder)
    saved = converted.save(tmp_path / "output")
    assert checkpoints.ConvertedCheckpoint.load(tmp_path / "output") == saved
    before = tokenizers.build_tokenizer(converted.tokenizer)
    after = tokenizers.build_tokenizer(saved.tokenizer)
    step = max(before.vocab_size // 500, 1)
    ids = list(range(-1, before.vocab_size + 1, step))
    assert after.decode(ids) == before.decode(ids) != ""
    if name in TEXTS:
        given, expected = TEXTS[name]
        assert before.decode(given) == after.decode(given)
        assert expected is None or before.decode(given) == expected


@pytest.mark.parametrize(
    "files",
    [
        {"tokenizer.model": "sentencepiece/mistral_tokenizer.model.v1"},
        {"tokenizer.json": "huggingface_moonshine/tokenizer.json.xz"},
        {"letters.lst": "ctc_emissions/flashlight_letters.lst"},
        {"logits.json": "ctc_emissions/pyctcdecode_libri_logits.json"},
    ],
    ids=lambda files: next(iter(files)),
)
def test_what_no_converter_knows_is_refused(tmp_path, files):
    with pytest.raises(tokenizers.AssetError, match="no converter knows"):
        checkpoints.inspect_checkpoint(lay(tmp_path, files))


def results(table):
    """Returns published results whose tokens all are in a table."""
    found = json.loads(read("decoded_tokens/sherpa_docs_results.json"))
    return [r for r in found if table in r["tables"] and r["joins"]]


@pytest.mark.parametrize(
    ("table", "name", "least"),
    [
        ("sensevoice", "sensevoice", 100),
        ("sensevoice", "sensevoice without its model", 100),
        ("bilingual_zh_en", "sherpa-onnx transducer", 80),
        ("librispeech_bpe500", "icefall", 10),
    ],
)
def test_published_tokens_become_the_published_text(tmp_path, table, name, least):
    files, more, _, _ = DIRECTORIES[name]
    inspection = checkpoints.inspect_checkpoint(lay(tmp_path, files, **more))
    spec = inspection.checkpoint.tokenizer
    ids = {piece: i for i, piece in vocabulary.read_pieces(spec).items()}
    tokenizer = tokenizers.build_tokenizer(spec)
    found = results(table)
    assert len(found) >= least
    for result in found:
        tokens = [token.replace(" ", "\u2581") for token in result["tokens"]]
        text = tokenizer.decode([ids[token] for token in tokens])
        assert text.strip() == result["text"].strip()


def test_published_times_are_whole_frames(tmp_path):
    files, more, _, _ = DIRECTORIES["sensevoice"]
    converted = checkpoints.convert_checkpoint(lay(tmp_path, files, **more))
    times = [
        time
        for result in results("sensevoice")
        if result["family"] == "sensevoice"
        for time in result.get("timestamps") or []
    ]
    frames = [time / converted.seconds_per_frame for time in times]
    assert len(frames) > 100
    assert max(abs(frame - round(frame)) for frame in frames) < 0.01


@pytest.mark.parametrize("family", ["en", "v2", "v3"])
def test_vocab_and_merges_become_the_published_file(tmp_path, family):
    published = json.loads(read(f"whisper/whisper_{family}.tokenizer.json.xz"))
    tokens = {str(token["id"]): token for token in published["added_tokens"]}
    files = {
        "vocab.json": published["model"]["vocab"],
        "merges.txt": "\n".join(["#version: 0.2", *published["model"]["merges"]]),
        "tokenizer_config.json": {"added_tokens_decoder": tokens},
    }
    converted = checkpoints.convert_checkpoint(layouts.lay(tmp_path, files))
    made = json.loads(pathlib.Path(converted.tokenizer.file("tokenizer")).read_text())
    assert made == published


def test_openai_s_ranks_become_the_published_file(tmp_path):
    published = json.loads(read(f"whisper/{_BASE}.tokenizer.json.xz"))
    ranks = whisper_assets.ranks_path("multilingual").read_bytes()
    files = {"multilingual.tiktoken": ranks, "config.json": {"vocab_size": 51865}}
    converted = checkpoints.convert_checkpoint(layouts.lay(tmp_path, files))
    made = json.loads(pathlib.Path(converted.tokenizer.file("tokenizer")).read_text())
    assert made == published


def test_published_byte_letters_are_told_from_text():
    found = json.loads(read("decoded_tokens/sherpa_docs_results.json"))
    letters = [r for r in found if r["family"] == "icefall_bbpe"]
    assert letters
    for result in letters:
        assert byte_guess.guess(dict(enumerate(result["tokens"])), ()) == "bbpe"
    others = [r for r in found if r["family"] != "icefall_bbpe" and r["tokens"]]
    for result in others:
        assert byte_guess.guess(dict(enumerate(result["tokens"])), ()) == "none"
