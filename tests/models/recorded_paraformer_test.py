"""Tests for recorded_paraformer: recorded scores, a row per token."""

import numpy as np
import pytest

from oasr import tokenizers
from oasr.models import base
from oasr.models import paraformer
from oasr.models import recorded_paraformer

SCORES = np.log(np.array([[0.25, 0.75], [0.5, 0.5]]))


def test_the_model_reads_names_and_passes_scores_on(tmp_path):
    np.save(tmp_path / "one.npy", SCORES)
    model = recorded_paraformer.RecordedOneShots()
    base.check_model(model, paraformer.Paraformer)
    read, passed = model.one_shot([tmp_path / "one.npy", SCORES])
    np.testing.assert_array_equal(read.scores, SCORES)
    assert passed.scores is SCORES
    for shot in (read, passed):
        assert (shot.fires, shot.frame_count) == (None, None)


def test_another_reader_may_be_given():
    class Doubled:
        def scores(self, inputs):
            return [2 * given for given in inputs]

    model = recorded_paraformer.RecordedOneShots(Doubled())
    (shot,) = model.one_shot([SCORES])
    np.testing.assert_array_equal(shot.scores, 2 * SCORES)


def test_an_absent_file_is_named(tmp_path):
    model = recorded_paraformer.RecordedOneShots()
    with pytest.raises(tokenizers.AssetError, match=r"no\.npy: no such file\.$"):
        model.one_shot([tmp_path / "no.npy"])
