"""Directories with random damage: what is said is an error of the file, or true."""

import json
import random
import shutil

import pytest

from oasr import checkpoints
from oasr import tokenizers
from tests import conftest
from tests.checkpoints import layouts
from tests.tokenizers import sentencepiece_models

_WHISPER = ["<|endoftext|>", "<|startoftranscript|>", "<|en|>", "<|startofprev|>"]
_WHISPER += ["<|nospeech|>", "<|notimestamps|>"]
_TOKENS = "".join(f"- '{token}'\n" for token in layouts.PARAFORMER)
DIRECTORIES = {
    "icefall": {"tokens.txt": layouts.ICEFALL},
    "wenet": {"units.txt": layouts.WENET, "train.yaml": layouts.TRAIN_YAML},
    "nemo": {
        "tokens.txt": "<unk> 0\n▁he 1\nllo 2\n<blk> 3\n",
        "model_config.yaml": "preprocessor: {window_stride: 0.01}\n",
    },
    "paraformer": {"config.yaml": f"model: Paraformer\ntoken_list:\n{_TOKENS}"},
    "paraformer list": {"tokens.json": layouts.PARAFORMER},
    "whisper": {
        "vocab.json": {"h": 0, "i": 1, "hi": 2},
        "merges.txt": "#version: 0.2\nh i\n",
        "added_tokens.json": {name: 3 + n for n, name in enumerate(_WHISPER)},
        "config.json": {"model_type": "whisper"},
        "generation_config.json": {"eos_token_id": 3, "suppress_tokens": [1]},
    },
}
# What is put in: other types, numbers out of range, bytes that are no text, names.
PARTS = [b"null", b"-1", b"1e999", b"NaN", b"[]", b"{}", b'""', b"9" * 20, b"true"]
PARTS += [b"\xff", b"\0", b"\n", b" ", b"\t", b"<blk>", b"<unk>", b"@@", b": ", b"- "]
PARTS += [b"&a ", b"*a", b"!!int ", b'"\\ud800"', b"0.5"]


def model_directory():
    """Returns icefall's files with the SentencePiece model of the table."""
    model = sentencepiece_models.model("icefall")
    reference = sentencepiece_models.reference(model)
    size = reference.get_piece_size()
    lines = [f"{reference.id_to_piece(i)} {i}\n" for i in range(size)]
    return {"tokens.txt": "".join(lines), "bpe.model": model}


def damaged(content, rng):
    """Returns `content` with one change."""
    start = rng.randrange(len(content) + 1)
    end = min(len(content), start + rng.randint(0, 12))
    before, middle, after = content[:start], content[start:end], content[end:]
    part = rng.choice(PARTS)
    return rng.choice(
        [
            before + after,
            before,
            before + part + middle + after,
            before + part + after,
            before + middle * 3 + after,
            before + bytes([rng.randrange(256)]) + after,
        ]
    )


@pytest.mark.parametrize("saved", [False, True], ids=["published", "saved"])
@pytest.mark.parametrize("name", [*DIRECTORIES, "model"])
def test_damage_is_refused_or_harmless(tmp_path, name, saved):
    files = model_directory() if name == "model" else DIRECTORIES[name]
    whole = layouts.lay(tmp_path / "whole", files)
    converted = checkpoints.convert_checkpoint(whole)
    if saved:
        converted.save(whole)
    refused = 0
    for seed in range(60 * conftest.SCALE):
        rng, folder = random.Random(seed), tmp_path / f"{seed}"
        shutil.copytree(whole, folder)
        paths = sorted(path for path in folder.iterdir())
        for path in rng.choices(paths, k=rng.randint(1, 3)):
            path.write_bytes(damaged(path.read_bytes(), rng))
        try:
            found = checkpoints.inspect_checkpoint(folder)
        except tokenizers.AssetError:
            refused += 1
            continue
        json.dumps(found.to_dict(), allow_nan=False)
        again = found.checkpoint.save(tmp_path / f"{seed} saved")
        assert checkpoints.ConvertedCheckpoint.load(tmp_path / f"{seed} saved") == again
        tokenizers.build_tokenizer(again.tokenizer).decode(list(range(-1, 20)))
    assert refused  # The damage was some.
