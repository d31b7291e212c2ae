"""Tests for aed: prompts, rules, languages and words."""

import re

import hypothesis
from hypothesis import strategies as st
import numpy as np
import pytest

from oasr import engine
from oasr import tokenizers
from oasr.engine.decode import aed_prompt
from tests.engine.decode import small_whisper
from tests.engine.decode import token_models


@pytest.fixture(scope="module")
def spec(tmp_path_factory):
    return small_whisper.write(tmp_path_factory.mktemp("vocabulary"))


@pytest.fixture(scope="module")
def tokenizer(spec):
    return tokenizers.build_tokenizer(spec)


@pytest.mark.parametrize(
    ("settings", "options", "wanted"),
    [
        ({}, {"language": "zh"}, ["zh", "transcribe", "notimestamps"]),
        (
            {},
            {"language": "de", "task": "translate"},
            ["de", "translate", "notimestamps"],
        ),
        ({"language": "de"}, {}, ["de", "transcribe", "notimestamps"]),
        (
            {"language": "de", "task": "translate"},
            {"language": "en", "task": "transcribe"},
            ["en", "transcribe", "notimestamps"],
        ),
        ({"timestamps": True}, {"language": "en"}, ["en", "transcribe"]),
    ],
)
def test_the_prompt_says_language_and_task(spec, tokenizer, settings, options, wanted):
    model = small_whisper.Model(tokenizer)
    output = small_whisper.ask(small_whisper.build(spec, model, **settings), **options)
    assert output.error is None
    assert model.prompts == [
        small_whisper.ids_of(tokenizer, "startoftranscript", *wanted)
    ]


def test_a_context_goes_before_and_is_text(spec, tokenizer):
    model = small_whisper.Model(tokenizer)
    built = small_whisper.build(spec, model, max_prompt_tokens=6, language="en")
    for prompt in (" Hello ", "<|endoftext|><|de|>"):
        small_whisper.ask(built, prompt=prompt)
        previous, *context = model.prompts[-1][:-4]
        assert [previous] == small_whisper.ids_of(tokenizer, "startofprev")
        text = tokenizer.encode(f" {prompt.strip()}", split_special_tokens=True)
        assert context == text[-6:]
        assert not tokenizer.special_ids.intersection(context)


CONTROLS = [*small_whisper.NAMES, "<|", "|>", "<|0.00|>", "<|en", " ", "\n", "é"]


@hypothesis.given(
    prompt=st.lists(
        st.sampled_from(CONTROLS) | st.text(max_size=4), min_size=1, max_size=20
    ).map("".join)
)
def test_no_text_becomes_a_control_token(prompt, spec, tokenizer):
    hypothesis.assume(prompt and not any("\ud800" <= c <= "\udfff" for c in prompt))
    model = small_whisper.Model(tokenizer)
    built = small_whisper.build(spec, model, language="en", max_new_tokens=1)
    small_whisper.ask(built, prompt=prompt)
    previous, *context = model.prompts[-1][:-4]
    assert [previous] == small_whisper.ids_of(tokenizer, "startofprev")
    assert not tokenizer.special_ids.intersection(context)


def test_the_model_is_asked_for_the_language(spec, tokenizer):
    languages = small_whisper.ids_of(tokenizer, "en", "zh", "de")
    start = small_whisper.ids_of(tokenizer, "startoftranscript")
    found = set()
    for audio in range(30):
        model = small_whisper.Model(tokenizer)
        small_whisper.ask(small_whisper.build(spec, model), audio, prompt="context")
        question, prompt = model.prompts
        assert question == start
        log_probs = model.after(audio, start, ())
        best = max(languages, key=lambda i: log_probs[i])
        assert prompt[-3:-2] == [best]
        found.add(best)
    assert found == set(languages)


def test_english_only_models_have_no_languages(spec, tokenizer, monkeypatch):
    monkeypatch.setattr(aed_prompt, "_ENGLISH_ONLY_END", tokenizer.eot_id)
    model = small_whisper.Model(tokenizer)
    built = small_whisper.build(spec, model)
    assert small_whisper.ask(built).error is None
    assert model.prompts == [
        small_whisper.ids_of(tokenizer, "startoftranscript", "notimestamps")
    ]
    for option in ({"language": "en"}, {"task": "transcribe"}):
        with pytest.raises(ValueError, match="family 'aed' cannot honour"):
            small_whisper.ask(built, **option)


def transcript(model, tokenizer, audio, allowed):
    """Returns the greedy transcript behind the last prompt, by definition."""
    prompt = model.prompts[-1]

    def after(ids):
        log_probs = model.after(audio, prompt, ids).astype(np.float64)
        log_probs[[i for i in range(len(log_probs)) if not allowed(ids, i)]] = -np.inf
        return token_models.log_softmax(log_probs)

    return token_models.greedy(after, end_ids={tokenizer.eot_id}, max_new_tokens=12)


def test_a_transcript_has_text_and_its_end(spec, tokenizer):
    model = small_whisper.Model(tokenizer)
    never, not_first = [5, 6, 7], [8, *range(20, 200), tokenizer.eot_id]
    built = small_whisper.build(
        spec,
        model,
        language="en",
        suppress_ids=never,
        begin_suppress_ids=not_first,
    )
    plain = small_whisper.build(spec, model, language="en")

    def allowed(ids, token_id):
        if token_id in never or (not ids and token_id in not_first):
            return False
        return token_id <= tokenizer.eot_id

    differ = 0
    for audio in range(20):
        output = small_whisper.ask(built, audio)
        ids, score = transcript(model, tokenizer, audio, allowed)
        assert output.tokens == [list(ids)]
        assert output.scores == [pytest.approx(score, rel=1e-4)]
        assert output.text == tokenizer.decode(ids)
        assert all(token_id < tokenizer.eot_id for token_id in ids)
        differ += small_whisper.ask(plain, audio).tokens != output.tokens
    assert differ > 5


@pytest.mark.parametrize("beam_size", [1, 3])
def test_timestamps_come_in_pairs_and_cut_segments(spec, tokenizer, beam_size):
    first = tokenizer.control_id("<|0.00|>")
    built = small_whisper.build(
        spec,
        small_whisper.Model(tokenizer, sharpness=3.0),
        language="en",
        timestamps=True,
        beam_size=beam_size,
        max_new_tokens=20,
    )
    count = 0
    for audio in range(10):
        output = small_whisper.ask(built, audio)
        (ids,) = output.tokens
        assert first <= ids[0] <= first + 50
        times = [i for i in ids if i >= first]
        assert times == sorted(times)
        assert output.text == tokenizer.decode(ids)
        found = output.segments or []
        count += len(found)
        assert all(i < first for one in found for i in one.tokens)
        parts = "".join(one.text for one in found)
        assert "".join(parts.split()) == "".join(output.text.split())
    assert count > 5


def test_words_are_where_the_heads_look(spec, tokenizer):
    model = small_whisper.Aligned(tokenizer)
    output = small_whisper.ask(
        small_whisper.build(spec, model, language="en"), 100, word_timestamps=True
    )
    (ids,) = output.tokens
    assert len(ids) > 2
    wanted = [(0.16 * k, 0.16 * (k + 1)) for k in range(len(ids))]
    np.testing.assert_allclose(output.timestamps, wanted)
    assert "".join(word.word for word in output.words) == "".join(output.text.split())
    assert all(0 <= word.confidence <= 1 for word in output.words)


def test_timestamp_tokens_have_no_length(spec, tokenizer):
    first = tokenizer.control_id("<|0.00|>")
    built = small_whisper.build(
        spec,
        small_whisper.Aligned(tokenizer, sharpness=3.0),
        language="en",
        timestamps=True,
    )
    output = small_whisper.ask(built, 100, word_timestamps=True)
    for token_id, (start, end) in zip(output.tokens[0], output.timestamps, strict=True):
        assert (start == end) == (token_id >= first)
    assert output.timestamps == sorted(output.timestamps)


def test_alternatives_are_aligned_too(spec, tokenizer):
    built = small_whisper.build(spec, small_whisper.Aligned(tokenizer), language="en")
    strategy = built._executor._strategy
    asked = engine.DecodingOptions(n_best=3, word_timestamps=True)
    (found,) = strategy.decode([token_models.Encoded(100)], [asked])
    assert len(found) == 3
    assert all(len(one.spans) == len(one.ids) for one in found)


def test_words_need_heads(spec, tokenizer):
    built = small_whisper.build(spec, small_whisper.Model(tokenizer))
    with pytest.raises(ValueError, match=r"word_timestamps=True.*cannot honour"):
        small_whisper.ask(built, word_timestamps=True)


@pytest.mark.parametrize(
    ("attention", "error"),
    [
        (np.zeros((2, 3)), "got shape (2, 3)"),
        (np.zeros((2, 99, 30)), "got shape (2, 99, 30)"),
    ],
)
def test_attention_of_another_shape_fails_that_request(
    spec, tokenizer, attention, error
):
    model = small_whisper.Aligned(tokenizer)
    model.attention = lambda encoded, prompt, ids: attention
    built = small_whisper.build(spec, model, language="en")
    bad = engine.Request("bad", 100, {"word_timestamps": True})
    good = engine.Request("good", 100)
    outputs = built.transcribe([bad, good])
    assert outputs[1].error is None
    assert outputs[0].finish_reason == "error"
    assert error in outputs[0].error


def test_the_options_of_a_search_are_honoured(spec, tokenizer):
    built = small_whisper.build(spec, small_whisper.Model(tokenizer), language="en")
    greedy = small_whisper.ask(built)
    beam = small_whisper.ask(built, n_best=3)
    assert len(beam.nbest_texts) == len(beam.tokens) == 3
    assert beam.scores == sorted(beam.scores, reverse=True)
    assert len(small_whisper.ask(built, max_new_tokens=1).tokens[0]) <= 1
    drawn = [small_whisper.ask(built, temperature=2.0, seed=seed) for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2]
    assert small_whisper.ask(built, temperature=2.0, top_k=1).tokens == greedy.tokens


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"language": "xx"}, "language='xx' is none of the vocabulary's: ['de', "),
        (
            {"language": "en", "task": "sing"},
            "task must be 'transcribe' or 'translate'",
        ),
    ],
)
def test_what_the_vocabulary_lacks_is_said(spec, tokenizer, options, error):
    output = small_whisper.ask(
        small_whisper.build(spec, small_whisper.Model(tokenizer)), **options
    )
    assert output.error.startswith(f"prompt: {error}")
    with pytest.raises(ValueError, match=re.escape(error)):
        small_whisper.build(spec, small_whisper.Model(tokenizer), **options)


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"start_ids": [1]}, "start_ids'\\] are for other vocabularies"),
        ({"median_width": 4}, "must be odd, got 4"),
        ({"max_initial_timestamp": -1}, "max_initial_timestamp'\\] must be"),
        ({"suppress_ids": [-1]}, "suppress_ids'\\]\\[0\\] must be"),
        ({"timestamps": 1}, "timestamps'\\] must be True or False"),
        ({"max_prompt_tokens": 0}, "max_prompt_tokens'\\] must be"),
    ],
)
def test_settings_are_checked(spec, tokenizer, options, error):
    with pytest.raises(ValueError, match=error):
        small_whisper.build(spec, small_whisper.Model(tokenizer), **options)


def test_another_vocabulary_says_how_it_begins_and_ends():
    model = token_models.HistoryModel(6)
    for options in ({}, {"start_ids": [5]}, {"end_ids": [5]}):
        with pytest.raises(ValueError, match="for a vocabulary other than Whisper's"):
            small_whisper.build(None, model, **options)
    with pytest.raises(ValueError, match="need Whisper's vocabulary"):
        small_whisper.build(None, model, start_ids=[5], end_ids=[5], timestamps=True)
    built = small_whisper.build(
        None, model, start_ids=[5], end_ids=[5], suppress_ids=[2]
    )
    for audio in range(8):
        output = small_whisper.ask(built, audio)

        def after(ids, audio=audio):
            log_probs = model.after(audio, [5], ids).astype(np.float64)
            log_probs[2] = -np.inf
            return token_models.log_softmax(log_probs)

        ids, _ = token_models.greedy(after, end_ids={5}, max_new_tokens=12)
        assert output.tokens == [list(ids)]
    with pytest.raises(ValueError, match=r"language='en'.*cannot honour"):
        small_whisper.ask(built, language="en")


@pytest.mark.parametrize("seed", range(5))
def test_a_wide_beam_finds_the_best_of_all(seed):
    model = token_models.HistoryModel(4, seed)
    built = small_whisper.build(
        None, model, start_ids=[3], end_ids=[0], beam_size=200, max_new_tokens=4
    )
    output = small_whisper.ask(built, 2, n_best=4)
    wanted = token_models.exhaustive(
        lambda ids: model.after(2, [3], ids),
        4,
        end_ids={0},
        max_new_tokens=4,
        n_best=4,
    )
    assert [tuple(row) for row in output.tokens] == [ids for ids, _ in wanted]
    np.testing.assert_allclose(output.scores, [score for _, score in wanted], rtol=1e-5)
