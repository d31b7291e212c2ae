"""Our spectrogram in faster-whisper's hands."""

import numpy as np

from oasr.features import audio
from oasr.features import log_mel


class OurSpectrogram:
    """In the place of `faster_whisper.feature_extractor.FeatureExtractor`."""

    sampling_rate, hop_length, nb_max_frames = audio.SAMPLE_RATE, 160, 3000
    time_per_frame, n_samples = 0.01, 30 * audio.SAMPLE_RATE

    def __call__(self, samples, chunk_length=None):
        del chunk_length
        return np.pad(log_mel.log_mel(samples), ((0, 0), (0, 1)))
