"""Tests for recorded_arrays: what damaged files and files that lie are told."""

import io
import os
import pickle
import random
import re
import tracemalloc
import warnings
import zipfile

import numpy as np
import pytest

from oasr import tokenizers
from oasr.models import recorded
from oasr.models import recorded_arrays
from tests import conftest

SCORES = np.log(np.array([[0.25, 0.75], [0.5, 0.5]], np.float32))


@pytest.fixture
def files(tmp_path):
    np.save(tmp_path / "one.npy", SCORES)
    np.savez(tmp_path / "many.npz", b=SCORES, a=SCORES[:1], empty=SCORES[:0])
    np.savez_compressed(tmp_path / "single.npz", only=SCORES)
    return tmp_path


def header(shape, version=(1, 0)):
    """Returns the header of an array of float32."""
    file = io.BytesIO()
    fields = {"descr": "<f4", "fortran_order": False, "shape": shape}
    write = {
        (1, 0): np.lib.format.write_array_header_1_0,
        (2, 0): np.lib.format.write_array_header_2_0,
    }
    write[version](file, fields)
    return file.getvalue()


@pytest.mark.parametrize("dtype", ["<f2", "<f4", ">f4", "<f8", np.longdouble])
@pytest.mark.parametrize("version", [(1, 0), (2, 0), (3, 0)])
@pytest.mark.parametrize("order", ["C", "F"])
def test_arrays_are_read_as_they_were_written(dtype, version, order, tmp_path):
    scores = np.asarray(np.arange(6.0).reshape(2, 3), dtype, order=order)
    with open(tmp_path / "x.npy", "wb") as file:
        np.lib.format.write_array(file, scores, version)
    with zipfile.ZipFile(tmp_path / "x.npz", "w", zipfile.ZIP_LZMA) as archive:
        archive.write(tmp_path / "x.npy", "y.npy")
    for found in (
        recorded_arrays.read_npy(tmp_path / "x.npy"),
        recorded_arrays.read_npz(tmp_path / "x.npz", "y"),
    ):
        np.testing.assert_array_equal(found, scores)
        assert found.dtype == scores.dtype


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
            by_size = "bytes for the shape" in str(caught.value)
            assert by_size or caught.value.__cause__ is not None


def test_an_altered_array_is_named(files):
    content = bytearray((files / "many.npz").read_bytes())
    place = content.index(SCORES.tobytes())
    content[place] ^= 0xFF
    (files / "many.npz").write_bytes(content)
    with pytest.raises(tokenizers.AssetError, match=r"many\.npz:b: expected an array"):
        recorded.read_recording(f"{files / 'many.npz'}:b")


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


def test_names_that_are_there_twice_are_refused(files):
    content = (files / "one.npy").read_bytes()
    with zipfile.ZipFile(files / "twice.npz", "w") as archive:
        for name in ("a.npy", "b.npy", "b.npy"):
            with warnings.catch_warnings(action="ignore"):
                archive.writestr(name, content)
    for call in (
        recorded_arrays.array_names,
        lambda path: recorded_arrays.read_npz(path, "a"),
    ):
        with pytest.raises(
            tokenizers.AssetError, match=r"twice\.npz: .* names, found 'b' more than"
        ):
            call(files / "twice.npz")


def refused_cheaply(call):
    """Returns the error of `call`, which must not take memory before it."""
    tracemalloc.start()
    try:
        with pytest.raises(tokenizers.AssetError) as caught:
            call()
        assert tracemalloc.get_traced_memory()[1] < 1 << 20
    finally:
        tracemalloc.stop()
    return str(caught.value)


@pytest.mark.parametrize("version", [(1, 0), (2, 0)])
@pytest.mark.parametrize(
    ("shape", "content", "message"),
    [
        ((2**40, 2**40), 16, "at most 1073741824 bytes of scores, found the shape"),
        ((2**14, 2**14 + 1), 16, "at most 1073741824 bytes of scores"),
        ((2**13, 2**13), 16, "expected 268435456 bytes for the shape"),
        ((2, 2), 15, r"expected 16 bytes for the shape \(2, 2\) of float32, found 15"),
        ((2, 2), 17, r"expected 16 bytes for the shape \(2, 2\) of float32, found 17"),
        ((0, 2), 8, "expected 0 bytes .* found 8"),
        ((-2, -2), 16, r"found shape \(-2, -2\) of float32"),
        ((10**4000, 2), 16, r"found the shape \(10{55}\.\.\. of float32"),
    ],
    ids=range(8),
)
def test_a_header_that_declares_another_size_is_refused(
    shape, content, message, version, tmp_path
):
    (tmp_path / "x.npy").write_bytes(header(shape, version) + bytes(content))
    with zipfile.ZipFile(tmp_path / "x.npz", "w") as archive:
        archive.write(tmp_path / "x.npy", "y.npy")
    for name in ("x.npy", "x.npz:y"):
        path = f"{tmp_path / name}"
        error = refused_cheaply(lambda path=path: recorded.read_recording(path))
        assert error.startswith(path)
        assert re.search(message, error)


def test_content_over_the_limit_is_not_read(tmp_path):
    shape = (2**14, 2**14 + 1)
    path = tmp_path / "x.npy"
    path.write_bytes(header(shape))
    os.truncate(path, len(header(shape)) + 4 * shape[0] * shape[1])
    error = refused_cheaply(lambda: recorded_arrays.read_npy(path))
    assert "x.npy: expected at most 1073741824 bytes of scores" in error


def test_next_to_nothing_does_not_become_much(tmp_path):
    zeros = np.zeros((4200, 4200), np.float32)
    path = tmp_path / "zeros.npz"
    np.savez_compressed(path, x=zeros, small=zeros[:100])
    assert path.stat().st_size < 100_000
    error = refused_cheaply(lambda: recorded_arrays.read_npz(path, "x"))
    assert "zeros.npz:x: expected at most 100 bytes for each of" in error
    assert len(recorded_arrays.read_npz(path, "small")) == 100
    np.savez(path, x=zeros)
    assert recorded_arrays.read_npz(path).shape == zeros.shape


# What numpy and zipfile raise here is of a dozen classes.
_BASES = [
    "one.npy",
    "wide.npy",
    "many.npz",
    "single.npz",
    "bz2.npz",
    "xz.npz",
    "one.json",
]


@pytest.fixture(scope="module")
def bases(tmp_path_factory):
    folder = tmp_path_factory.mktemp("bases")
    np.save(folder / "one.npy", SCORES)
    (folder / "wide.npy").write_bytes(header((2, 2), (2, 0)) + SCORES.tobytes())
    np.savez(folder / "many.npz", b=SCORES, a=SCORES[:1])
    np.savez_compressed(folder / "single.npz", only=SCORES)
    for name, method in (("bz2.npz", zipfile.ZIP_BZIP2), ("xz.npz", zipfile.ZIP_LZMA)):
        with zipfile.ZipFile(folder / name, "w", method) as archive:
            archive.write(folder / "one.npy", "x.npy")
    (folder / "one.json").write_text(str(SCORES.tolist()))
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def damaged(content, generator):
    """Returns `content` with a few places altered; the ends often."""
    content = bytearray(content)
    for _ in range(generator.randrange(1, 5)):
        size = len(content)
        near = generator.randrange(min(size, 130) + 1)
        place = generator.choice([near, size - near, generator.randrange(size + 1)])
        altered = generator.choice(
            [b"", b"\0", b"\xff", b"(", b"9", b"'", bytes([generator.randrange(256)])]
        )
        content[place : place + generator.choice([0, 1, 1, 1, 4])] = altered
        if generator.random() < 0.1:
            del content[place:]
    return bytes(content)


@pytest.mark.parametrize("name", _BASES)
@pytest.mark.parametrize("seed", range(5))
def test_whatever_happened_to_a_file_it_is_named(name, seed, bases, tmp_path):
    generator = random.Random(f"{name} {seed}")
    path = tmp_path / name
    for _ in range(100 * conftest.SCALE):
        path.write_bytes(damaged(bases[name], generator))
        for call in (list_and_read, recorded.read_recording):
            error = error_of(call, path)
            assert not error or error.startswith(str(path))
            assert not error or re.search(r"expected|no such file", error)
            assert len(error) < 1500


def list_and_read(path):
    for name in recorded.list_recordings(path):
        assert recorded.read_recording(name).ndim == 2


def error_of(call, path):
    try:
        call(path)
    except tokenizers.AssetError as error:
        return str(error)
    return ""
