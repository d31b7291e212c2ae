"""Tests for alignment: which frames a token owns, and the words cut from them."""

import fractions
import random

import numpy as np
import pytest

from oasr import tokenizers
from oasr.engine import request
from oasr.engine.decode import alignment
from oasr.engine.decode import detokenize
from tests import conftest

CLOCK = alignment.FrameClock(0.04)


def owned(frames, max_frames):
    """Returns the (start, end) of each token, in exact arithmetic.

    A frame belongs to the token when it is behind the previous emission and not
    behind the token's own; of these the last `max_frames`, and its own in any case.
    """
    spans = []
    for k, own in enumerate(frames):
        behind = [f for f in range(own + 1) if k and f > frames[k - 1]] or [own]
        length = min(fractions.Fraction(len(behind)), max(max_frames, 1))
        spans.append((own + 1 - length, own + 1))
    return spans


def spans_of(found):
    return list(zip(found.starts.tolist(), found.ends.tolist(), strict=True))


@pytest.mark.parametrize(
    ("frames", "max_frames", "expected"),
    [
        ([], 12.5, []),
        ([7], 12.5, [(7, 8)]),
        ([0, 1], 12.5, [(0, 1), (1, 2)]),
        ([3, 5, 9], 12.5, [(3, 4), (4, 6), (6, 10)]),
        ([3, 40], 12.5, [(3, 4), (28.5, 41)]),
        ([3, 6, 6, 6], 12.5, [(3, 4), (4, 7), (6, 7), (6, 7)]),
        ([0, 5], 0.25, [(0, 1), (5, 6)]),
    ],
)
def test_a_token_owns_the_frames_since_the_previous_emission(
    frames, max_frames, expected
):
    assert (
        spans_of(alignment.emission_fields(frames, max_frames=max_frames)) == expected
    )


@pytest.mark.parametrize("seed", range(100 * conftest.SCALE))
def test_spans_follow_the_definition_and_never_run_backwards(seed):
    generator = random.Random(seed)
    frames = sorted(generator.choices(range(200), k=generator.randrange(30)))
    max_frames = fractions.Fraction(generator.randrange(1, 100), 4)
    found = alignment.emission_fields(frames, max_frames=float(max_frames))
    assert spans_of(found) == owned(frames, max_frames)
    for edges in (found.starts, found.ends):
        assert (np.diff(edges) >= 0).all()


def test_confidences_are_kept():
    found = alignment.emission_fields((1, 4), (0.5, 1.0))
    assert found.confidences.tolist() == [0.5, 1.0]
    assert alignment.emission_fields((1, 4)).confidences is None


@pytest.mark.parametrize(
    ("frames", "confidences", "message"),
    [
        ((3, 2), (), r"never decrease, got \(3, 2\)"),
        ((-1, 2), (), r"from 0 on"),
        ((0, float("nan")), (), r"whole numbers .* got \(0, nan\)"),
        ((float("nan"),), (), "whole numbers"),
        ((0, float("inf")), (), "whole numbers"),
        ((0, 1.5), (), "whole numbers"),
        ((0, None), (), "whole numbers"),
        (("a",), (), r"Emission frames must be numbers, got \('a',\)"),
        ((10**400,), (), "Emission frames must be numbers, got "),
        ([[0, 1]], (), r"one number per token, got the shape \(1, 2\)"),
        (np.zeros((2, 0)), (), r"one number per token, got the shape \(2, 0\)"),
        ([3, 2] * 10**6, (), r"got \[3, 2.*\.\.\.\.$"),
        ((1, 2), (0.5,), "2 tokens need as many confidences or none, got 1"),
        ((1, 2), (0.5, 1.5), r"in \[0, 1\], got 1\.5 at position 1"),
        ((1, 2), (-0.25, 1.5), r"in \[0, 1\], got -0\.25 at position 0"),
        ((1, 2), (0.5, float("nan")), r"in \[0, 1\], got nan at position 1"),
        ((1, 2), ("a", "b"), "Confidences must be numbers"),
        ((1, 2), ((0.5, 0.5),), r"Confidences must be one number per token"),
    ],
)
def test_impossible_emissions_are_refused(frames, confidences, message):
    with pytest.raises(ValueError, match=message) as caught:
        alignment.emission_fields(frames, confidences)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize("max_frames", [float("nan"), -0.5])
def test_no_token_owns_such_a_number_of_frames(max_frames):
    with pytest.raises(ValueError, match=f"from 0 on, got max_frames={max_frames}"):
        alignment.emission_fields((1, 2), max_frames=max_frames)


def test_a_frame_behind_the_last_is_refused():
    alignment.emission_fields((1, 4), frame_count=5)
    alignment.emission_fields((), frame_count=0)
    with pytest.raises(ValueError, match="last emission frame is 4, and there are 4"):
        alignment.emission_fields((1, 4), frame_count=4)


@pytest.mark.parametrize(
    ("spans", "max_frames", "expected"),
    [
        ([], 12.5, []),
        ([(0.0, 2.5)], 12.5, [(0.0, 2.5)]),
        ([(0.0, 2.5), (2.5, 4.25)], 12.5, [(0.0, 2.5), (2.5, 4.25)]),
        ([(0.0, 2.5), (2.5, 40.0)], 12.5, [(0.0, 2.5), (27.5, 40.0)]),
        ([(3.0, 3.0), (3.0, 3.0)], 12.5, [(3.0, 3.0), (3.0, 3.0)]),
        ([(0.0, 9.0), (1.0, 9.0)], 4.0, [(5.0, 9.0), (5.0, 9.0)]),
    ],
)
def test_given_spans_are_kept_but_for_a_pause_before(spans, max_frames, expected):
    found = alignment.span_fields(spans, (0.5,) * len(spans), max_frames=max_frames)
    assert spans_of(found) == expected
    assert found.confidences is None or found.confidences.tolist() == [0.5] * len(spans)


@pytest.mark.parametrize(
    ("spans", "message"),
    [
        (
            [(1.0, 0.5)],
            r"begins and ends never decrease, .* got \[\(1\.0, 0\.5\)\]",
        ),
        ([(1.0, 2.0), (0.5, 2.0)], "never decrease"),
        ([(1.0, 2.0), (1.0, 1.5)], "never decrease"),
        ([(-1.0, 2.0)], "from 0 on"),
        ([(0.0, float("nan"))], "must be finite"),
        ([(0.0, float("inf"))], "must be finite"),
        ([(0.0,)], r"a begin and an end per token, got the shape \(1, 1\)"),
        ([0.0, 1.0], r"a begin and an end per token, got the shape \(2,\)"),
        ([(0.0, "x")], "Spans must be numbers"),
        ([(0.0, 1.0), (2.0, 10.5)], r"ends at frame 10\.5, and there are 10 frames"),
    ],
)
def test_impossible_spans_are_refused(spans, message):
    with pytest.raises(ValueError, match=message):
        alignment.span_fields(spans, frame_count=10)


def test_spans_have_as_many_confidences():
    with pytest.raises(ValueError, match="1 tokens need as many confidences or none"):
        alignment.span_fields([(0.0, 1.0)], [0.5, 0.5])


@pytest.mark.parametrize("ids", [[], [3], [3, 4, 5], np.array([3])])
@pytest.mark.parametrize("words", [True, False])
def test_an_alignment_of_other_tokens_is_refused(ids, words, tokenizer):
    spans = alignment.emission_fields([0, 2], [0.5, 1.0])
    with pytest.raises(ValueError, match=f"^{len(ids)} tokens need an alignment of as"):
        alignment.alignment_fields(tokenizer, ids, spans, CLOCK, words=words)
    lame = alignment.TokenAlignment(spans.starts, spans.ends, spans.ends[:1])
    with pytest.raises(ValueError, match="got 1 confidences"):
        alignment.alignment_fields(tokenizer, [3, 4], lame, CLOCK, words=words)


def test_tokens_without_frames_have_a_mean_confidence_at_most():
    assert alignment.unaligned_fields([3, 4], [0.5, 1.0])["confidence"] == 0.75
    assert set(alignment.unaligned_fields([3], []).values()) == {None}
    with pytest.raises(ValueError, match="1 tokens need as many confidences"):
        alignment.unaligned_fields([3], [0.5, 1.0])


def test_a_clock_converts_both_ways():
    assert CLOCK.seconds([0, 2.5]).tolist() == [0.0, 0.1]
    assert CLOCK.frames(0.5) == 12.5


@pytest.mark.parametrize("value", [0, -0.01, float("nan"), True, "0.04", None])
def test_a_clock_needs_a_positive_number(value):
    with pytest.raises(ValueError, match=r"^FrameClock\.seconds_per_frame must be a"):
        alignment.FrameClock(value)


@pytest.fixture
def tokenizer(tmp_path):
    path = tmp_path / "tokens.txt"
    path.write_text(
        "<blk> 0\n▁he 3\nllo 4\n▁wor 5\nld 6\n▁ 7\n你 8\n， 9\n好 10\n𠀀 11\n"
    )
    return tokenizers.SymbolTableTokenizer(path)


def words_of(pieces, ids, frames, confidences=()):
    spans = alignment.emission_fields(frames, confidences)
    return alignment.word_timings(pieces, ids, spans, CLOCK)


def test_words_span_their_tokens_and_average_their_confidences(tokenizer):
    found = words_of(tokenizer, [3, 4, 5, 6], [0, 2, 5, 9], [0.5, 1.0, 0.25, 0.75])
    assert [(w.word, w.confidence) for w in found] == [("hello", 0.75), ("world", 0.5)]
    assert [t for w in found for t in (w.start, w.end)] == pytest.approx(
        [0.0, 0.12, 0.12, 0.4]
    )


def test_han_is_cut_by_character_and_a_mark_joins_the_word_before(tokenizer):
    found = words_of(tokenizer, [8, 9, 10, 11], [1, 2, 3, 4])
    assert [w.word for w in found] == ["你，", "好", "𠀀"]
    assert {w.confidence for w in found} == {None}


def test_special_and_unknown_ids_are_in_no_word(tokenizer):
    found = words_of(tokenizer, [0, 3, 1, 999, -1], [0, 5, 6, 7, 8])
    assert [w.word for w in found] == ["he"]
    assert (found[0].start, found[0].end) == pytest.approx((0.04, 0.24))


def test_no_tokens_are_no_words(tokenizer):
    assert words_of(tokenizer, [], []) == []


def test_a_detokenizer_gives_the_words_of_its_tokenizer(tokenizer):
    detokenizer = detokenize.Detokenizer(tokenizer=tokenizer)
    case = ([3, 4, 8], [0, 2, 5], [0.5, 1.0, 0.25])
    assert words_of(detokenizer, *case) == words_of(tokenizer, *case)
    numbers = words_of(detokenize.Detokenizer(), *case)
    assert [w.word for w in numbers] == ["3", "4", "8"]


@pytest.mark.parametrize("seed", range(30 * conftest.SCALE))
def test_words_are_the_text_in_order_and_inside_the_audio(seed, tokenizer):
    generator = random.Random(seed)
    ids = generator.choices(range(13), k=generator.randrange(25))
    frames = sorted(generator.choices(range(50), k=len(ids)))
    found = words_of(tokenizer, ids, frames, [generator.random() for _ in ids])
    text = tokenizer.decode(ids)
    assert "".join(w.word for w in found) == "".join(text.split())
    place = 0
    for word in found:
        assert isinstance(word, request.WordTiming)
        place = text.index(word.word, place) + len(word.word)
        assert 0 <= word.start <= word.end <= 50 * 0.04
        assert 0 <= word.confidence <= 1
    starts = [w.start for w in found]
    assert starts == sorted(starts)


def test_fields_have_times_with_a_clock_and_words_when_asked(tokenizer):
    spans = alignment.emission_fields([0, 2], [0.5, 1.0])
    fields = alignment.alignment_fields(tokenizer, [3, 4], spans, CLOCK, words=True)
    assert fields["timestamps"] == [(0.0, 0.04), (0.04, 0.12)]
    assert fields["confidence"] == 0.75
    assert fields["words"] == [request.WordTiming("hello", 0.0, 0.12, 0.75)]
    unasked = alignment.alignment_fields(tokenizer, [3, 4], spans, CLOCK)
    assert unasked == {**fields, "words": None}
    unclocked = alignment.alignment_fields(tokenizer, [3, 4], spans, None)
    assert unclocked == {"timestamps": None, "words": None, "confidence": 0.75}


def test_fields_of_nothing_are_empty_lists(tokenizer):
    spans = alignment.emission_fields([])
    assert alignment.alignment_fields(tokenizer, [], spans, CLOCK, words=True) == {
        "timestamps": [],
        "words": [],
        "confidence": None,
    }


def test_words_without_a_clock_are_refused(tokenizer):
    spans = alignment.emission_fields([0])
    with pytest.raises(ValueError, match=r"set EngineConfig\.seconds_per_frame\.$"):
        alignment.alignment_fields(tokenizer, [3], spans, None, words=True)
