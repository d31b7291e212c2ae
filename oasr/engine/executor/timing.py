"""Times of hypotheses in seconds, by the clock of one deployment."""

import dataclasses
import math

from oasr.engine import config as engine_config
from oasr.engine import request as requests
from oasr.engine.decode import alignment
from oasr.engine.decode import base
from oasr.engine.decode import detokenize
from oasr.engine.decode import segments
from oasr.engine.decode import stream_times


class Timing:
    """Says when tokens, words and segments were said.

    A hypothesis's frames count from `first_frame` of the audio, times from its start.

    Args:
      detokenizer: renders the ids.
      config: says how long a frame lasts.
    """

    def __init__(
        self, detokenizer: detokenize.Detokenizer, config: engine_config.EngineConfig
    ) -> None:
        self._detokenizer = detokenizer
        self._clock: alignment.FrameClock | None = None
        self._max_frames = math.inf
        if config.seconds_per_frame is not None:
            self._clock = alignment.FrameClock(config.seconds_per_frame)
            self._max_frames = self._clock.frames(config.max_token_seconds)

    def new_stream_times(self, first_frame: int = 0) -> stream_times.StreamTimes:
        """Returns what is kept of an utterance that is heard chunk by chunk."""
        return stream_times.StreamTimes(self._clock, self._max_frames, first_frame)

    def fields(
        self,
        best: base.Hypothesis,
        frame_count: int | None,
        *,
        first_frame: int = 0,
        words: bool = False,
    ) -> alignment.AlignmentFields:
        """Returns what an output says of its best hypothesis.

        Args:
          best: the hypothesis.
          frame_count: of the frames that were decoded, if known.
          first_frame: the frame of the audio at which they begin.
          words: whether words were asked for.

        Raises:
          ValueError: if the frames or the confidences cannot be, or words were asked
            for and the frames are not known.
        """
        if words or best.frames or best.spans or not best.ids:
            spans = self._alignment(best, frame_count, first_frame)
            return alignment.alignment_fields(
                self._detokenizer, best.ids, spans, self._clock, words=words
            )
        return alignment.unaligned_fields(best.ids, best.confidences)

    def words(
        self,
        hypothesis: base.Hypothesis,
        frame_count: int | None,
        *,
        first_frame: int = 0,
    ) -> list[requests.WordTiming]:
        """Returns the words of any hypothesis.

        Args:
          hypothesis: of an n-best list.
          frame_count: as for `fields`.
          first_frame: as for `fields`.

        Raises:
          ValueError: as `fields`.
        """
        spans = self._alignment(hypothesis, frame_count, first_frame)
        found = alignment.alignment_fields(
            self._detokenizer, hypothesis.ids, spans, self._clock, words=True
        )
        return found["words"] or []

    def segments(
        self, best: base.Hypothesis, first_frame: int = 0
    ) -> list[requests.Segment] | None:
        """Returns the segments of a hypothesis, None if it has none or no clock is."""
        if not best.segments or self._clock is None:
            return None
        later = [
            dataclasses.replace(
                one,
                start=one.start + first_frame,
                end=one.end + first_frame,
                window_start=one.window_start + first_frame,
            )
            for one in best.segments
        ]
        return segments.render(self._detokenizer, best.ids, later, self._clock)

    def seconds(self, frames: int | None) -> float | None:
        """Returns how long frames last, None if that is not known."""
        if frames is None or self._clock is None:
            return None
        return frames * self._clock.seconds_per_frame

    def _alignment(
        self, hypothesis: base.Hypothesis, frame_count: int | None, first_frame: int
    ) -> alignment.TokenAlignment:
        if hypothesis.spans:
            found = alignment.span_fields(
                hypothesis.spans,
                hypothesis.confidences,
                max_frames=self._max_frames,
                frame_count=frame_count,
            )
        elif hypothesis.ids and not hypothesis.frames:
            raise ValueError(
                f"Word timings need the frame of each of {len(hypothesis.ids)} tokens,"
                " got none."
            )
        else:
            found = alignment.emission_fields(
                hypothesis.frames,
                hypothesis.confidences,
                max_frames=self._max_frames,
                frame_count=frame_count,
            )
        return found.later(first_frame)
