"""Tests for request: options are validated, outputs have the fields people read."""

import dataclasses
import pickle
import re

import pytest

from oasr.engine import request


def test_defaults_ask_for_nothing():
    assert request.DecodingOptions().asked() == {}
    assert request.DecodingOptions().n_best == 1


def test_what_differs_from_the_defaults_is_asked():
    options = request.DecodingOptions(n_best=3, temperature=0.0, word_timestamps=True)
    assert options.asked() == {
        "n_best": 3,
        "temperature": 0.0,
        "word_timestamps": True,
    }


def test_a_mapping_gives_the_same_options():
    fields = {
        "n_best": 2,
        "max_new_tokens": 100,
        "temperature": 0.7,
        "top_k": 5,
        "top_p": 1.0,
        "seed": 0,
        "prompt": "Glossary: 𠀀",
        "task": "translate",
        "language": "de",
        "word_timestamps": True,
    }
    assert request.DecodingOptions.from_mapping(fields).asked() == fields
    # A conversation is in place of a prompt.
    names = {f.name for f in dataclasses.fields(request.DecodingOptions)}
    assert names == {*fields, "messages"}


@pytest.mark.parametrize(
    ("name", "values", "wanted"),
    [
        ("n_best", [0, -1, True, 1.0, "1", None], "an integer of at least 1"),
        ("max_new_tokens", [0, False, 1.5], "an integer of at least 1"),
        ("top_k", [0, True, "5"], "an integer of at least 1"),
        ("seed", [-1, True, 0.5], "an integer of at least 0"),
        ("temperature", [-0.1, True, float("nan"), "0"], "a finite number at least 0"),
        ("top_p", [0, 1.01, True], "a finite number above 0 and at most 1"),
        ("prompt", ["", 3, b"x"], "a non-empty string"),
        ("task", ["", ["a"]], "a non-empty string"),
        ("language", ["", 0], "a non-empty string"),
        ("word_timestamps", [1, "yes", None], "True or False"),
    ],
)
def test_bad_values_are_named(name, values, wanted):
    for value in values:
        message = f"DecodingOptions.{name} must be {wanted}, got {value!r}."
        with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
            request.DecodingOptions.from_mapping({name: value})


def test_an_unknown_option_is_refused_with_the_valid_ones():
    with pytest.raises(
        ValueError, match=r"^Decoding option 'nbest' is unknown.*n_best"
    ):
        request.DecodingOptions.from_mapping({"nbest": 2})


def test_a_request_reads_its_options_from_a_mapping():
    made = request.Request("a", [1.0], {"n_best": 2})
    assert made.options == request.DecodingOptions(n_best=2)
    assert request.Request("a", None).options == request.DecodingOptions()


@pytest.mark.parametrize("request_id", ["", None, 3])
def test_a_request_needs_an_id(request_id):
    with pytest.raises(ValueError, match=r"^Request\.request_id must be a non-empty"):
        request.Request(request_id, None)


@pytest.mark.parametrize("options", [None, "n_best", [("n_best", 2)], {1: 2}])
def test_options_are_a_mapping_of_names(options):
    with pytest.raises(
        ValueError, match=r"^The options of a request must be a mapping"
    ):
        request.Request("a", None, options)


def test_an_output_has_the_fields_in_the_documented_order():
    assert [f.name for f in dataclasses.fields(request.RequestOutput)] == [
        "request_id",
        "text",
        "tokens",
        "scores",
        "nbest_texts",
        "finished",
        "timestamps",
        "words",
        "confidence",
        "finish_reason",
        "error",
        "stable_text",
        "nbest_words",
        "segments",
        "language",
        "duration",
    ]


def test_a_failed_output_is_finished_and_says_why():
    output = request.RequestOutput.failed("a", "scores: no")
    assert (output.request_id, output.text, output.tokens) == ("a", "", [])
    assert (output.finished, output.finish_reason) == (True, "error")
    assert output.error == "scores: no"


def test_values_do_not_change_and_can_be_pickled():
    made = request.Request("a", [1.0], {"n_best": 2})
    assert pickle.loads(pickle.dumps(made)) == made
    with pytest.raises(dataclasses.FrozenInstanceError):
        made.request_id = "b"


def test_a_partial_is_an_output_like_others():
    fields = {
        "request_id": "a",
        "text": "b c",
        "tokens": [[5, 6]],
        "scores": [-1.0],
        "timestamps": [(0.0, 0.5), (0.5, 1.0)],
        "words": None,
        "confidence": 0.5,
        "stable_text": "b",
    }
    made = request.RequestOutput.partial(**fields)
    plain = request.RequestOutput(**fields)
    assert (made, repr(made), vars(made)) == (plain, repr(plain), vars(plain))
    assert dataclasses.replace(made, text="d").text == "d"
    assert pickle.loads(pickle.dumps(made)) == plain
    with pytest.raises(dataclasses.FrozenInstanceError):
        made.text = "d"
