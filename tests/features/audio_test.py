"""Tests for audio: every format comes to mono at 16 kHz, and what is none is refused.

The references are soundfile's samples and soxr's resampling of all of them at once.
"""

import io
import os
import pathlib
import re
import struct
import sys
import tracemalloc

import numpy as np
import pytest
import soundfile
import soxr

from oasr import tokenizers
from oasr.features import audio
from tests.features import clips

BLOCK = 1 << 16


def noise(count, channels=1, seed=0):
    generator = np.random.default_rng(seed)
    samples = generator.uniform(-0.5, 0.5, (count, channels)).astype(np.float32)
    return samples[:, 0] if channels == 1 else samples


def read(content, **options):
    return audio.read(io.BytesIO(content), **options)


def refusal(source, **options):
    with pytest.raises(tokenizers.AssetError) as error:
        audio.read(source, **options)
    return str(error.value)


FORMATS = {
    "wav_16": ("WAV", "PCM_16"),
    "wav_24": ("WAV", "PCM_24"),
    "wav_float": ("WAV", "FLOAT"),
    "wav_8": ("WAV", "PCM_U8"),
    "wav_ulaw": ("WAV", "ULAW"),
    "flac": ("FLAC", "PCM_16"),
    "ogg": ("OGG", "VORBIS"),
    "aiff": ("AIFF", "PCM_16"),
    "w64": ("W64", "PCM_16"),
    "caf": ("CAF", "PCM_16"),
    "au": ("AU", "PCM_16"),
}


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("channels", [1, 2, 6])
def test_channels_are_mixed_to_one(name, channels):
    container, subtype = FORMATS[name]
    content = clips.encoded(
        noise(3000, channels), 16_000, container=container, subtype=subtype
    )
    expected, _ = soundfile.read(io.BytesIO(content), dtype="float32", always_2d=True)
    found = read(content)
    assert found.samples.dtype == np.float32
    np.testing.assert_allclose(found.samples, expected.mean(axis=1), atol=1e-6)
    assert found.seconds == 3000 / 16_000


@pytest.mark.parametrize("rate", [8000, 11_025, 22_050, 44_100, 48_000, 96_000])
@pytest.mark.parametrize("count", [1, 100, 4801, BLOCK - 1, BLOCK, 2 * BLOCK + 7])
def test_rates_are_resampled(rate, count):
    samples = noise(count)
    found = read(clips.encoded(samples, rate, subtype="FLOAT"))
    assert len(found.samples) == round(count * 16_000 / rate)
    assert found.seconds == count / rate
    expected = np.zeros(len(found.samples), np.float32)
    whole = soxr.resample(samples, rate, 16_000)[: len(expected)]
    expected[: len(whole)] = whole
    np.testing.assert_allclose(found.samples, expected, atol=2e-4)


def test_a_click_stays_where_it_is():
    samples = np.zeros(48_000, np.float32)
    samples[24_000] = 1
    found = read(clips.encoded(samples, 48_000))
    assert np.abs(found.samples).argmax() == 8000


def test_no_samples_are_no_error():
    for rate in (8000, 16_000):
        found = read(clips.encoded(np.zeros((0, 6)), rate))
        assert (found.samples.shape, found.seconds) == ((0,), 0.0)


def test_a_path_and_what_cannot_seek_are_read(tmp_path):
    content = clips.beckett_path().read_bytes()
    expected = clips.beckett()
    path = tmp_path / "clip.wav"
    path.write_bytes(content)

    class Pipe(io.RawIOBase):
        def __init__(self):
            super().__init__()
            self._left = io.BytesIO(content)

        def readable(self):
            return True

        def readinto(self, buffer):
            return self._left.readinto(buffer)

    for source in (path, str(path), io.BufferedReader(Pipe()), io.BytesIO(content)):
        found = audio.read(source)
        np.testing.assert_array_equal(found.samples, expected)
        assert found.seconds == len(expected) / 16_000


def test_a_name_that_is_no_utf_8_is_opened(tmp_path):
    name = os.fsdecode(b"caf\xe9 \xe4\xbd\xa0.wav")
    path = os.path.join(tmp_path, name)
    with open(path, "wb") as file:
        file.write(clips.beckett_path().read_bytes())
    for source in (path, pathlib.Path(path)):
        np.testing.assert_array_equal(audio.read(source).samples, clips.beckett())
    with open(path, "wb") as file:
        file.write(b"no audio")
    assert refusal(path).startswith(f"{path}: no audio that can be read")


BROKEN = {
    "nothing": (b"", "no audio that can be read"),
    "text": (b"hello world\n" * 100, "no audio that can be read"),
    "half_a_wav": (
        clips.encoded(noise(1000), 16_000)[:1044],
        r"cut short; its header states 2000 bytes of samples, and there are 1000\.",
    ),
    "half_a_flac": (
        clips.encoded(noise(9000), 16_000, container="FLAC")[:9000],
        "no audio that can be read|cut short",
    ),
    "half_a_header": (clips.encoded(noise(1000), 16_000)[:20], "no audio"),
    "a_png": (b"\x89PNG\r\n\x1a\n" + bytes(1000), "no audio that can be read"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_no_audio_is_refused(name, tmp_path):
    content, message = BROKEN[name]
    path = tmp_path / f"{name}.bin"
    path.write_bytes(content)
    for said in (
        refusal(path),
        refusal(io.BytesIO(content), name=str(path)),
    ):
        assert said.startswith(f"{path}: ")
        assert re.search(message, said)


def test_a_stream_of_unknown_length_is_read():
    samples = noise(3000)
    content = bytearray(clips.encoded(samples, 16_000))
    place = content.index(b"data") + 4
    expected = read(bytes(content)).samples
    for stated in (0xFFFFFFFF, 0x7FFFF000):
        content[place : place + 4] = struct.pack("<I", stated)
        np.testing.assert_array_equal(read(bytes(content)).samples, expected)
    content[place : place + 4] = bytes(4)
    assert "its header states no samples, and the file has 6044 bytes" in refusal(
        io.BytesIO(bytes(content))
    )


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 3e38, -32_768.0])
@pytest.mark.parametrize("rate", [16_000, 48_000])
def test_samples_that_are_no_numbers_or_far_too_large_are_refused(value, rate):
    samples = noise(BLOCK + 100, 2)
    samples[BLOCK + 9, 1] = value
    said = refusal(
        io.BytesIO(clips.encoded(samples, rate, subtype="FLOAT")), name="a.wav"
    )
    place = f"{(BLOCK + 9) / rate:.3f} s"
    assert said == f"a.wav: the sample at {place} is {value:g}; expected -1 to 1."


def test_samples_a_little_beyond_full_scale_are_audio():
    samples = 4 * noise(100).astype(np.float32)
    content = clips.encoded(samples, 16_000, subtype="FLOAT")
    np.testing.assert_array_equal(read(content).samples, samples)
    np.testing.assert_array_equal(audio.of(samples).samples, samples)


def test_what_cannot_be_opened_is_refused(tmp_path):
    assert refusal(tmp_path / "no.wav").endswith(
        "cannot be read: No such file or directory."
    )
    assert refusal(tmp_path).endswith("cannot be read: Is a directory.")
    for source in (b"abc", 3, None, io.StringIO("x")):
        with pytest.raises(TypeError, match="binary file object"):
            audio.read(source)


def test_memory_is_that_of_the_samples():
    seconds = 120
    content = clips.encoded(
        np.zeros((seconds * 48_000, 6), np.int16), 48_000, container="FLAC"
    )
    needed = seconds * 16_000 * 4
    tracemalloc.start()
    try:
        found = read(content)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(found.samples) == seconds * 16_000
    # A block of six channels, and what is made of it.
    assert peak < needed + 8 * BLOCK * 6 * 4


def test_a_missing_library_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "soundfile", None)
    with pytest.raises(ImportError, match=r"pip install 'oasr-server\[recognizer\]'"):
        audio.read("clip.wav")


def test_samples_in_memory_are_audio():
    samples = clips.beckett()
    for given in (samples, samples.astype(np.float64), samples.tolist()):
        found = audio.of(given)
        assert found.samples.dtype == np.float32
        np.testing.assert_array_equal(found.samples, samples)
        assert found.seconds == len(samples) / 16_000
    assert audio.of(found) is found


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (np.zeros(3, np.int16), "float samples"),
        (np.zeros((3, 2), np.float32), "float samples"),
        ("clip.wav", "float samples"),
        (None, "float samples"),
        ([0.0, np.nan], "Sample 1 of the audio is nan; expected -1 to 1"),
        ([0.0, 0.5, -32768.0], "Sample 2 of the audio is -32768.0; expected -1 to 1"),
        ([1e300], r"Sample 0 of the audio is 1e\+300; expected -1 to 1"),
    ],
)
def test_what_is_no_samples_is_refused(given, message):
    with pytest.raises(ValueError, match=message):
        audio.of(given)
