"""Segments of a transcript: cut at its timestamp tokens, and rendered."""

from collections.abc import Sequence
import itertools
from typing import Protocol

import numpy as np
from numpy import typing as npt

from oasr import showing
from oasr.engine import request
from oasr.engine.decode import alignment
from oasr.models import token_segments
from oasr.tokenizers import token_ids


class _Pieces(Protocol):
    """Cuts the text of ids into what each gives."""

    def joined_pieces(
        self, ids: token_ids.TokenIds
    ) -> tuple[bytes, npt.NDArray[np.int64]]:
        """Returns the UTF-8 of all pieces, and the byte `[N]` at which each ends."""


def cut(
    ids: Sequence[int],
    first_timestamp_id: int,
    *,
    frames_per_timestamp: float,
    frame_count: float,
) -> tuple[token_segments.TokenSegment, ...]:
    """Returns the segments between timestamps that hold tokens, in order.

    One with no timestamp before it starts with the audio; one with none behind it ends
    with the audio, and nothing ends after that.

    Args:
      ids: of one hypothesis.
      first_timestamp_id: that of 0 s; the next ones follow a step apart.
      frames_per_timestamp: how many frames a step is.
      frame_count: how many frames there are.
    """
    found: list[token_segments.TokenSegment] = []
    start, first = 0.0, 0
    for place, token_id in enumerate([*ids, None]):
        if token_id is not None and token_id < first_timestamp_id:
            continue
        time = frame_count
        if token_id is not None:
            time = min(
                (token_id - first_timestamp_id) * frames_per_timestamp, frame_count
            )
        if first < place:
            found.append(
                token_segments.TokenSegment(
                    first=first, stop=place, start=start, end=max(start, time)
                )
            )
        start, first = time, place + 1
    return tuple(found)


def render(
    pieces: _Pieces,
    ids: Sequence[int],
    segments: Sequence[token_segments.TokenSegment],
    clock: alignment.FrameClock,
) -> list[request.Segment]:
    """Returns the segments that have text, in order.

    Args:
      pieces: the tokenizer or detokenizer that renders `ids`.
      ids: `[N]` of one hypothesis.
      segments: of the same hypothesis.
      clock: of the model.

    Raises:
      ValueError: if segments overlap, run backwards or reach behind the ids.
    """
    _check(segments, len(ids))
    text, ends = pieces.joined_pieces(ids)
    bounds = [0, *ends.tolist()]
    found = []
    for segment in segments:
        # A character belongs to the id of its last byte, so none is cut.
        part = text[bounds[segment.first] : bounds[segment.stop]].decode().strip()
        if not part:
            continue
        found.append(
            request.Segment(
                text=part,
                start=segment.start * clock.seconds_per_frame,
                end=segment.end * clock.seconds_per_frame,
                tokens=list(ids[segment.first : segment.stop]),
                avg_logprob=segment.avg_logprob,
                no_speech_prob=segment.no_speech_prob,
                temperature=segment.temperature,
                window_start=segment.window_start * clock.seconds_per_frame,
            )
        )
    return found


def _check(segments: Sequence[token_segments.TokenSegment], count: int) -> None:
    origin = token_segments.TokenSegment(first=0, stop=0, start=0, end=0)
    for before, one in itertools.pairwise([origin, *segments]):
        if not before.stop <= one.first <= one.stop <= count:
            raise ValueError(
                f"Segments are parts of the {count} tokens, in order; got tokens"
                f" {showing.shown(one.first)} to {showing.shown(one.stop)} behind"
                f" {showing.shown(before.stop)}."
            )
        if not 0 <= before.start <= one.start <= one.end:
            raise ValueError(
                f"Segments follow each other in time; got {showing.shown(one.start)} to"
                f" {showing.shown(one.end)} behind {showing.shown(before.start)}."
            )
