"""Tests for the families: options are honoured or refused, and the pages say which."""

import ast
import dataclasses
import itertools
import pathlib
import re

import pytest

from oasr import engine
from oasr.engine.decode import registry
from oasr.models import recorded
from tests.engine import families

MODES = ("offline", "streaming")
# What takes effect, by family and mode; a mode that is absent cannot be had.
SEARCHED = {"max_new_tokens", "n_best", "seed", "temperature", "top_k", "top_p"}
HONOURED = {
    ("aed", "offline"): {
        *SEARCHED,
        "language",
        "prompt",
        "task",
        "word_timestamps",
    },
    ("ctc", "offline"): {"n_best", "word_timestamps"},
    ("ctc", "streaming"): {"n_best", "word_timestamps"},
    ("ctc_aed_rescoring", "offline"): {"n_best", "word_timestamps"},
    ("ctc_aed_rescoring", "streaming"): {"n_best", "word_timestamps"},
    ("llm", "offline"): {*SEARCHED, "messages", "prompt"},
    ("paraformer", "offline"): {"word_timestamps"},
    ("transducer", "offline"): {"n_best", "word_timestamps"},
    ("transducer", "streaming"): {"n_best", "word_timestamps"},
}
GREEDY = {"word_timestamps"}  # Of families that have `search`.
VALUES = {
    "n_best": 3,
    "max_new_tokens": 1,
    "temperature": 0.5,
    "top_k": 2,
    "top_p": 0.5,
    "seed": 7,
    "prompt": "hello",
    "task": "translate",
    "language": "de",
    "word_timestamps": True,
    "messages": [
        {"role": "user", "content": "hi"},
        {"role": "assistant", "content": "hello"},
        {"role": "user", "content": "what?"},
    ],
}
CONTENT = {"messages", "prompt", "task", "language", "word_timestamps"}
DEPLOYMENTS = [
    *HONOURED,
    *((*pair, "greedy") for pair in HONOURED if pair[0] in ("ctc", "transducer")),
]


def honoured(family, mode, search=None):
    return GREEDY if search == "greedy" else HONOURED[family, mode]


TIMED = [d for d in DEPLOYMENTS if "word_timestamps" in honoured(*d)]


def build(family, mode, search=None, **fields):
    options = {"search": search} if search else {}
    return families.build(family, mode, decode_options=options, **fields)


def transcribe(asr, family, **options):
    [output] = asr.transcribe(
        [engine.Request("a", families.FAMILIES[family].inputs(1), options)]
    )
    return output


def test_every_option_is_tried():
    fields = {field.name for field in dataclasses.fields(engine.DecodingOptions)}
    assert set(VALUES) == fields


@pytest.mark.parametrize("family", families.FAMILIES)
@pytest.mark.parametrize("mode", MODES)
def test_a_mode_runs_or_is_refused_with_those_that_do(family, mode):
    modes = [known for known in MODES if (family, known) in HONOURED]
    if mode in modes:
        with build(family, mode) as asr:
            assert len(transcribe(asr, family).tokens[0]) > 1
    else:
        message = (
            rf"Family '{family}' decodes in the modes {re.escape(str(modes))}, not"
        )
        with pytest.raises(ValueError, match=message):
            build(family, mode)


@pytest.mark.parametrize("deployment", DEPLOYMENTS, ids="-".join)
@pytest.mark.parametrize("option", VALUES)
def test_an_option_is_honoured_or_refused_or_said(deployment, option, caplog):
    family, mode = deployment[:2]
    with build(*deployment) as asr:
        plain = transcribe(asr, family)
        if option in CONTENT - honoured(*deployment):
            message = (
                rf"asks for {option}=.* the family '{family}' cannot honour in {mode}"
            )
            with pytest.raises(ValueError, match=message):
                transcribe(asr, family, **{option: VALUES[option]})
            return
        caplog.clear()
        outputs = [
            transcribe(asr, family, **{option: VALUES[option]}) for _ in range(2)
        ]
    said = [record.getMessage() for record in caplog.records]
    if option in honoured(*deployment):
        assert said == []
        assert outputs[0] != plain
    else:
        assert said == [f"The option {option} has no effect on the family '{family}'."]
        assert outputs[0].tokens == plain.tokens
    assert outputs[0] == outputs[1]


@pytest.mark.parametrize("deployment", TIMED, ids="-".join)
def test_words_need_a_clock(deployment):
    with (
        build(*deployment, seconds_per_frame=None) as asr,
        pytest.raises(ValueError, match=r"needs EngineConfig\.seconds_per_frame"),
    ):
        transcribe(asr, deployment[0], word_timestamps=True)


@pytest.mark.parametrize("deployment", TIMED, ids="-".join)
def test_words_have_times_and_confidences(deployment):
    with build(*deployment) as asr:
        output = transcribe(asr, deployment[0], word_timestamps=True)
    assert all(0 < word.confidence <= 1 for word in output.words)
    if not families.FAMILIES[deployment[0]].shows_numbers:
        shown = "".join(word.word for word in output.words)
        assert shown == "".join(output.text.split()) != ""
        return
    assert [word.word for word in output.words] == output.text.split()
    # Ids up to 2 are special: they have a span, and no text.
    shown = [k for k, token_id in enumerate(output.tokens[0]) if token_id > 2]
    assert shown
    spans = [output.timestamps[k] for k in shown]
    assert [(word.start, word.end) for word in output.words] == spans


@pytest.mark.parametrize(
    "deployment", [d for d in TIMED if "n_best" in honoured(*d)], ids="-".join
)
def test_alternatives_have_words_with_times(deployment):
    with build(*deployment) as asr:
        output = transcribe(asr, deployment[0], n_best=3, word_timestamps=True)
    assert len(output.nbest_words) == len(output.nbest_texts) == 3
    for words, text in zip(output.nbest_words, output.nbest_texts, strict=True):
        shown = "".join(word.word for word in words)
        assert shown == "".join(text.split())
        assert all(0 < word.confidence <= 1 for word in words)
    assert len(set(map(tuple, output.nbest_words))) > 1


@pytest.mark.parametrize("deployment", DEPLOYMENTS, ids="-".join)
def test_more_hypotheses_than_the_beam_are_a_wider_beam(deployment):
    family, mode, *search = deployment
    options = dict(zip(["search"], search, strict=False))
    if "n_best" in honoured(*deployment):
        options["beam_size"] = 2
    with families.build(family, mode, decode_options=options) as asr:
        output = transcribe(asr, family, n_best=5)
    if "n_best" in honoured(*deployment):
        assert 2 < len(output.tokens) <= 5
    else:
        assert len(output.nbest_texts) == len(output.tokens) == 1


@pytest.mark.parametrize("family", families.FAMILIES)
def test_an_unknown_setting_is_refused_with_those_there_are(family):
    with pytest.raises(
        ValueError,
        match=f"^Decode option of family '{family}' 'beam' is unknown; valid",
    ):
        families.build(family, decode_options={"beam": 3})


@pytest.mark.parametrize("family", sorted(set(families.FAMILIES) - {"ctc"}))
def test_a_model_that_lacks_what_the_family_calls_is_refused_at_once(family):
    for model in (object(), families.FAMILIES["ctc"].model):
        with pytest.raises(TypeError, match=r"^A model is an object with "):
            families.build(family, model=model)
    with pytest.raises(TypeError, match=r"got <oasr\.models\.recorded\.Recorded"):
        families.build(family, model=recorded.RecordedScores())


def test_every_built_in_family_is_tried():
    tried = {family for family, _ in HONOURED}
    assert tried == set(families.FAMILIES)
    assert tried <= set(registry.list_decode_strategies())


# docs/decoding.md

_PAGE = pathlib.Path(__file__).parents[2] / "docs" / "decoding.md"
_HEADER = "| family | modes | honours | `decode_options` | times of a token |"


def table():
    """Returns family -> the other cells of its row."""
    text = _PAGE.read_text(encoding="utf-8")
    lines = text[text.index(_HEADER) :].splitlines()[2:]
    rows = itertools.takewhile(lambda line: line.startswith("|"), lines)
    cells = ([cell.strip() for cell in row.strip("|").split("|")] for row in rows)
    return {first.strip("`"): rest for first, *rest in cells}


def names(cell):
    return re.findall(r"`(\w+)`", cell)


def settings(family):
    """Returns the names that the family's `decode_options` may have."""
    with pytest.raises(ValueError, match="unknown; valid are") as caught:
        families.build(family, decode_options={"?": 0})
    return ast.literal_eval(str(caught.value).partition("valid are ")[2].rstrip("."))


def test_the_page_lists_the_families_there_are():
    assert sorted(table()) == registry.list_decode_strategies()


@pytest.mark.parametrize("family", families.FAMILIES)
def test_the_page_says_what_a_family_can(family):
    modes, honours, options, times = table()[family]
    assert modes.split(", ") == [mode for mode in MODES if (family, mode) in HONOURED]
    for mode in modes.split(", "):
        assert set(names(honours)) == HONOURED[family, mode]
    assert sorted(names(options)) == settings(family)
    assert (times != "none") == ("word_timestamps" in names(honours))
