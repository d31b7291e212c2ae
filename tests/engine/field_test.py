"""Real scores decode to their known texts.

Runs where OASR_FIELD_DATA names a folder with the recordings.
"""

import itertools
import json
import os
import pathlib

import numpy as np
import pytest

from oasr import engine
from oasr import tokenizers
from oasr.models import recorded
from tests.engine import invariants

SPEECH = (
    "i have a good deal of will you remember and what i have set my mind upon no doubt"
    " i shall some day achieve"
)


def data(name):
    folder = os.environ.get("OASR_FIELD_DATA")
    if not folder:
        pytest.skip("OASR_FIELD_DATA names no folder with field data")
    path = pathlib.Path(folder, name)
    if not path.exists():
        pytest.skip(f"the field data has no {name}")
    return path


def best_path(scores, blank_id):
    """Returns the labels of the best path, merged."""
    path = [max(range(len(row)), key=row.__getitem__) for row in scores]
    return [label for label, _ in itertools.groupby(path) if label != blank_id]


def check_words(output, duration):
    text = "".join(output.text.split())
    assert "".join(word.word for word in output.words) == text
    times = [(word.start, word.end) for word in output.words]
    assert all(0 <= start <= end <= duration for start, end in times)
    assert times == sorted(times)
    assert all(0 <= word.confidence <= 1 for word in output.words)


@pytest.mark.parametrize("search", ["greedy", "prefix_beam"])
def test_chinese_lines_read_by_an_ocr_model(search):
    path = data("ctc_ocr/ppocrv4_posteriors_fp16.npz")
    known = json.loads(data("ctc_ocr/ppocrv4_top20.json").read_text(encoding="utf-8"))
    spec = tokenizers.TokenizerSpec(
        "symbol_table",
        {"table": str(data("ctc_ocr/ppocrv4_units.txt"))},
        {"special_ids": [0]},
    )
    config = engine.EngineConfig(
        tokenizer=spec,
        scores="probs",
        seconds_per_frame=0.04,
        decode_options={"search": search},
    )
    requests = [
        engine.Request(name, name, {"word_timestamps": True})
        for name in recorded.list_recordings(path)
    ]
    with invariants.CheckedEngine(config) as asr:
        outputs = asr.transcribe(requests)
    texts = [line["greedy"].strip() for line in known]
    assert [output.text for output in outputs] == texts
    for output, line in zip(outputs, known, strict=True):
        check_words(output, line["frames"] * 0.04)
        scores = recorded.read_recording(output.request_id).astype(np.float64)
        assert output.tokens[0] == best_path(scores.tolist(), 0)


@pytest.mark.parametrize("n_best", [1, 5])
def test_english_speech_as_rounded_scores(n_best, tmp_path):
    path = data("ctc_emissions/pyctcdecode_libri_logits.json")
    table = tmp_path / "letters.txt"
    letters = ["\u2581", *"abcdefghijklmnopqrstuvwxyz'"]
    table.write_text("".join(f"{c} {i}\n" for i, c in enumerate(letters)))
    config = engine.EngineConfig(
        tokenizer=tokenizers.TokenizerSpec(
            "symbol_table", {"table": str(table)}, {"special_ids": []}
        ),
        scores="logits",
        blank_id=28,
        seconds_per_frame=0.02,
    )
    asked = {"n_best": n_best, "word_timestamps": True}
    with invariants.CheckedEngine(config) as asr:
        (output,) = asr.transcribe([engine.Request("libri", path, asked)])
    assert output.text == SPEECH
    assert len(output.tokens) == n_best
    assert [word.word for word in output.words] == SPEECH.split()
    check_words(output, len(recorded.read_recording(path)) * 0.02)


@pytest.mark.parametrize("search", ["greedy", "prefix_beam"])
@pytest.mark.parametrize("frames", [1, 7, 40])
def test_chinese_lines_in_chunks_of_frames(search, frames):
    path = data("ctc_ocr/ppocrv4_posteriors_fp16.npz")
    known = json.loads(data("ctc_ocr/ppocrv4_top20.json").read_text(encoding="utf-8"))
    spec = tokenizers.TokenizerSpec(
        "symbol_table",
        {"table": str(data("ctc_ocr/ppocrv4_units.txt"))},
        {"special_ids": [0]},
    )
    config = engine.EngineConfig(
        mode="streaming",
        tokenizer=spec,
        scores="probs",
        seconds_per_frame=0.04,
        decode_options={"search": search},
    )
    names = recorded.list_recordings(path)
    texts = []
    with invariants.CheckedEngine(config) as asr:
        for name in names:
            scores, stable = recorded.read_recording(name), ""
            asr.add_request(engine.Request(name, None, {"word_timestamps": True}))
            for first in range(0, len(scores), frames):
                asr.feed_chunk(name, scores[first : first + frames])
                (partial,) = asr.step()
                assert partial.text.startswith(stable)
                stable = partial.stable_text
            asr.finalize(name)
            (last,) = asr.step()
            assert last.text.startswith(stable)
            check_words(last, len(scores) * 0.04)
            texts.append(last.text)
    assert texts == [line["greedy"].strip() for line in known]
