"""Tests for recorded: names of recordings, and errors that say where and what."""

import io
import json
import pickle
import re
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


def test_types_are_kept(files):
    np.save(files / "half.npy", SCORES.astype(np.float16))
    assert recorded.read_recording(files / "half.npy").dtype == np.float16
    assert recorded.read_recording(files / "one.json").dtype == np.float64


def test_integers_in_json_are_scores(files):
    (files / "int.json").write_text("[[0, -30], [-30, 0]]")
    assert recorded.read_recording(files / "int.json").tolist() == [[0, -30], [-30, 0]]


def test_no_rows_are_no_frames(files):
    assert recorded.read_recording(files / "none.json").shape == (0, 0)


def test_the_model_reads_names_and_passes_scores_on(files):
    model = recorded.RecordedScores()
    assert isinstance(model, base.ScoreModel)
    read, passed = model.scores([files / "one.npy", SCORES])
    np.testing.assert_array_equal(read, SCORES)
    assert passed is SCORES


class Bomb:
    """An object whose unpickling would be seen."""

    exploded = False

    def __reduce__(self):
        return setattr, (Bomb, "exploded", True)


def test_nothing_is_unpickled(tmp_path):
    pickles = np.empty((1, 1), dtype=object)
    pickles[0, 0] = Bomb()
    np.save(tmp_path / "objects.npy", pickles, allow_pickle=True)
    np.savez(tmp_path / "objects.npz", x=pickles, allow_pickle=True)
    (tmp_path / "raw.npy").write_bytes(pickle.dumps(Bomb()))
    (tmp_path / "raw.npz").write_bytes(pickle.dumps(Bomb()))
    for name in ("objects.npy", "objects.npz:x", "raw.npy", "raw.npz"):
        with pytest.raises(
            tokenizers.AssetError, match=r"\.np[yz].*: expected .* found"
        ):
            recorded.read_recording(f"{tmp_path / name}")
    assert not Bomb.exploded


def test_a_cut_file_is_named(files):
    for name in ("one.npy", "single.npz"):
        content = (files / name).read_bytes()
        for length in (0, 3, 60, len(content) - 3):
            (files / name).write_bytes(content[:length])
            with pytest.raises(tokenizers.AssetError, match=re.escape(name)) as caught:
                recorded.read_recording(files / name)
            assert caught.value.__cause__ is not None


def test_an_altered_array_is_named(files):
    content = bytearray((files / "many.npz").read_bytes())
    place = content.index(SCORES.tobytes())
    content[place] ^= 0xFF
    (files / "many.npz").write_bytes(content)
    with pytest.raises(tokenizers.AssetError, match=r"many\.npz:b: expected an array"):
        recorded.read_recording(f"{files / 'many.npz'}:b")


def test_an_absurd_size_is_an_error_of_the_file(tmp_path):
    header = io.BytesIO()
    shape = {"descr": "<f4", "fortran_order": False, "shape": (2**40, 2**40)}
    np.lib.format.write_array_header_1_0(header, shape)
    (tmp_path / "huge.npy").write_bytes(header.getvalue())
    with pytest.raises(tokenizers.AssetError, match=r"huge\.npy: expected one array"):
        recorded.read_recording(tmp_path / "huge.npy")


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        (
            "x.json",
            "[[0.5, 0.5], [1.0]]",
            "row 1: expected 2 values as in row 0, found",
        ),
        ("x.json", "[[0.5], 3]", "row 1: expected a list of numbers, found int"),
        ("x.json", '[[0.5, "1"]]', "row 0, column 1: expected a number, found '1'"),
        ("x.json", "[[true]]", "row 0, column 0: expected a number, found True"),
        ("x.json", "[[null]]", "row 0, column 0: expected a number, found None"),
        ("x.json", "[[[0.5]]]", r"row 0, column 0: expected a number, found \[0\.5\]"),
        ("x.json", "[1" + "0" * 400 + "]", "row 0: expected a list"),
        ("x.json", "[[1" + "0" * 400 + "]]", "expected numbers that a float can hold"),
        ("x.json", '{"a": []}', "expected a list of rows, found dict"),
        ("x.json", "[[0.5", "expected JSON in UTF-8, found: .*line 1"),
        ("x.json", "[" * 100_000, "expected JSON in UTF-8, found"),
        ("x.json", "", "expected JSON in UTF-8, found"),
        ("x.txt", "", r"in \['\.json', '\.npy', '\.npz'\], found the suffix '\.txt'"),
    ],
)
def test_a_malformed_file_is_named_with_the_place(name, content, message, tmp_path):
    (tmp_path / name).write_text(content)
    with pytest.raises(tokenizers.AssetError, match=f"x\\.[a-z]+: .*{message}"):
        recorded.read_recording(tmp_path / name)


def test_json_is_utf8(tmp_path):
    (tmp_path / "x.json").write_bytes(b"[[\xff]]")
    with pytest.raises(tokenizers.AssetError, match=r"x\.json: expected JSON in UTF-8"):
        recorded.read_recording(tmp_path / "x.json")


@pytest.mark.parametrize(
    "array", [SCORES[0], SCORES[None], SCORES.astype(int), SCORES > 0, np.array("a")]
)
def test_other_arrays_are_refused_with_shape_and_type(array, tmp_path):
    np.save(tmp_path / "x.npy", array)
    np.savez(tmp_path / "x.npz", y=array)
    message = re.escape(f"found shape {array.shape} of {array.dtype}.")
    for name in ("x.npy", "x.npz:y"):
        with pytest.raises(tokenizers.AssetError, match=f"{name}: .*{message}"):
            recorded.read_recording(f"{tmp_path}/{name}")


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


@pytest.mark.parametrize("suffix", [".npy", ".npz", ".json"])
def test_a_directory_is_no_recording(suffix, tmp_path):
    (tmp_path / f"x{suffix}").mkdir()
    with pytest.raises(
        tokenizers.AssetError, match="expected a file, found a directory"
    ):
        recorded.read_recording(tmp_path / f"x{suffix}")
