"""Tests for endpointing: Kaldi's rules, and utterances that end by them in a stream.

Where an utterance ends is held against the rules as they are written down, asked behind
each frame; what it says, against the same frames decoded alone.
"""

import decimal
import itertools
import random
import re

import numpy as np
import pytest

from oasr import engine
from oasr.engine import endpointing
from tests import conftest
from tests.engine import families
from tests.engine import models

RULES = {"silence_seconds": 0.4, "pause_seconds": 0.24, "utterance_seconds": 1.2}
CLOCK = families.SECONDS_PER_FRAME


def ends(frames, blanks, is_said, *, rules=RULES, clock=CLOCK):
    """Returns whether an utterance ends, in decimal fractions of a second."""

    def lasts(count, name):
        seconds = rules.get(name)
        if seconds is None:
            return False
        return count * decimal.Decimal(str(clock)) >= decimal.Decimal(str(seconds))

    return (
        (not is_said and lasts(blanks, "silence_seconds"))
        or (is_said and lasts(blanks, "pause_seconds"))
        or lasts(frames, "utterance_seconds")
    )


def utterances(heard, count):
    """Returns (first, behind the last, whether it ended) of the utterances of a stream.

    Args:
      heard: gives the blank frames at the end of frames [first, stop), and whether
        something was said in them.
      count: how many frames there are.
    """
    found, first = [], 0
    for stop in range(1, count + 1):
        if ends(stop - first, *heard(first, stop)):
            found.append((first, stop, True))
            first = stop
    return [*found, (first, count, False)]


def sparse(seed, frames=150):
    """Returns `[T, V]` scores with pauses of all lengths."""
    rng = np.random.default_rng(seed)
    logits = rng.normal(size=(frames, 5))
    is_pause = np.repeat(rng.random(frames) < 0.5, rng.integers(1, 14, size=frames))
    logits[is_pause[:frames], 0] += 6
    return models.log_softmax(2 * logits)


def chunks_of(rng, frames):
    cuts = sorted(rng.randrange(len(frames) + 1) for _ in range(rng.randrange(12)))
    return [frames[a:b] for a, b in itertools.pairwise([0, *cuts, len(frames)])]


def listen(asr, chunks, options):
    """Returns the outputs of utterances that ended, and the last output."""
    asr.add_request(engine.Request("a", None, options))
    outputs = []
    for chunk in chunks:
        asr.feed_chunk("a", chunk)
        outputs += asr.step()
    asr.finalize("a")
    outputs += asr.step()
    assert not asr.has_unfinished_requests()
    return [output for output in outputs if output.finish_reason is not None]


def check(outputs, found, expected):
    """Holds outputs against the utterances decoded alone."""
    assert len(outputs) == len(found)
    for output, (first, stop, is_over), alone in zip(
        outputs, found, expected, strict=True
    ):
        assert output.finish_reason == ("endpoint" if is_over else "stop")
        assert output.finished == (not is_over)
        assert (output.text, output.tokens) == (alone.text, alone.tokens)
        assert output.nbest_texts == alone.nbest_texts
        assert output.scores == pytest.approx(alone.scores)
        assert output.duration == pytest.approx(stop * CLOCK)
        later = first * CLOCK
        assert spans(output.timestamps) == pytest.approx(spans(alone.timestamps, later))
        for words, own in zip(
            output.nbest_words or [output.words],
            alone.nbest_words or [alone.words],
            strict=True,
        ):
            assert [word.word for word in words] == [word.word for word in own]
            assert times(words) == pytest.approx(times(own, later))


def spans(pairs, later=0.0):
    return [time + later for pair in pairs for time in pair]


def times(words, later=0.0):
    return spans([(word.start, word.end) for word in words], later)


def alone(family, parts, options, **fields):
    with families.build(family, **fields) as asr:
        requests = [
            engine.Request(str(place), part, options)
            for place, part in enumerate(parts)
        ]
        return asr.transcribe(requests)


@pytest.mark.parametrize("n_best", [1, 3])
@pytest.mark.parametrize("seed", range(12 * conftest.SCALE))
def test_ctc_utterances_end_by_the_rules(seed, n_best):
    frames = sparse(seed)
    is_blank = frames.argmax(axis=1) == 0

    def heard(first, stop):
        own = is_blank[first:stop].tolist()
        blanks = sum(1 for _ in itertools.takewhile(bool, reversed(own)))
        return blanks, not all(own)

    found = utterances(heard, len(frames))
    assert len(found) > 3
    options = {"n_best": n_best, "word_timestamps": True}
    expected = alone("ctc", [frames[a:b] for a, b, _ in found], options)
    rng = random.Random(seed)
    every = [frames[k : k + 1] for k in range(len(frames))]
    for chunks in (every, [frames], chunks_of(rng, frames), chunks_of(rng, frames)):
        with families.build("ctc", "streaming", endpointing=RULES) as asr:
            check(listen(asr, chunks, options), found, expected)


@pytest.mark.parametrize("n_best", [1, 3])
@pytest.mark.parametrize("kind", [models.Stateless, models.Recurrent])
@pytest.mark.parametrize("seed", range(3 * conftest.SCALE))
def test_transducer_utterances_end_by_the_rules(seed, kind, n_best):
    frames = models.audio(seed, 80)
    fields = {"decode_options": {"max_symbols_per_frame": 2}}
    options = {"n_best": n_best, "word_timestamps": True}

    def build(mode, **more):
        model = kind(seed, labels=5, blank_bias=2.5)
        return families.build("transducer", mode, model=model, **fields, **more)

    with build("offline") as asr:

        def heard(first, stop):
            [output] = asr.transcribe(
                [engine.Request("a", frames[first:stop], options)]
            )
            if not output.tokens[0]:
                return stop - first, False
            last = round(output.timestamps[-1][1] / CLOCK)
            return stop - first - last, True

        found = utterances(heard, len(frames))
        parts = [frames[a:b] for a, b, _ in found]
        requests = [
            engine.Request(str(k), part, options) for k, part in enumerate(parts)
        ]
        expected = asr.transcribe(requests)
    assert len(found) > 1
    every = [frames[k : k + 1] for k in range(len(frames))]
    for chunks in (every, [frames], chunks_of(random.Random(seed), frames)):
        with build("streaming", endpointing=RULES) as asr:
            check(listen(asr, chunks, options), found, expected)


def path(*labels):
    """Returns probabilities in which each label in turn is the likely one."""
    found = np.full((len(labels), 6), 0.01)
    found[np.arange(len(labels)), labels] = 0.95
    return found


def build(**rules):
    return families.build("ctc", "streaming", scores="probs", endpointing=rules)


def test_each_rule_ends_an_utterance_where_it_says():
    said, blanks = path(3, 4), path(*[0] * 200)
    with build() as asr:  # 2.4 s, 1.2 s and 20 s of 0.04 s a frame.
        outputs = listen(asr, [said, blanks], {})
    assert [output.duration for output in outputs] == pytest.approx(
        [32 * CLOCK, 92 * CLOCK, 152 * CLOCK, 202 * CLOCK]
    )
    assert [output.text for output in outputs] == ["3 4", "", "", ""]
    with build() as asr:
        outputs = listen(asr, [path(*[3, 4] * 300)], {})
    assert [output.duration for output in outputs] == pytest.approx([20, 24])


def test_a_rule_that_is_left_out_ends_nothing():
    frames = np.concatenate([path(3), path(*[0] * 700)])
    with build(silence_seconds=None, pause_seconds=None, utterance_seconds=None) as asr:
        assert len(listen(asr, [frames], {})) == 1
    with build(silence_seconds=None, pause_seconds=2.0, utterance_seconds=None) as asr:
        outputs = listen(asr, [frames], {})
    assert [output.duration for output in outputs] == pytest.approx([2.04, 28.04])


def test_the_session_goes_on_in_the_time_of_the_stream():
    with build(pause_seconds=0.12) as asr:
        asr.add_request(
            engine.Request("a", path(3, 0, 0, 0), {"word_timestamps": True})
        )
        [first] = asr.step()
        assert (first.finish_reason, first.finished) == ("endpoint", False)
        assert first.text == first.stable_text == "3"
        asr.feed_chunk("a", path(4))
        [partial] = asr.step()
        assert (partial.text, partial.finish_reason) == ("4", None)
        assert [(word.start, word.end) for word in partial.words] == [(0.16, 0.2)]
        assert partial.timestamps == [(0.16, 0.2)]
        asr.finalize("a")
        [last] = asr.step()
        assert (last.text, last.finish_reason) == ("4", "stop")


def test_several_utterances_may_end_in_one_chunk():
    frames = np.concatenate([path(3, 0, 0, 0), path(4, 0, 0, 0), path(5)])
    with build(pause_seconds=0.12) as asr:
        asr.add_request(engine.Request("a", frames))
        outputs = asr.step()
    assert [(output.text, output.finish_reason) for output in outputs] == [
        ("3", "endpoint"),
        ("4", "endpoint"),
        ("5", None),
    ]


def test_a_failure_comes_behind_the_utterances_before_it():
    with build(pause_seconds=0.12) as asr:
        asr.add_request(engine.Request("a", path(3, 0, 0, 0)))
        asr.feed_chunk("a", path(4) * 2)
        over, failed = asr.step()
        assert (over.text, over.finish_reason) == ("3", "endpoint")
        assert failed.error.startswith("scores: Row 0 ")
        assert not asr.has_unfinished_requests()


def test_whole_utterances_are_looked_at_for_no_endpoint():
    frames = np.concatenate([path(3, 0, 0, 0), path(4)])
    with build(pause_seconds=0.12) as asr:
        [output] = asr.transcribe([engine.Request("a", frames)])
    assert (output.text, output.finish_reason) == ("3 4", "stop")


def test_frames_are_as_many_as_the_seconds_that_were_written():
    rules = endpointing.Endpointing(
        silence_seconds=2.4, pause_seconds=0.01, utterance_seconds=1.25
    ).rules(0.04)
    assert (rules.silence, rules.pause, rules.utterance) == (60, 1, 32)
    rules = endpointing.Endpointing(silence_seconds=0.3).rules(0.1)
    assert rules.silence == 3  # And 0.3 / 0.1 is less.


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({"endpointing": {"pause": 1}}, "Endpointing field 'pause' is unknown; valid"),
        (
            {"endpointing": {"pause_seconds": 0}},
            "Endpointing.pause_seconds must be a finite number above 0, got 0.",
        ),
        ({"endpointing": 3}, "EngineConfig.endpointing must be an Endpointing or a"),
        ({"mode": "offline"}, "EngineConfig.endpointing needs mode='streaming' and"),
        ({"seconds_per_frame": None}, "needs mode='streaming' and seconds_per_frame"),
    ],
)
def test_what_cannot_be_is_refused(fields, error):
    given = {"mode": "streaming", "seconds_per_frame": 0.04, "endpointing": {}}
    with pytest.raises(ValueError, match=re.escape(error)):
        engine.EngineConfig(**given | fields)


def test_a_family_that_knows_no_blank_frames_is_refused():
    with pytest.raises(ValueError, match="'ctc_aed_rescoring' does not know which"):
        families.build("ctc_aed_rescoring", "streaming", endpointing={})
