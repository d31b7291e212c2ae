"""Joins the windows of an utterance to hypotheses of all of it.

Shapes: W windows, A alternatives of a window.
"""

import bisect
from collections.abc import Sequence
import dataclasses

from oasr.models import ctranslate2_whisper_alignment as alignment
from oasr.models import ctranslate2_whisper_cut as cutting
from oasr.models import searching
from oasr.models import token_segments


@dataclasses.dataclass(frozen=True, kw_only=True)
class Segment:
    """A part of a window's transcript.

    Attributes:
      tokens: how many tokens of its text.
      start: in frames of 20 ms from the start of the window.
      end: in frames, as `start`.
    """

    tokens: int
    start: float
    end: float


@dataclasses.dataclass(frozen=True, kw_only=True)
class Window:
    """What one window gave.

    Attributes:
      start: in frames of the spectrogram from the start of the audio.
      stop: where the next one begins, in frames as `start`.
      alternatives: `[A]`, the transcript first, no two of the same text; of the audio
        up to `stop`.
      segments: of the transcript.
      avg_logprob: of the transcript.
      no_speech_prob: how probable it is that nobody speaks.
      temperature: at which the transcript was written.
    """

    start: int
    stop: int
    alternatives: Sequence[alignment.Aligned]
    segments: Sequence[Segment] = ()
    avg_logprob: float | None = None
    no_speech_prob: float | None = None
    temperature: float | None = None


def join(
    windows: Sequence[Window],
    *,
    n_best: int,
    frame_count: float,
    language: str | None,
) -> list[searching.Found]:
    """Returns the hypotheses of an utterance, the most probable first.

    A hypothesis takes one alternative of each window; its score is the sum of theirs.
    Each window was told what the transcript, not the hypothesis, says before it. One
    hypothesis alone is the transcript.

    Args:
      windows: `[W]`, in order.
      n_best: how many, at most.
      frame_count: of the audio, in frames of 20 ms.
      language: of the speech.
    """
    found: dict[tuple[int, ...], searching.Found] = {}
    # More choices than hypotheses, as two choices may come to the same ids.
    for choice in _choices(windows, 2 * n_best):
        one = _hypothesis(windows, choice, frame_count, language)
        found.setdefault(tuple(one.ids), one)
    return list(found.values())[:n_best]


def _choices(windows: Sequence[Window], count: int) -> list[tuple[int, ...]]:
    """Returns which alternative of each window a hypothesis takes, for each.

    The best come first; among equals, those of earlier alternatives.
    """
    rows: list[tuple[float, tuple[int, ...]]] = [(0.0, ())]
    for window in windows:
        grown = [
            (score + alternative.score, (*choice, place))
            for score, choice in rows
            for place, alternative in enumerate(window.alternatives)
        ]
        rows = sorted(grown, key=lambda row: -row[0])[:count]
    return [choice for _, choice in rows]


def _hypothesis(
    windows: Sequence[Window],
    choice: Sequence[int],
    frame_count: float,
    language: str | None,
) -> searching.Found:
    ids: list[int] = []
    confidences: list[float] = []
    spans: list[alignment.Span] = []
    segments: list[token_segments.TokenSegment] = []
    score, latest = 0.0, 0.0
    for window, place in zip(windows, choice, strict=True):
        chosen = window.alternatives[place]
        origin = window.start / cutting.MEL_FRAMES
        segments += _segments(window, place, len(ids), frame_count)
        for begin, end in chosen.spans:
            begin = min(max(origin + begin, latest), frame_count)
            latest = min(max(origin + end, begin), frame_count)
            spans.append((begin, latest))
        ids += chosen.ids
        confidences += chosen.confidences
        score += chosen.score
    return searching.Found(
        ids=ids,
        score=score,
        confidences=confidences,
        spans=spans,
        segments=segments,
        language=language,
    )


def _segments(
    window: Window, place: int, first: int, frame_count: float
) -> list[token_segments.TokenSegment]:
    origin = window.start / cutting.MEL_FRAMES
    found = []
    counts = _token_counts(window, place)
    for segment, count in zip(window.segments, counts, strict=True):
        start = min(origin + segment.start, frame_count)
        found.append(
            token_segments.TokenSegment(
                first=first,
                stop=first + count,
                start=start,
                end=max(start, min(origin + segment.end, frame_count)),
                avg_logprob=window.avg_logprob,
                no_speech_prob=window.no_speech_prob,
                temperature=window.temperature,
                window_start=origin,
            )
        )
        first += count
    return found


def _token_counts(window: Window, place: int) -> list[int]:
    """Returns how many tokens of an alternative are in each segment of its window."""
    if place == 0 or not window.segments:
        return [segment.tokens for segment in window.segments]
    # The runtime cut the transcript only: others are cut where they were said.
    starts = [segment.start for segment in window.segments][1:]
    counts = [0] * len(window.segments)
    segment = 0
    for begin, _ in window.alternatives[place].spans:
        segment = max(segment, bisect.bisect_right(starts, begin))
        counts[segment] += 1
    return counts
