"""Reads audio of any format, rate and channels as mono samples at 16 kHz.

Shapes: S samples, F frames of a file, C channels.
"""

from collections.abc import Iterator
import dataclasses
import io
import math
import os
import re
from typing import Any, BinaryIO

import numpy as np
from numpy import typing as npt

from oasr import showing
from oasr.features import libraries
from oasr.features import sample_buffer
from oasr.tokenizers import errors

SAMPLE_RATE = 16_000
Samples = npt.NDArray[np.float32]

# Samples go from -1 to 1, and after a resampler or a codec a little beyond. Whole
# numbers of 16 bits that somebody took for them are loud above all measure: a model
# would hear noise, and say nothing.
_LOUDEST = 100.0
# Read at a time, so that an hour of six channels is never in memory as such.
_BLOCK_FRAMES = 1 << 16
# What says that a file was written without knowing how long it would be.
_UNKNOWN_FRAMES = 2**62
_UNKNOWN_BYTES = 0x7FFFF000
# A header that states no samples may be followed by so much else.
_MOST_NOTES = 4096
# What the library notes of the chunk of samples of a file.
_STATED = re.compile(
    r"^ *(?:data|SSND|Data Size) *: *(\d+)(?: \(should be (\d+)\))?", re.M
)
_LENGTH = re.compile(r"^Length *: *(\d+)", re.M)


@dataclasses.dataclass(frozen=True, eq=False, kw_only=True)
class Audio:
    """What one recording sounds like.

    Attributes:
      samples: `[S]`, mono, 16,000 a second, of full scale from -1 to 1.
      seconds: how long it is by the file's own clock.
    """

    samples: Samples
    seconds: float


def read(
    source: str | os.PathLike[str] | BinaryIO, *, name: str | None = None
) -> Audio:
    """Returns the audio of a file, its channels mixed to one.

    It is read in blocks: an hour needs little more memory than its samples.

    Args:
      source: a path, or a binary file object; one that cannot seek, as standard input
        may not, is read into memory first.
      name: what errors call it; by default the path, or "audio".

    Raises:
      ImportError: if the libraries are not installed.
      AssetError: if it is absent, no audio, shorter than its header says, or has
        samples that are no numbers, or far from -1 to 1. Ogg and MP3 do not say how
        long they are.
      TypeError: if `source` is neither.
    """
    soundfile = libraries.load("soundfile")
    opened, called = _opened(source, name)
    try:
        with soundfile.SoundFile(opened) as file:
            return _read(file, called)
    except soundfile.SoundFileError as error:
        raise errors.AssetError(_refusal(called, source, error)) from error


def of(inputs: object) -> Audio:
    """Returns audio that is in memory already.

    Args:
      inputs: an `Audio`, or float samples `[S]` at 16 kHz.

    Raises:
      ValueError: if it is neither, or a sample is no number, or far from -1 to 1.
    """
    if isinstance(inputs, Audio):
        return inputs
    samples = np.asarray(inputs)
    if samples.ndim != 1 or not np.issubdtype(samples.dtype, np.floating):
        raise ValueError(
            "Audio is an oasr.features.audio.Audio, or float samples [S] at 16 kHz;"
            f" got {showing.shown(inputs)}."
        )
    bad = _bad(samples)
    if bad.size:
        raise ValueError(
            f"Sample {bad[0]} of the audio is {samples[bad[0]]}; expected -1 to 1."
        )
    samples = samples.astype(np.float32, copy=False)
    return Audio(samples=samples, seconds=len(samples) / SAMPLE_RATE)


def _opened(source: Any, name: str | None) -> tuple[Any, str]:
    """Returns what the library can open, and what to call it."""
    if isinstance(source, str | os.PathLike):
        path = os.fspath(source)
        # In the bytes that the system knows it by, which need not be UTF-8.
        return os.fsencode(path), name or os.fsdecode(path)
    if not callable(getattr(source, "read", None)):
        raise TypeError(
            f"Expected a path or a binary file object, got {showing.shown(source)}."
        )
    called = name or "audio"
    if not isinstance(source.read(0), bytes):
        raise TypeError(f"{called}: expected a binary file object, got one of text.")
    seekable = getattr(source, "seekable", None)
    if callable(seekable) and seekable():
        return source, called
    return io.BytesIO(source.read()), called


def _read(file: Any, name: str) -> Audio:
    _check_header(file, name)
    rate, stated = file.samplerate, file.frames
    known = 0 <= stated < _UNKNOWN_FRAMES
    expected = math.ceil(stated * SAMPLE_RATE / rate) if known else 0
    buffer = sample_buffer.SampleBuffer(expected)
    frames = 0
    if rate == SAMPLE_RATE:
        for block in _blocks(file, name):
            buffer.append(block)
            frames += len(block)
    else:
        stream = libraries.load("soxr").ResampleStream(
            rate, SAMPLE_RATE, 1, dtype="float32"
        )
        for block in _blocks(file, name):
            buffer.append(stream.resample_chunk(block))
            frames += len(block)
        if frames:
            buffer.append(stream.resample_chunk(np.zeros(0, np.float32), last=True))
    _check_length(file, name, frames)
    # The resampler may end a sample early or late.
    count = round(frames * SAMPLE_RATE / rate)
    return Audio(samples=buffer.samples(count), seconds=frames / rate)


def _blocks(file: Any, name: str) -> Iterator[Samples]:
    """Yields mono samples at the file's rate."""
    start = 0
    while True:
        block = file.read(_BLOCK_FRAMES, dtype="float32", always_2d=True)  # [F, C]
        if not len(block):
            return
        bad = _bad(block.ravel())
        if bad.size:
            seconds = (start + bad[0] // block.shape[1]) / file.samplerate
            raise errors.AssetError(
                f"{name}: the sample at {seconds:.3f} s is {block.flat[bad[0]]:g};"
                " expected -1 to 1."
            )
        mono = block[:, 0] if block.shape[1] == 1 else block.mean(axis=1)
        yield np.ascontiguousarray(mono, np.float32)
        start += len(block)


def _bad(samples: npt.NDArray[Any]) -> npt.NDArray[np.intp]:
    """Returns the places of samples that are no numbers, or too large."""
    return np.flatnonzero(~(np.abs(samples) <= _LOUDEST))


def _check_header(file: Any, name: str) -> None:
    """Raises if the header states more bytes of samples than there are, or none."""
    found = _STATED.search(file.extra_info)
    if not found:
        return
    stated, really = int(found[1]), int(found[2] or found[1])
    if really < stated < _UNKNOWN_BYTES:
        raise errors.AssetError(
            f"{name}: the audio is cut short; its header states {stated} bytes of"
            f" samples, and there are {really}."
        )
    length = _LENGTH.search(file.extra_info)
    if stated == 0 and length and int(length[1]) > _MOST_NOTES:
        raise errors.AssetError(
            f"{name}: its header states no samples, and the file has"
            f" {length[1]} bytes; a program that writes a stream may leave it so."
        )


def _check_length(file: Any, name: str, frames: int) -> None:
    # The frames of an MP3 are an estimate.
    stated = 0 if file.format in ("MP3", "MPEG") else file.frames
    if frames < stated < _UNKNOWN_FRAMES:
        raise errors.AssetError(
            f"{name}: the audio is cut short; it ends after"
            f" {frames / file.samplerate:.3f} s of {stated / file.samplerate:.3f} s."
        )


def _refusal(name: str, source: object, error: Exception) -> str:
    """Returns why a file cannot be read, as the system or the library says it."""
    if isinstance(source, str | os.PathLike):
        try:
            with open(source, "rb"):
                pass
        except (OSError, ValueError) as reason:
            text = getattr(reason, "strerror", None) or str(reason)
            return f"{name}: cannot be read: {text}."
    said = getattr(error, "error_string", None) or str(error)
    return f"{name}: no audio that can be read: {said.rstrip('.')}."
