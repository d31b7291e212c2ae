"""What Whisper really wrote: its timestamps keep the rules, its words have times.

Runs where OASR_FIELD_DATA names a folder with the recordings.
"""

import itertools
import json
import lzma
import math
import os
import pathlib

import numpy as np
import pytest

from oasr import engine
from oasr import tokenizers
from oasr.engine.decode import segments
from oasr.engine.decode import timestamp_rules
from oasr.models import searching

FIRST, END, LABELS = 50363, 50256, 51864  # Of the English-only models.


@pytest.fixture(scope="module")
def folder():
    if not os.environ.get("OASR_FIELD_DATA"):
        pytest.skip("OASR_FIELD_DATA names no folder with field data")
    return pathlib.Path(os.environ["OASR_FIELD_DATA"])


@pytest.fixture(scope="module")
def spec(folder, tmp_path_factory):
    path = tmp_path_factory.mktemp("whisper") / "tokenizer.json"
    published = folder / "whisper" / "whisper_en.tokenizer.json.xz"
    path.write_bytes(lzma.decompress(published.read_bytes()))
    return tokenizers.TokenizerSpec("whisper", {"tokenizer": path})


@pytest.fixture(scope="module")
def recordings(folder):
    path = folder / "whisper_outputs" / "tiny_en_outputs.json"
    return json.loads(path.read_text(encoding="utf-8"))


def test_every_token_was_allowed(recordings):
    rules = timestamp_rules.TimestampRules(END, FIRST, 1.0)
    steps = 0
    for recording in recordings:
        for ids in (found["ids"] for found in recording["with_timestamps"]):
            for place, token_id in enumerate([*ids, END]):
                # The token itself is certain; so times are forced where it is one.
                log_probs = np.full((1, LABELS), -50.0, np.float32)
                log_probs[0, token_id] = 0
                allowed = rules([ids[:place]], log_probs)
                assert np.isfinite(allowed[0, token_id]), (ids, place)
                steps += 1
    assert steps > 300


def test_segments_have_the_text_between_the_timestamps(recordings):
    for recording in recordings:
        for ids in (found["ids"] for found in recording["with_timestamps"]):
            found = segments.cut(
                ids, FIRST, frames_per_timestamp=1, frame_count=math.inf
            )
            text = [t for one in found for t in ids[one.first : one.stop]]
            assert text == [token_id for token_id in ids if token_id < FIRST]
            times = [time for one in found for time in (one.start, one.end)]
            assert times == sorted(times)
            # Whisper hears windows of 30 s, and may end a little behind the audio.
            assert times[-1] * 0.02 <= recording["seconds"] + 0.5


def spans_of(recording):
    """Returns where each token begins and ends, by the recorded path."""
    path = recording["alignment_token_frame20ms"]
    frames = {}
    for token, frame in path:
        frames.setdefault(token, frame)
    begins = [frames[token] for token in sorted(frames)]
    return list(itertools.pairwise(begins))


class Replay:
    """Hands back what the runtime found."""

    def search(self, inputs, asked):
        assert all(one.prompt[-1] == FIRST - 1 for one in asked)
        return [
            [
                searching.Found(
                    ids=recording["text_ids"],
                    score=sum(recording["token_logprob"]),
                    confidences=np.exp(recording["token_logprob"]).tolist(),
                    spans=spans_of(recording),
                )
            ]
            for recording in inputs
        ]


def test_what_a_runtime_found_is_text_and_timed_words(spec, recordings):
    config = engine.EngineConfig(family="aed", tokenizer=spec, seconds_per_frame=0.02)
    with engine.ASREngine(config, Replay()) as built:
        outputs = built.transcribe(
            engine.Request(recording["audio"], recording, {"word_timestamps": True})
            for recording in recordings
        )
    for recording, output in zip(recordings, outputs, strict=True):
        assert output.error is None
        assert output.text == recording["text"].strip()
        assert [word.word for word in output.words] == output.text.split()
        edges = [edge for word in output.words for edge in (word.start, word.end)]
        assert edges == sorted(edges)
        assert 0 <= edges[0] < edges[-1] <= recording["seconds"]
