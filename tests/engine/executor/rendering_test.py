"""Tests for rendering: the fields of a final output."""

import pytest

from oasr.engine import config as engine_config
from oasr.engine import request
from oasr.engine.decode import base
from oasr.engine.decode import detokenize
from oasr.engine.decode import streams
from oasr.engine.executor import rendering
from tests.engine import invariants

BEST = base.Hypothesis((5, 7), -1.0, (0, 40), (0.5, 1.0))
OTHERS = [base.Hypothesis((0, 5, 7), -2.0), base.Hypothesis((), -3.0)]


def render(hypotheses, options=(), **fields):
    renderer = rendering.Renderer(
        detokenize.Detokenizer(), engine_config.EngineConfig(**fields)
    )
    asked = request.Request("a", None, dict(options))
    output = renderer.final(asked, hypotheses)
    invariants.check_output(output, request=asked)
    return output


def test_the_best_hypothesis_is_the_output():
    assert render([BEST, *OTHERS]) == request.RequestOutput(
        request_id="a",
        text="5 7",
        tokens=[[5, 7]],
        scores=[-1.0],
        nbest_texts=None,
        finished=True,
        timestamps=None,
        words=None,
        confidence=0.75,
        finish_reason="stop",
        error=None,
    )


def test_n_best_rows_have_texts_that_may_coincide():
    output = render([BEST, *OTHERS], {"n_best": 9})
    assert output.tokens == [[5, 7], [0, 5, 7], []]
    assert output.nbest_texts == ["5 7", "5 7", ""]
    assert output.scores == [-1.0, -2.0, -3.0]
    assert output.text == output.nbest_texts[0]


def test_no_more_rows_are_given_than_were_asked_for():
    output = render([BEST, *OTHERS], {"n_best": 2})
    assert (len(output.tokens), len(output.scores), len(output.nbest_texts)) == (
        2,
        2,
        2,
    )


def test_a_clock_gives_times_and_the_pause_belongs_to_no_word():
    output = render([BEST], {"word_timestamps": True}, seconds_per_frame=0.04)
    assert output.timestamps == [
        pytest.approx((0, 0.04)),
        pytest.approx((1.64 - 0.5, 1.64)),
    ]
    assert [word.word for word in output.words] == ["5", "7"]
    assert [word.confidence for word in output.words] == [0.5, 1.0]
    short = render([BEST], seconds_per_frame=0.04, max_token_seconds=0.1)
    assert short.timestamps[1] == pytest.approx((1.54, 1.64))
    assert short.words is None


def test_each_text_has_its_words():
    others = [
        base.Hypothesis((7, 5), -2.0, (3, 3), (0.5, 0.25)),
        base.Hypothesis((), -3.0),
    ]
    asked = {"n_best": 3, "word_timestamps": True}
    output = render([BEST, *others], asked, seconds_per_frame=0.5)
    assert output.nbest_words == [
        output.words,
        [
            request.WordTiming("7", 1.5, 2.0, 0.5),
            request.WordTiming("5", 1.5, 2.0, 0.25),
        ],
        [],
    ]
    for options in ({"n_best": 3}, {"word_timestamps": True}, {}):
        output = render([BEST, *others], options, seconds_per_frame=0.5)
        assert output.nbest_words is None


def test_the_words_of_all_need_the_times_of_all():
    renderer = rendering.Renderer(
        detokenize.Detokenizer(), engine_config.EngineConfig(seconds_per_frame=0.5)
    )
    asked = request.Request("a", None, {"n_best": 2, "word_timestamps": True})
    output = renderer.final(asked, [BEST, *OTHERS])
    assert (len(output.words), output.nbest_words) == (2, None)


def test_an_utterance_that_is_over_is_timed_by_its_stream():
    renderer = rendering.Renderer(
        detokenize.Detokenizer(), engine_config.EngineConfig(seconds_per_frame=0.5)
    )
    output = renderer.final(
        request.Request("a", None),
        [BEST],
        frame_count=41,
        first_frame=10,
        streamed=True,
        finish_reason="endpoint",
    )
    invariants.check_output(output)
    assert (output.finished, output.finish_reason) == (False, "endpoint")
    assert output.timestamps == [(5.0, 5.5), (25.0, 25.5)]
    assert output.duration == 25.5
    assert output.stable_text == output.text == "5 7"


def test_an_empty_transcript_has_no_words():
    output = render(
        [base.Hypothesis((), 0.0)], {"word_timestamps": True}, seconds_per_frame=0.04
    )
    assert (output.text, output.tokens, output.words) == ("", [[]], [])
    assert (output.timestamps, output.confidence) == ([], None)


def test_without_frames_there_are_no_times():
    output = render([base.Hypothesis((5,), 0.0)], seconds_per_frame=0.04)
    assert (output.timestamps, output.words, output.confidence) == (None, None, None)


def test_words_without_frames_are_refused():
    with pytest.raises(
        ValueError, match="need the frame of each of 1 tokens, got none"
    ):
        render(
            [base.Hypothesis((5,), 0.0)],
            {"word_timestamps": True},
            seconds_per_frame=0.04,
        )


@pytest.mark.parametrize("clock", [None, 0.04])
def test_confidences_without_frames_are_averaged(clock):
    hypothesis = base.Hypothesis((5, 7), 0.0, (), (0.5, 1.0))
    output = render([hypothesis], seconds_per_frame=clock)
    assert (output.timestamps, output.words, output.confidence) == (None, None, 0.75)


@pytest.mark.parametrize(
    ("hypothesis", "message"),
    [
        (base.Hypothesis((5, 7), 0.0, (), (0.5,)), "2 tokens need as many confidences"),
        (base.Hypothesis((5,), 0.0, (), (1.5,)), r"in \[0, 1\], got 1\.5"),
        (base.Hypothesis((5, 7), 0.0, (3,)), "2 tokens need .* got 1 starts"),
        (base.Hypothesis((), 0.0, (3,)), "0 tokens need .* got 1 starts"),
        (base.Hypothesis((5,), 0.0, (9,)), "last emission frame is 9, and there are 9"),
    ],
)
@pytest.mark.parametrize("clock", [None, 0.04])
def test_what_cannot_be_of_these_tokens_is_refused(hypothesis, message, clock):
    renderer = rendering.Renderer(
        detokenize.Detokenizer(), engine_config.EngineConfig(seconds_per_frame=clock)
    )
    with pytest.raises(ValueError, match=message):
        renderer.final(request.Request("a", None), [hypothesis], frame_count=9)


def test_no_hypothesis_is_refused():
    with pytest.raises(ValueError, match="at least one hypothesis, got none"):
        render([])


def test_given_spans_are_the_times_and_the_pause_belongs_to_no_word():
    placed = base.Hypothesis((5, 7), -1.0, (), (0.5, 1.0), ((0.0, 2.5), (2.5, 40.0)))
    output = render([placed], {"word_timestamps": True}, seconds_per_frame=0.04)
    assert output.timestamps == [
        pytest.approx((0, 0.1)),
        pytest.approx((1.6 - 0.5, 1.6)),
    ]
    assert [word.word for word in output.words] == ["5", "7"]


def test_a_partial_replaces_the_one_before_case_120():
    renderer = rendering.Renderer(
        detokenize.Detokenizer(), engine_config.EngineConfig()
    )
    utterance, texts = renderer.new_utterance(), []
    for ids in ((3,), (3, 4), (5,)):
        stands = streams.Partial(base.Hypothesis(ids, -1.0), 0)
        output = renderer.partial(request.Request("a", None), stands, utterance)
        texts.append((output.text, output.tokens, output.stable_text))
    assert texts == [("3", [[3]], ""), ("3 4", [[3, 4]], ""), ("5", [[5]], "")]
