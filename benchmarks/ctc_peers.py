"""Other CTC beam searches, each from `[T, V]` log-probabilities to the best ids.

Blank is label 0. Labels are given to the peers as single characters.
"""

from collections.abc import Callable
import itertools
import logging

import fast_ctc_decode
from flashlight.lib.text import decoder as flashlight
import numpy as np
from numpy import typing as npt

logging.getLogger("pyctcdecode").setLevel(logging.ERROR)
import pyctcdecode  # noqa: E402  (It logs what it lacks when it loads.)

Float32 = npt.NDArray[np.float32]
Search = Callable[[], list[int]]

_FIRST = 0x4E00  # Characters that no peer takes for a space or a mark.


def _characters(labels: int) -> list[str]:
    return [chr(_FIRST + k) for k in range(labels)]


def fast(log_probs: Float32, beam_size: int, cut: float) -> Search:
    """Returns fast-ctc-decode; labels of a frame below `cut` are ignored."""
    probs = np.exp(log_probs)
    characters = _characters(log_probs.shape[1])

    def search() -> list[int]:
        text, _ = fast_ctc_decode.beam_search(
            probs, characters, beam_size=beam_size, beam_cut_threshold=cut
        )
        return [ord(character) - _FIRST for character in text]

    return search


def py(log_probs: Float32, beam_size: int) -> Search:
    """Returns pyctcdecode with its defaults."""
    characters = _characters(log_probs.shape[1])
    decoder = pyctcdecode.build_ctcdecoder(["", *characters[1:]])

    def search() -> list[int]:
        beam = decoder.decode_beams(log_probs, beam_width=beam_size)[0]
        return [ord(character) - _FIRST for character in beam[0]]

    return search


def flash(log_probs: Float32, beam_size: int, tokens: int) -> Search:
    """Returns flashlight-text without a lexicon; the best `tokens` labels extend."""
    options = flashlight.LexiconFreeDecoderOptions(
        beam_size=beam_size,
        beam_size_token=min(tokens, log_probs.shape[1]),
        beam_threshold=50.0,
        lm_weight=0.0,
        sil_score=0.0,
        log_add=True,
        criterion_type=flashlight.CriterionType.CTC,
    )
    no_silence = -1
    decoder = flashlight.LexiconFreeDecoder(
        options, flashlight.ZeroLM(), no_silence, 0, []
    )
    frames, labels = log_probs.shape

    def search() -> list[int]:
        path = decoder.decode(log_probs.ctypes.data, frames, labels)[0].tokens
        return [label for label, _ in itertools.groupby(path[1:-1]) if label != 0]

    return search
