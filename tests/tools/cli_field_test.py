"""The command line on published checkpoints and recorded scores."""

import json
import os
import pathlib
import shutil

import numpy as np
import pytest
import webvtt

from tests.tools import command_line
from tests.tools.command_line import run_here


@pytest.fixture
def data():
    folder = os.environ.get("OASR_FIELD_DATA")
    if not folder:
        pytest.skip("OASR_FIELD_DATA names no folder of published files.")
    return pathlib.Path(folder)


def copy(folder, **files):
    """Copies published files to a folder under other names; returns it."""
    folder.mkdir(parents=True)
    for name, path in files.items():
        shutil.copy(path, folder / name.replace("__", "."))
    return folder


def best_path(scores, pieces):
    """The labels of the best path, by the definition of CTC with blank 0."""
    labels = scores.argmax(axis=-1).tolist()
    kept = [a for a, b in zip(labels, [None, *labels], strict=False) if a != b]
    return "".join(pieces[label] for label in kept if label)


def test_recorded_posteriors_of_a_reader_of_chinese(data, tmp_path, capfd):
    units = data / "ctc_ocr" / "ppocrv4_units.txt"
    folder = copy(tmp_path / "模型 1", units__txt=units)
    recording = data / "ctc_ocr" / "ppocrv4_posteriors_fp16.npz"
    rows = [line.rsplit(" ", 1) for line in units.read_text("utf-8").splitlines()]
    pieces = {int(row[-1]): row[0] if len(row) == 2 else " " for row in rows}
    arguments = ("--checkpoint", folder, "--scores", "probs", recording)
    code, out, _ = run_here(capfd, "decode", *arguments)
    assert code == 0
    arrays = np.load(recording)
    expected = [best_path(arrays[name], pieces) for name in arrays.files]
    assert len(expected) == 4
    assert out.splitlines() == [
        text.replace("\u2581", " ").strip() for text in expected
    ]


def test_recorded_logits_of_speech_become_subtitles(data, tmp_path, capfd):
    letters = ["\u2581", *"abcdefghijklmnopqrstuvwxyz", "'"]
    units = "".join(f"{letter} {k}\n" for k, letter in enumerate(letters))
    (tmp_path / "units.txt").write_text(units, "utf-8")
    spec = {"kind": "symbol_table", "files": {"table": "units.txt"}}
    spec["options"] = {"special_ids": []}
    (tmp_path / "spec.json").write_text(json.dumps(spec))
    scores = data / "ctc_emissions" / "pyctcdecode_libri_logits.json"
    arguments = ["--spec", tmp_path / "spec.json", "--blank_id", 28, scores]
    arguments += ["--scores", "logits", "--seconds_per_frame", 0.02]
    code, vtt, _ = run_here(capfd, "decode", *arguments, "--format", "vtt")
    assert code == 0
    cues = list(webvtt.from_string(vtt))
    assert [cue.text.split("\n") for cue in cues] == [
        [
            "i have a good deal of will you remember",
            "and what i have set my mind upon no doubt",
        ],
        ["i shall some day achieve"],
    ]
    text = " ".join(" ".join(cue.text.split("\n")) for cue in cues)
    assert run_here(capfd, "decode", *arguments)[1] == f"{text}\n"


def test_published_tokens_become_the_published_text(data, tmp_path, capfd):
    source = data / "sensevoice"
    folder = copy(
        tmp_path / "sense voice",
        tokens__txt=source / "tokens.txt",
        config__yaml=source / "config.yaml",
    )
    pieces = (source / "tokens.txt").read_text("utf-8").splitlines()
    ids = {piece.split("\t")[0].split(" ")[0]: k for k, piece in enumerate(pieces)}
    results = json.loads((data / "decoded_tokens/sherpa_docs_results.json").read_text())
    found = [r for r in results if "sensevoice" in r["tables"] and r["joins"]]
    rows = [[ids[t.replace(" ", "\u2581")] for t in r["tokens"]] for r in found]
    assert len(rows) > 100
    (tmp_path / "ids").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    asked = ("detokenize", "--checkpoint", folder, tmp_path / "ids")
    whole = run_here(capfd, *asked)
    assert whole == run_here(capfd, *asked, "--stream")
    code, out, _ = whole
    assert code == 0
    texts = [line.strip() for line in out.removesuffix("\n").split("\n")]
    assert texts == [r["text"].strip() for r in found]


def test_what_is_encoded_comes_back(data, tmp_path, capfd):
    source = data / "icefall"
    folder = copy(
        tmp_path / "ice fall",
        tokens__txt=source / "librispeech_bpe500.tokens.txt",
        bpe__model=source / "librispeech_bpe500.bpe.model",
    )
    converted = tmp_path / "新"
    assert run_here(capfd, "convert", folder, "--output", converted)[0] == 0
    text = "I HAVE A GOOD DEAL OF WILL\nYOU REMEMBER\n"
    (tmp_path / "text").write_text(text)
    asked = ("--checkpoint", converted)
    code, ids, _ = run_here(capfd, "encode", *asked, tmp_path / "text")
    assert code == 0
    assert all(command_line.read_jsonl(ids))
    (tmp_path / "ids").write_text(ids)
    assert run_here(capfd, "detokenize", *asked, tmp_path / "ids")[1] == text
