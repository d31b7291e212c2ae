"""The times of a stream's tokens, each worked out once.

What an output says of them is what `alignment` says of the whole hypothesis, which also
finds what cannot be; a chunk adds few tokens, and an array of few costs more than they.
"""

from oasr.engine.decode import alignment
from oasr.engine.decode import base
from oasr.engine.decode import streams


class StreamTimes:
    """The spans and the confidences of the tokens that keep them.

    Args:
      clock: of the model; without one there are no times.
      max_frames: how many frames a token owns, at most.
      first_frame: the frame of the audio at which the hypotheses' frames begin.
    """

    def __init__(
        self,
        clock: alignment.FrameClock | None,
        max_frames: float,
        first_frame: int = 0,
    ) -> None:
        self._frame_seconds = None if clock is None else float(clock.seconds_per_frame)
        self._max_frames = max_frames
        self._first_frame = first_frame
        self._spans: list[tuple[float, float]] = []  # Of the tokens kept, in seconds.
        self._end = 0  # Of the last of them, in frames.
        self._total = 0.0  # The sum of their confidences.
        self._count = 0

    def fields(
        self, stands: streams.Partial, frame_count: int | None
    ) -> alignment.AlignmentFields | None:
        """Returns what an output says, words apart.

        Args:
          stands: where the stream stands.
          frame_count: of the frames fed to it, if known.

        Returns:
          None for what is not as plain as most is: spans in place of frames, numbers
          of other types, confidences that are not known, or what cannot be.
        """
        best, kept = stands.best, stands.final_times
        frames, count = best.frames, len(best.ids)
        if best.spans or not self._count <= kept <= count == len(best.confidences):
            return None
        if frames and (
            len(frames) != count
            or (frame_count is not None and frames[-1] >= frame_count)
        ):
            return None
        if kept > self._count:
            read = self._read(best, kept, self._spans, self._end, self._total)
            if read is None:
                return None
            self._end, self._total = read
            self._count = kept
        spans, total = self._spans.copy(), self._total
        if count > kept:
            read = self._read(best, count, spans, self._end, total)
            if read is None:
                return None
            total = read[1]
        is_timed = self._frame_seconds is not None and len(frames) == count
        return {
            "timestamps": spans if is_timed else None,
            "words": None,
            "confidence": total / count if count else None,
        }

    def _read(
        self,
        best: base.Hypothesis,
        stop: int,
        spans: list[tuple[float, float]],
        end: int,
        total: float,
    ) -> tuple[int, float] | None:
        """Reads the tokens from the first that is not kept up to `stop`.

        Args:
          best: their hypothesis.
          stop: the place behind the last of them.
          spans: theirs are added.
          end: of the token before them, in frames.
          total: of the confidences before them.

        Returns:
          The end and the total behind them; None if one is not plain.
        """
        found = []
        first, seconds = self._first_frame, self._frame_seconds
        for place in range(self._count, stop):
            confidence = best.confidences[place]
            if type(confidence) is not float or not 0 <= confidence <= 1:
                return None
            total += confidence
            if not best.frames:
                continue
            frame = best.frames[place]
            if type(frame) is not int or frame < 0 or frame + 1 < end:
                return None
            since = end if place else frame
            end = frame + 1
            if seconds is not None:
                start = min(max(since, end - self._max_frames), frame)
                found.append(((start + first) * seconds, (end + first) * seconds))
        if found and len(spans) != self._count:  # Those before had no frames.
            return None
        spans += found
        return end, total
