"""When tokens and words were said: encoder frames to spans, spans to seconds.

Frames count from 0. N is the number of tokens of a hypothesis. A span is half open:
frame f lasts from f to f + 1.
"""

from collections.abc import Sequence
import dataclasses
import math
from typing import Protocol, TypedDict

import numpy as np
from numpy import typing as npt

from oasr import showing
from oasr._native import word_grouping
from oasr.engine import checks
from oasr.engine import request
from oasr.engine.decode import alignment_checks
from oasr.tokenizers import token_ids

Float64 = npt.NDArray[np.float64]

WordTiming = request.WordTiming


@dataclasses.dataclass(frozen=True)
class FrameClock:
    """Converts frames to seconds.

    Attributes:
      seconds_per_frame: between the starts of two frames.
    """

    seconds_per_frame: float

    def __post_init__(self) -> None:
        checks.number("FrameClock.seconds_per_frame", self.seconds_per_frame, above=0)

    def seconds(self, frames: npt.ArrayLike) -> Float64:
        """Returns the times of `frames`, which may be fractions."""
        return np.multiply(frames, float(self.seconds_per_frame), dtype=np.float64)

    def frames(self, seconds: float) -> float:
        """Returns how many frames, possibly not whole, last `seconds`."""
        return seconds / self.seconds_per_frame


@dataclasses.dataclass(frozen=True, eq=False)
class TokenAlignment:
    """The span of each token, in frames.

    Attributes:
      starts: `[N]` float64, where the token begins; never decreasing.
      ends: `[N]` float64, where it ends; never decreasing.
      confidences: `[N]` posteriors in [0, 1], or None if unknown.
    """

    starts: Float64
    ends: Float64
    confidences: Float64 | None = None

    def later(self, frames: int) -> "TokenAlignment":
        """Returns the same tokens so many frames later."""
        if frames == 0:
            return self
        return dataclasses.replace(
            self, starts=self.starts + frames, ends=self.ends + frames
        )


class AlignmentFields(TypedDict):
    """The fields of a `RequestOutput` that an alignment fills."""

    timestamps: list[tuple[float, float]] | None
    words: list[request.WordTiming] | None
    confidence: float | None


class _Pieces(Protocol):
    """What a `Tokenizer` and a `Detokenizer` both say of pieces."""

    def joined_pieces(
        self, ids: token_ids.TokenIds
    ) -> tuple[bytes, npt.NDArray[np.int64]]: ...

    def is_text(self, ids: token_ids.TokenIds) -> npt.NDArray[np.bool_]: ...


def emission_fields(
    frames: Sequence[int],
    confidences: Sequence[float] = (),
    *,
    max_frames: float = math.inf,
    frame_count: int | None = None,
) -> TokenAlignment:
    """Returns the spans of tokens of which only the emission frames are known.

    A token owns the frames since the previous emission up to its own, at most
    `max_frames` of them; the first token, and each of several on one frame that
    follows another, owns its own frame. That one is always whole.

    Args:
      frames: for each token the frame that emitted it, never decreasing.
      confidences: for each token its posterior, or empty if unknown.
      max_frames: need not be whole.
      frame_count: how many frames there are, if known.

    Raises:
      ValueError: if frames are no whole numbers, run backwards, or are not there; if
        confidences are no probabilities; or if the lengths differ.
    """
    own = alignment_checks.frame_numbers(frames, frame_count)
    if not max_frames >= 0:
        raise ValueError(
            "A token owns a number of frames from 0 on, got"
            f" max_frames={showing.shown(max_frames)}."
        )
    known = alignment_checks.posteriors(confidences, len(own))
    ends = own + 1
    since = own.copy()
    since[1:] = ends[:-1]  # The end of the previous emission.
    starts = np.minimum(np.maximum(since, ends - max_frames), own)
    return TokenAlignment(starts, ends, known)


def span_fields(
    spans: Sequence[tuple[float, float]],
    confidences: Sequence[float] = (),
    *,
    max_frames: float = math.inf,
    frame_count: int | None = None,
) -> TokenAlignment:
    """Returns the spans of tokens of which the model knows begin and end.

    Args:
      spans: for each token (begin, end) in frames that may be fractions; neither the
        begins nor the ends ever decrease.
      confidences: for each token its posterior, or empty if unknown.
      max_frames: a token owns the last of its frames, at most so many.
      frame_count: how many frames there are, if known.

    Raises:
      ValueError: if spans are no finite numbers from 0 on, run backwards, or are not
        there; if confidences are no probabilities; or if the lengths differ.
    """
    own = alignment_checks.token_spans(spans, frame_count)
    known = alignment_checks.posteriors(confidences, len(own))
    starts = np.maximum(own[:, 0], own[:, 1] - max_frames)
    return TokenAlignment(starts, own[:, 1], known)


def word_timings(
    pieces: _Pieces,
    ids: token_ids.TokenIds,
    alignment: TokenAlignment,
    clock: FrameClock,
) -> list[request.WordTiming]:
    """Returns the words of the text of `ids`, in order.

    Args:
      pieces: the tokenizer or detokenizer that renders `ids`.
      ids: `[N]` of one hypothesis.
      alignment: of the same tokens.
      clock: of the model.
    """
    text, piece_ends = pieces.joined_pieces(ids)
    words = word_grouping.group_words(
        text,
        piece_ends,
        pieces.is_text(ids),
        clock.seconds(alignment.starts),
        clock.seconds(alignment.ends),
        alignment.confidences,
    )
    return [request.WordTiming(*word) for word in words]


def alignment_fields(
    pieces: _Pieces,
    ids: token_ids.TokenIds,
    alignment: TokenAlignment,
    clock: FrameClock | None,
    *,
    words: bool = False,
) -> AlignmentFields:
    """Returns what an output says of the times and the confidence of its tokens.

    Args:
      pieces: the tokenizer or detokenizer that renders `ids`.
      ids: `[N]` of one hypothesis.
      alignment: of the same tokens.
      clock: of the model; without one there are no times.
      words: whether words were asked for.

    Raises:
      ValueError: if words were asked for and there is no clock, or the alignment is
        not that of as many tokens.
    """
    alignment_checks.same_length(
        len(token_ids.as_list(ids)),
        starts=alignment.starts,
        ends=alignment.ends,
        confidences=alignment.confidences,
    )
    if words and clock is None:
        raise ValueError(
            "Word timings need the seconds of a frame; set"
            " EngineConfig.seconds_per_frame."
        )
    fields = AlignmentFields(timestamps=None, words=None, confidence=None)
    if alignment.confidences is not None and alignment.confidences.size:
        fields["confidence"] = _mean(alignment.confidences)
    if clock is not None:
        spans = (clock.seconds(alignment.starts), clock.seconds(alignment.ends))
        fields["timestamps"] = list(zip(*(s.tolist() for s in spans), strict=True))
        if words:
            fields["words"] = word_timings(pieces, ids, alignment, clock)
    return fields


def unaligned_fields(
    ids: token_ids.TokenIds, confidences: Sequence[float]
) -> AlignmentFields:
    """Returns what an output says of tokens whose frames are not known.

    Args:
      ids: `[N]` of one hypothesis.
      confidences: for each token its posterior, or empty if unknown.

    Raises:
      ValueError: if confidences are no probabilities, or the lengths differ.
    """
    known = alignment_checks.posteriors(confidences, len(token_ids.as_list(ids)))
    mean = None if known is None else _mean(known)
    return AlignmentFields(timestamps=None, words=None, confidence=mean)


def _mean(values: Float64) -> float:
    return float(values.sum()) / values.size
