"""Tests for log_mel, against transformers' extractor."""

import numpy as np
import pytest
import transformers

from oasr.features import log_mel
from tests.features import clips

BANDS = (80, 128)
SECOND = 16_000


def reference(samples, bands):
    extractor = transformers.WhisperFeatureExtractor(feature_size=bands)
    return extractor(
        samples,
        sampling_rate=SECOND,
        padding="longest",
        truncation=False,
        return_tensors="np",
    )["input_features"][0]


def with_silence(samples):
    """Returns audio that ends on a whole frame, behind a second of silence."""
    padded = np.zeros(len(samples) // 160 * 160 + SECOND, np.float32)
    padded[: len(samples)] = samples
    return padded


def noise(count, seed=0, scale=0.1):
    generator = np.random.default_rng(seed)
    return (generator.normal(size=count) * scale).astype(np.float32)


CASES = {
    "speech": clips.beckett,
    "noise": lambda: noise(5 * SECOND),
    "faint_noise": lambda: noise(SECOND, scale=1e-6),
    "loud_noise": lambda: noise(SECOND, scale=100),
    "a_click": lambda: np.eye(1, SECOND, 777, dtype=np.float32)[0],
    "silence": lambda: np.zeros(SECOND, np.float32),
    "a_tone": lambda: np.sin(np.arange(SECOND) * 0.3).astype(np.float32),
    "more_than_a_block": lambda: noise(31 * SECOND + 123),
    "two_blocks_and_a_frame": lambda: noise(60 * SECOND + 160),
}


@pytest.mark.parametrize("bands", BANDS)
@pytest.mark.parametrize("case", CASES)
def test_it_is_that_of_transformers(case, bands):
    samples = with_silence(CASES[case]())
    found = log_mel.log_mel(samples, bands=bands)
    expected = reference(samples, bands)
    assert found.shape == expected.shape == (bands, log_mel.frame_count(len(samples)))
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, expected, atol=1e-4, rtol=0)


@pytest.mark.parametrize("bands", BANDS)
def test_silence_follows_the_last_sample(bands):
    samples = clips.beckett()
    found = log_mel.log_mel(samples, bands=bands)
    expected = reference(with_silence(samples), bands)
    assert found.shape[1] == len(samples) // 160
    np.testing.assert_allclose(found, expected[:, : found.shape[1]], atol=1e-4, rtol=0)


@pytest.mark.parametrize("count", [0, 1, 159, 160, 199, 200, 201, 319, 320, 400, 401])
def test_short_audio_has_the_frames_that_are_whole(count):
    found = log_mel.log_mel(noise(count))
    assert found.shape == (80, count // 160)
    assert np.isfinite(found).all()


@pytest.mark.parametrize("bands", BANDS)
def test_the_filters_are_those_of_transformers(bands):
    expected = transformers.WhisperFeatureExtractor(feature_size=bands).mel_filters
    np.testing.assert_allclose(
        log_mel.mel_filters(bands), expected.T, atol=1e-7, rtol=1e-5
    )
