"""Directories of checkpoints: refused, or what is said of them can be saved."""

import functools
import json
import os
import pathlib
import shutil

from oasr import checkpoints
from oasr import tokenizers
from tests.checkpoints import layouts
from tests.fuzz import choices
from tests.fuzz import files
from tests.fuzz import mutations
from tests.fuzz import target

_DIRECTORIES = [
    ("units.txt", {"train.yaml": layouts.TRAIN_YAML}),
    ("train.yaml", {"units.txt": layouts.WENET}),
    ("config.yaml", {"tokens.json": layouts.PARAFORMER}),
    ("tokens.json", {"config.yaml": "model: Paraformer\n"}),
    ("model_config.yaml", {"tokens.txt": "<unk> 0\n▁he 1\n<blk> 2\n"}),
    ("config.json", {"tokens.txt": layouts.ICEFALL}),
]


def _checkpoint(data: bytes) -> None:
    """Puts the bytes behind the first in the place of one file of a directory."""
    chosen = choices.Choices(data)
    name, others = chosen.one_of(_DIRECTORIES)
    folder = _fresh("checkpoint")
    layouts.lay(folder, {**others, name: chosen.rest()})
    found = checkpoints.inspect_checkpoint(folder)
    json.dumps(found.to_dict(), allow_nan=False)
    saved = found.checkpoint.save(_fresh("saved"))
    assert checkpoints.ConvertedCheckpoint.load(files.folder() / "saved") == saved


def _manifest(data: bytes) -> None:
    """Puts the bytes in the place of an `oasr.json`."""
    folder = _saved()
    (folder / "oasr.json").write_bytes(data)
    found = checkpoints.ConvertedCheckpoint.load(folder)
    for path in found.tokenizer.files.values():
        real = os.path.realpath(path)
        assert pathlib.Path(real).is_relative_to(os.path.realpath(folder)), path
    checkpoints.inspect_checkpoint(folder)


def _spec(data: bytes) -> None:
    """Reads a specification, as `--spec` and configurations hold one."""
    fields = json.loads(data)
    spec = tokenizers.TokenizerSpec.from_dict(fields)
    json.loads(json.dumps(spec.to_dict()))
    tokenizers.build_tokenizer(spec).decode([3, 4])


def _fresh(name: str) -> pathlib.Path:
    folder = files.folder() / name
    shutil.rmtree(folder, ignore_errors=True)
    return folder


@functools.cache
def _saved() -> pathlib.Path:
    folder = layouts.lay(_fresh("manifest"), {"tokens.txt": layouts.ICEFALL})
    checkpoints.convert_checkpoint(folder).save(folder)
    (folder / "bpe.model").write_bytes(b"no model")
    (folder.parent / "outside.txt").write_text(layouts.ICEFALL)
    return folder


def _manifests() -> list[bytes]:
    return [(_saved() / "oasr.json").read_bytes()]


def _checkpoints() -> list[bytes]:
    contents = [
        layouts.WENET,
        layouts.TRAIN_YAML,
        "model: Paraformer\nmodel_conf: {predictor_weight: 1.0}\n",
        json.dumps(layouts.PARAFORMER),
        "preprocessor: {window_stride: 0.01}\nencoder: {subsampling_factor: 4}\n",
        json.dumps({"model_type": "whisper", "vocab_size": 9}),
    ]
    seeds = [bytes([n]) + content.encode() for n, content in enumerate(contents)]
    return [*seeds, b"\2" + layouts.SENSEVOICE_YAML.encode()]


def _specs() -> list[bytes]:
    table = files.put("table/tokens.txt", layouts.ICEFALL.encode())
    tokens = files.put("table/tokens.json", json.dumps(layouts.PARAFORMER).encode())
    specs = [
        {"kind": "symbol_table", "files": {"table": table}, "options": {}},
        {
            "kind": "funasr_char",
            "files": {"tokens": tokens},
            "options": {"special_ids": [0, 1, 2], "unk_symbol": "<unk>"},
        },
    ]
    return [json.dumps(spec).encode() for spec in specs]


CHECKPOINT = target.Target(
    run=_checkpoint, seeds=_checkpoints, mutate=mutations.of_lines, short=500
)
MANIFEST = target.Target(
    run=_manifest, seeds=_manifests, mutate=mutations.of_json, short=1500
)
SPEC = target.Target(
    run=_spec,
    seeds=_specs,
    # What a caller gives is a ValueError; a kind that is none has a class of its own.
    refusals=(ValueError, TypeError, RecursionError, tokenizers.UnknownKindError),
    mutate=mutations.of_json,
    short=2000,
)
