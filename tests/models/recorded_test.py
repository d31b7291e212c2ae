"""Tests for recorded: names of recordings, and errors that say where and what."""

import json
import os
import zipfile

import numpy as np
import pytest

from oasr import tokenizers
from oasr.models import base
from oasr.models import recorded

SCORES = np.log(np.array([[0.25, 0.75], [0.5, 0.5]], np.float32))


@pytest.fixture
def files(tmp_path):
    np.save(tmp_path / "one.npy", SCORES)
    np.savez(tmp_path / "many.npz", b=SCORES, a=SCORES[:1], empty=SCORES[:0])
    np.savez_compressed(tmp_path / "single.npz", only=SCORES)
    (tmp_path / "one.json").write_text(json.dumps(SCORES.tolist()))
    (tmp_path / "none.json").write_text("[]")
    return tmp_path


def test_a_file_lists_its_utterances(files):
    for name in ("one.npy", "one.json"):
        assert recorded.list_recordings(files / name) == [str(files / name)]
    path = files / "many.npz"
    names = [f"{path}:b", f"{path}:a", f"{path}:empty"]
    assert recorded.list_recordings(path) == names


def test_every_listed_name_can_be_read(files):
    for name in ("one.npy", "one.json", "single.npz"):
        (listed,) = recorded.list_recordings(files / name)
        np.testing.assert_array_equal(recorded.read_recording(listed), SCORES)
    found = map(recorded.read_recording, recorded.list_recordings(files / "many.npz"))
    assert [len(scores) for scores in found] == [2, 1, 0]


def test_other_members_of_an_archive_are_no_utterances(files):
    with zipfile.ZipFile(files / "single.npz", "a") as archive:
        archive.writestr("README", "Recorded on a Tuesday.")
    path = files / "single.npz"
    assert recorded.list_recordings(path) == [f"{path}:only"]
    with pytest.raises(tokenizers.AssetError, match="got the array name 'README'"):
        recorded.read_recording(f"{path}:README")


def test_the_only_array_needs_no_name(files):
    np.testing.assert_array_equal(recorded.read_recording(files / "single.npz"), SCORES)


def test_a_colon_may_be_part_of_a_path(files):
    path = files / "a:b.npz"
    np.savez(path, x=SCORES, y=SCORES[:1])
    assert len(recorded.read_recording(f"{path}:y")) == 1


def listed_and_read(path):
    """Returns the first score of each recording by its name."""
    names = recorded.list_recordings(path)
    return {name: recorded.read_recording(name)[0, 0] for name in names}


@pytest.mark.parametrize(
    "names",
    [
        ["a", "a.npy", "a.npy.npy"],
        ["a.npy", "a"],
        ["a:b", "b", "a", ":", "", " "],
        ["x.npz:y", "y", "c.npz:x.npz:y"],
        ["de/utt-1", "utt-1", "中.json"],
    ],
)
@pytest.mark.parametrize("file", ["c.npz", "x.npz:c.npz", "a:b.npz"])
def test_any_name_of_an_array_leads_to_it(names, file, tmp_path):
    arrays = {name: np.full((1, 1), k) * 1.0 for k, name in enumerate(names)}
    path = tmp_path / file
    np.savez(path, **arrays)
    assert listed_and_read(path) == {f"{path}:{n}": k for k, n in enumerate(names)}


def test_a_name_of_two_recordings_is_refused(tmp_path):
    np.savez(tmp_path / "c.npz", **{"d.npy": SCORES, "e": SCORES})
    np.save(tmp_path / "c.npz:d.npy", SCORES[:1])
    for name in recorded.list_recordings(tmp_path / "c.npz:d.npy"):
        with pytest.raises(
            tokenizers.AssetError, match=r"name of one recording, found the files \["
        ):
            recorded.read_recording(name)
    assert len(recorded.read_recording(f"{tmp_path}/c.npz:e")) == 2


@pytest.mark.parametrize("name", ["x.npy", "x.npz", "x.json"])
def test_a_pipe_is_no_recording(name, tmp_path):
    os.mkfifo(tmp_path / name)
    for call in (recorded.read_recording, recorded.list_recordings):
        with pytest.raises(tokenizers.AssetError, match="expected a regular file"):
            call(tmp_path / name)


def test_another_suffix_is_named_with_those_that_will_do(tmp_path):
    with pytest.raises(
        tokenizers.AssetError,
        match=r"x\.txt: .* in \['\.json', '\.npy', '\.npz'\], found the suffix '\.txt'",
    ):
        recorded.read_recording(tmp_path / "x.txt")


def test_types_are_kept(files):
    np.save(files / "half.npy", SCORES.astype(np.float16))
    assert recorded.read_recording(files / "half.npy").dtype == np.float16
    assert recorded.read_recording(files / "one.json").dtype == np.float64


def test_the_model_reads_names_and_passes_scores_on(files):
    model = recorded.RecordedScores()
    assert isinstance(model, base.ScoreModel)
    read, passed = model.scores([files / "one.npy", SCORES])
    np.testing.assert_array_equal(read, SCORES)
    assert passed is SCORES


def test_an_array_that_is_not_there_is_named_with_those_that_are(files):
    path = files / "many.npz"
    with pytest.raises(
        tokenizers.AssetError, match=r"\['b', 'a', 'empty'\], got the array name 'c'\.$"
    ):
        recorded.read_recording(f"{path}:c")
    with pytest.raises(tokenizers.AssetError, match=r"got no array name\.$"):
        recorded.read_recording(path)


@pytest.mark.parametrize("name", ["no.npy", "no.npz", "no.npz:x", "no.json"])
def test_an_absent_file_is_named(name, tmp_path):
    with pytest.raises(tokenizers.AssetError, match=r"no\.[a-z]+: no such file\.$"):
        recorded.read_recording(f"{tmp_path / name}")
    with pytest.raises(tokenizers.AssetError, match="no"):
        recorded.list_recordings(f"{tmp_path / name}")


def test_an_absent_file_without_a_suffix_is_absent_first(tmp_path):
    with pytest.raises(tokenizers.AssetError, match=r"no: no such file\.$"):
        recorded.list_recordings(tmp_path / "no")


@pytest.mark.parametrize("suffix", [".npy", ".npz", ".json"])
def test_a_directory_is_no_recording(suffix, tmp_path):
    (tmp_path / f"x{suffix}").mkdir()
    with pytest.raises(
        tokenizers.AssetError, match="expected a file, found a directory"
    ):
        recorded.read_recording(tmp_path / f"x{suffix}")
