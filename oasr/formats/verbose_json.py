"""The object that OpenAI's transcription service calls `verbose_json`."""

from collections.abc import Iterable
import itertools
from typing import Any
import zlib

from oasr.engine import request as requests
from oasr.formats import base
from oasr.formats import clock
from oasr.formats import json_text
from oasr.formats import language_names
from oasr.formats import places
from oasr.formats import segments as segment_lists

# `seek` counts frames of the spectrogram, which are 10 ms apart.
_SEEKS_PER_SECOND = 100


class VerboseJson(base.Format):
    """Writes one output: text, segments, and words if it has some.

    What is not known of a segment is null. Words have their `probability`, too, as
    Whisper's own JSON has it.
    """

    holds_many = False

    def __init__(self, *, task: str = "transcribe") -> None:
        """Sets what was asked for.

        Args:
          task: "transcribe" or "translate".
        """
        self._task = task

    def render(self, output: requests.RequestOutput) -> str:
        """Returns the object of an output."""
        timed = output.words is not None or output.segments is not None
        language = output.language
        fields = {
            "task": self._task,
            "language": language and language_names.name_of(language),
            "duration": None if output.duration is None else _time(output.duration),
            "text": output.text,
            "segments": _segments(output) if timed else [],
        }
        if output.words is not None:
            fields["words"] = [
                {
                    "word": word.word,
                    "start": _time(word.start),
                    "end": _time(word.end),
                    "probability": word.confidence,
                }
                for word in output.words
            ]
        return json_text.line(fields)


def _segments(output: requests.RequestOutput) -> list[dict[str, Any]]:
    ratios = _compression_ratios(output)
    return [
        _segment(one, number=number, compression_ratio=ratio)
        for number, (one, ratio) in enumerate(
            zip(segment_lists.of(output), ratios, strict=False)
        )
    ]


def _compression_ratios(output: requests.RequestOutput) -> Iterable[float]:
    """Returns for each segment how far zlib shortens what its window says."""
    if output.segments is None:
        return itertools.repeat(_compression_ratio(output.text))
    texts = [one.text for one in output.segments]
    spans = places.of(texts, output, what="segment")
    windows = itertools.groupby(
        zip(output.segments, spans, strict=True), lambda pair: pair[0].window_start
    )
    found: list[float] = []
    for _, window in windows:
        bounds = [span for _, span in window]
        ratio = _compression_ratio(output.text[bounds[0][0] : bounds[-1][1]])
        found += [ratio] * len(bounds)
    return found


def _segment(
    segment: requests.Segment, *, number: int, compression_ratio: float
) -> dict[str, Any]:
    return {
        "id": number,
        "seek": round(segment.window_start * _SEEKS_PER_SECOND),
        "start": _time(segment.start),
        "end": _time(segment.end),
        "text": segment.text,
        "tokens": segment.tokens,
        "temperature": segment.temperature,
        "avg_logprob": segment.avg_logprob,
        "compression_ratio": compression_ratio,
        "no_speech_prob": segment.no_speech_prob,
    }


def _compression_ratio(text: str) -> float:
    """Returns how far zlib shortens a text; repetitions it shortens far."""
    content = text.encode("utf-8", "replace")
    return len(content) / len(zlib.compress(content))


def _time(seconds: float) -> float:
    return clock.milliseconds(seconds) / 1000
