"""The log-mel spectrogram that Whisper's models listen to.

Shapes: S samples at 16 kHz, T frames of 10 ms, M mel bands, B bins of a transform.
"""

import functools

import numpy as np
from numpy import typing as npt

SECONDS_PER_FRAME = 0.01

_Floats = npt.NDArray[np.float32]

_WINDOW = 400  # Samples of one transform, 25 ms.
_HOP = 160
_SAMPLE_RATE = 16_000
_BLOCK_FRAMES = 3000  # Transformed together; 30 s, which a cache holds.
_LEAST_POWER = 1e-10
_DECADES = 8.0  # What is quieter than the loudest by this much is cut off.


def frame_count(samples: int) -> int:
    """Returns how many frames `samples` samples have."""
    return samples // _HOP


def log_mel(samples: _Floats, *, bands: int = 80) -> _Floats:
    """Returns the spectrogram `[M, T]` as `WhisperFeatureExtractor` computes it.

    What lies before the first sample mirrors what follows it; behind the last sample
    there is silence.

    Args:
      samples: `[S]`, at 16 kHz.
      bands: M; 80 in the models up to large-v2, 128 since.
    """
    frames = frame_count(len(samples))
    found = np.empty((bands, frames), np.float32)
    if not frames:
        return found
    for start in range(0, frames, _BLOCK_FRAMES):
        stop = min(start + _BLOCK_FRAMES, frames)
        found[:, start:stop] = _log_power(_padded(samples, start, stop), bands)
    np.maximum(found, found.max() - _DECADES, out=found)
    found += 4.0
    found /= 4.0
    return found


def _padded(samples: _Floats, start: int, stop: int) -> _Floats:
    """Returns the samples that frames `[start, stop)` look at."""
    half = _WINDOW // 2
    first, last = start * _HOP - half, (stop - 1) * _HOP + half
    before, behind = max(0, -first), max(0, last - len(samples))
    inside = samples[first + before : last]
    if not before and not behind:
        return inside
    # Of audio shorter than the mirror there is silence behind it, too.
    mirror = np.zeros(before, np.float32)
    mirrored = samples[1 : before + 1][::-1]
    mirror[before - len(mirrored) :] = mirrored
    return np.concatenate([mirror, inside, np.zeros(behind, np.float32)])


def _log_power(samples: _Floats, bands: int) -> _Floats:
    """Returns the decadic logarithm of the power `[M, T]` of each window."""
    windows = np.lib.stride_tricks.sliding_window_view(samples, _WINDOW)[::_HOP]
    bins = np.fft.rfft(windows * _hann(), axis=1)  # [T, B]
    power = np.square(bins.real)
    power += np.square(bins.imag)
    mel = mel_filters(bands) @ power.T
    np.maximum(mel, _LEAST_POWER, out=mel)
    found: _Floats = np.log10(mel, out=mel)
    return found


@functools.cache
def _hann() -> _Floats:
    # A period of the window, of which symmetric ones repeat the first point.
    return np.hanning(_WINDOW + 1)[:-1].astype(np.float32)


@functools.cache
def mel_filters(bands: int) -> _Floats:
    """Returns the weight `[M, B]` of each bin in each band: Slaney's, of equal area."""
    bins = np.fft.rfftfreq(_WINDOW, 1 / _SAMPLE_RATE)
    edges = _hertz(np.linspace(0, _mels(_SAMPLE_RATE / 2), bands + 2))
    rising = (bins - edges[:-2, None]) / np.diff(edges)[:-1, None]
    falling = (edges[2:, None] - bins) / np.diff(edges)[1:, None]
    weights = np.maximum(0, np.minimum(rising, falling))
    weights *= (2 / (edges[2:] - edges[:-2]))[:, None]
    return weights.astype(np.float32)


# Slaney's scale: linear up to 1 kHz, then 27 steps for each factor of 6.4.
_LINEAR_HERTZ = 200 / 3
_BREAK_HERTZ = 1000.0
_BREAK_MELS = _BREAK_HERTZ / _LINEAR_HERTZ
_LOG_STEP = np.log(6.4) / 27


def _mels(hertz: float) -> float:
    """Returns the place of a frequency above 1 kHz on the scale."""
    return float(_BREAK_MELS + np.log(hertz / _BREAK_HERTZ) / _LOG_STEP)


def _hertz(mels: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    above = _BREAK_HERTZ * np.exp(_LOG_STEP * (mels - _BREAK_MELS))
    return np.where(mels < _BREAK_MELS, mels * _LINEAR_HERTZ, above)
