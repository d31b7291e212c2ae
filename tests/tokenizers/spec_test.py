"""Tests for spec."""

import json
import pathlib
import pickle

import numpy as np
import pytest

from oasr import tokenizers

SPECS = [
    tokenizers.TokenizerSpec("symbol_table"),
    tokenizers.TokenizerSpec("symbol_table", {"table": "/a b/\u4f60.txt"}),
    tokenizers.TokenizerSpec("k", {"a": "b"}, {"special_ids": (2, 0), "on": True}),
    tokenizers.TokenizerSpec("k", options={"ids": frozenset({5, 3}), "n": {"x": (1,)}}),
    tokenizers.TokenizerSpec(
        "k", options={"ids": {np.int64(5), 3}, "m": {1, "a", "b"}}
    ),
]


@pytest.mark.parametrize("spec", SPECS)
def test_a_spec_round_trips_through_json(spec):
    fields = json.loads(json.dumps(spec.to_dict()))
    assert tokenizers.TokenizerSpec.from_dict(fields) == spec
    assert pickle.loads(pickle.dumps(spec)) == spec
    assert hash(tokenizers.TokenizerSpec.from_dict(fields)) == hash(spec)


def test_a_path_may_be_any_path():
    spec = tokenizers.TokenizerSpec("k", {"table": pathlib.Path("a") / "b"})
    assert spec.files == {"table": "a/b"}


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, {0, 1, 2}),
        ({"special_ids": None}, {0, 1, 2}),
        ({"special_ids": []}, set()),
        ({"special_ids": {7, 5}}, {5, 7}),
    ],
)
def test_special_ids_are_the_declared_ones_or_the_default(options, expected):
    spec = tokenizers.TokenizerSpec("k", options=options)
    assert spec.special_ids() == expected
    assert tokenizers.DEFAULT_SPECIAL_IDS == frozenset({0, 1, 2})


def test_a_spec_keeps_no_reference_to_what_it_was_made_from():
    options = {"special_ids": [1]}
    spec = tokenizers.TokenizerSpec("k", {}, options)
    options["special_ids"].append(2)
    spec.to_dict()["options"]["other"] = 1
    spec.to_dict()["options"]["special_ids"].append(3)
    assert spec.options == {"special_ids": [1]}


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({}, "a mapping with a 'kind', got {}"),
        ([], r"a mapping with a 'kind', got \[\]"),
        ({"kind": ""}, "must be a kind's name, got ''"),
        ({"kind": 3}, "must be a kind's name, got 3"),
        ({"kind": "k", "flies": {}}, "no field 'flies'; valid are .*'files'"),
        ({"kind": "k", "files": ["a"]}, r"files must be a mapping, got \['a'\]"),
        ({"kind": "k", "files": {"a": 3}}, r"files\['a'\] must be a path, got 3"),
        ({"kind": "k", "files": {"a": b"b"}}, r"files\['a'\] must be a path, got b'b'"),
        ({"kind": "k", "options": {3: 4}}, "options has 3 as a name"),
        ({"kind": "k", "options": {"a": {3: 4}}}, r"options\['a'\] has 3 as a name"),
        (
            {"kind": "k", "options": {"a": [b"x"]}},
            r"options\['a'\]\[0\] must be .* bytes",
        ),
        (
            {"kind": "k", "options": {"a": float("nan")}},
            "a type that JSON has, got float",
        ),
        ({"kind": "k", "options": {"a": object()}}, "a type that JSON has, got object"),
    ],
)
def test_what_is_no_spec_is_refused(fields, message):
    with pytest.raises(ValueError, match=message):
        tokenizers.TokenizerSpec.from_dict(fields)
