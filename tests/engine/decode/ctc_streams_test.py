"""Tests for ctc_streams: chunks of any size give what the whole utterance gives."""

import itertools
import random

import numpy as np
import pytest

from oasr import engine
from oasr import tokenizers
from oasr.engine import endpointing
from oasr.engine import request
from oasr.engine.decode import ctc
from tests import conftest
from tests.engine import invariants
from tests.engine.decode import ctc_oracles

TABLE = "<blank> 0\n▁hi 1\n▁yo 2\nu 3\n𠀀 4\n▁ 5\n"


def chunks_of(rng, log_probs):
    """Cuts scores at random places; some chunks have no frames."""
    cuts = sorted(rng.randrange(len(log_probs) + 1) for _ in range(rng.randrange(8)))
    edges = [0, *cuts, len(log_probs)]
    return [log_probs[a:b] for a, b in itertools.pairwise(edges)]


@pytest.mark.parametrize("search", ["greedy", "prefix_beam"])
@pytest.mark.parametrize("seed", range(30 * conftest.SCALE))
def test_chunks_give_what_the_whole_gives(seed, search):
    rng = random.Random(seed)
    log_probs = ctc_oracles.random_log_probs(seed, 40, 5, sharp=2.0)
    asked = request.DecodingOptions(n_best=4 if search == "prefix_beam" else 1)
    strategy = ctc.Ctc(blank_id=2, options=ctc.CtcOptions(search=search, beam_size=6))
    (whole,) = strategy.decode([log_probs], [asked])
    stream, stable = strategy.new_stream(asked), ()
    for chunk in chunks_of(rng, log_probs):
        stream.feed(chunk)
        partial = stream.partial()
        assert partial.best.ids[: len(stable)] == stable
        stable = partial.best.ids[: partial.final_ids]
        assert len(stable) == partial.final_ids
    last = stream.finish()
    assert [h.ids for h in last] == [h.ids for h in whole]
    assert [h.frames for h in last] == [h.frames for h in whole]
    assert [h.confidences for h in last] == [h.confidences for h in whole]
    assert [h.score for h in last] == pytest.approx([h.score for h in whole], abs=1e-9)
    assert last[0].ids[: len(stable)] == stable


@pytest.mark.parametrize("search", ["greedy", "prefix_beam"])
def test_a_stream_of_which_nothing_was_heard_is_empty(search):
    strategy = ctc.Ctc(options=ctc.CtcOptions(search=search))
    stream = strategy.new_stream(request.DecodingOptions())
    stream.feed(np.empty((0, 4), np.float32))
    partial = stream.partial()
    assert (partial.best.ids, partial.best.score, partial.final_ids) == ((), 0.0, 0)
    assert [h.ids for h in stream.finish()] == [()]


@pytest.fixture
def make_engine(tmp_path):
    path = tmp_path / "units.txt"
    path.write_text(TABLE, encoding="utf-8")
    spec = tokenizers.TokenizerSpec(
        "symbol_table", {"table": str(path)}, {"special_ids": [0]}
    )

    def make(mode, **options):
        config = engine.EngineConfig(
            mode=mode, tokenizer=spec, seconds_per_frame=0.04, decode_options=options
        )
        return invariants.CheckedEngine(config)

    return make


@pytest.mark.parametrize("n_best", [1, 3])
@pytest.mark.parametrize("seed", range(10 * conftest.SCALE))
def test_a_streamed_request_ends_as_a_whole_one(make_engine, seed, n_best):
    rng = random.Random(seed)
    log_probs = ctc_oracles.random_log_probs(seed, 30, 6, sharp=2.0)
    options = {"n_best": n_best, "word_timestamps": True}
    with make_engine("offline") as offline:
        (whole,) = offline.transcribe([engine.Request("a", log_probs, options)])
    with make_engine("streaming") as streaming:
        streaming.add_request(engine.Request("a", None, options))
        stable = ""
        for chunk in chunks_of(rng, log_probs):
            streaming.feed_chunk("a", chunk)
            (output,) = streaming.step()
            assert output.text.startswith(stable)
            assert output.text.startswith(output.stable_text)
            assert output.stable_text.startswith(stable)
            assert "".join(w.word for w in output.words) == "".join(output.text.split())
            stable = output.stable_text
        streaming.finalize("a")
        (last,) = streaming.step()
    assert last.text.startswith(stable)
    assert (last.text, last.tokens, last.nbest_texts) == (
        whole.text,
        whole.tokens,
        whole.nbest_texts,
    )
    assert (last.words, last.timestamps) == (whole.words, whole.timestamps)
    assert last.scores == pytest.approx(whole.scores, abs=1e-9)


def test_whole_requests_run_in_streaming_mode_too(make_engine):
    log_probs = ctc_oracles.random_log_probs(3, 30, 6, sharp=2.0)
    texts = []
    for mode in ("offline", "streaming"):
        with make_engine(mode) as asr:
            (output,) = asr.transcribe([engine.Request("a", log_probs)])
            texts.append(output.text)
    assert texts[0] == texts[1] != ""


def test_chunks_are_refused_offline(make_engine):
    with make_engine("offline") as asr:
        with pytest.raises(ValueError, match=r"feed_chunk needs .*mode='streaming'"):
            asr.feed_chunk("a", None)
        with pytest.raises(ValueError, match=r"finalize needs .*mode='streaming'"):
            asr.finalize("a")


class Counted(np.ndarray):
    """Scores that count the frames whose best label is asked for."""

    asked = 0

    def argmax(self, *args, **kwargs):
        Counted.asked += len(self)
        return np.asarray(self).argmax(*args, **kwargs)


@pytest.mark.parametrize("n_best", [1, 2])
def test_what_is_behind_an_endpoint_is_not_looked_at_for_each(n_best, monkeypatch):
    frames, labels = 4000, [1, 0, 0, 2, 0]
    log_probs = np.full((frames, 3), -6.0, np.float32)
    log_probs[np.arange(frames), np.resize(labels, frames)] = np.log1p(-2 * np.exp(-6))
    rules = endpointing.Endpointing(pause_seconds=0.04).rules(0.04)
    strategy, ends = ctc.Ctc(), []
    monkeypatch.setattr(Counted, "asked", 0)
    rest = log_probs.view(Counted)
    is_over = True
    while is_over:
        stream = strategy.new_stream(request.DecodingOptions(n_best=n_best))
        is_over, taken = stream.feed_until(rest, rules)
        ends.append(frames - len(rest) + taken)
        rest = rest[taken:]
    blanks = np.flatnonzero(np.resize(labels, frames) == 0) + 1
    silent = blanks[np.resize([True, False, True], len(blanks))]  # One after a token.
    assert ends == [*silent.tolist(), frames]
    assert Counted.asked < 100 * len(ends)
