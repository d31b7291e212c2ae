"""Makes outputs of hypotheses: text, words, times."""

from collections.abc import Sequence
import math

from oasr.engine import config as engine_config
from oasr.engine import request as requests
from oasr.engine.decode import alignment
from oasr.engine.decode import base
from oasr.engine.decode import detokenize
from oasr.engine.decode import segments
from oasr.engine.decode import streams


class StreamText:
    """The text of a stream's final ids; each id is rendered once.

    Args:
      detokenizer: renders the ids.
    """

    def __init__(self, detokenizer: detokenize.Detokenizer) -> None:
        self._detokenizer = detokenizer
        self._state = detokenizer.new_state()
        self._rendered = 0

    def settle(self, final_ids: Sequence[int]) -> str:
        """Returns the text that cannot change when `final_ids` cannot.

        Args:
          final_ids: those of the last call, and what became final since.
        """
        new = list(final_ids[self._rendered :])
        self._detokenizer.detokenize_incremental(new, self._state)
        self._rendered = len(final_ids)
        return self._state.given_out

    @property
    def text(self) -> str:
        """The text of the final ids as it would be if no other came."""
        text: str = self._state["text"]
        return text


class Renderer:
    """Writes what one deployment answers.

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

    def new_stream_text(self) -> StreamText:
        """Returns what `partial` needs of a stream besides where it stands."""
        return StreamText(self._detokenizer)

    def partial(
        self,
        request: requests.Request,
        stands: streams.Partial,
        rendered: StreamText,
        *,
        frame_count: int | None = None,
    ) -> requests.RequestOutput:
        """Returns an output on the way: the best hypothesis so far.

        Args:
          request: the one that is decoded.
          stands: where its stream stands.
          rendered: of the same stream.
          frame_count: of the frames fed to it so far, if known.
        """
        best = stands.best
        stable = rendered.settle(best.ids[: stands.final_ids])
        text = rendered.text
        if stands.final_ids < len(best.ids):
            text = self._detokenizer.detokenize(best.ids)
        return requests.RequestOutput(
            request_id=request.request_id,
            text=text,
            tokens=[list(best.ids)],
            scores=[best.score],
            stable_text=stable,
            **self._alignment_fields(request, best, frame_count),
        )

    def final(
        self,
        request: requests.Request,
        n_best: Sequence[base.Hypothesis],
        *,
        frame_count: int | None = None,
        streamed: bool = False,
        finish_reason: str = "stop",
    ) -> requests.RequestOutput:
        """Returns the last output of a request.

        Args:
          request: the one that was decoded.
          n_best: its hypotheses, best first.
          frame_count: of the frames that were decoded, if known.
          streamed: whether partials went before.
          finish_reason: "stop", or "length" for one that was cut off.

        Raises:
          ValueError: if there is no hypothesis, the frames or the confidences of the
            best cannot be, or words were asked for and the frames are not known.
        """
        if not n_best:
            raise ValueError("An n-best list has at least one hypothesis, got none.")
        rows = n_best[: request.options.n_best]
        texts = [self._detokenizer.detokenize(row.ids) for row in rows]
        return requests.RequestOutput(
            request_id=request.request_id,
            text=texts[0],
            tokens=[list(row.ids) for row in rows],
            scores=[row.score for row in rows],
            nbest_texts=texts if request.options.n_best > 1 else None,
            stable_text=texts[0] if streamed else None,
            finished=True,
            finish_reason=finish_reason,
            segments=self._segments(rows[0]),
            language=rows[0].language,
            duration=self._duration(frame_count),
            **self._alignment_fields(request, rows[0], frame_count),
        )

    def _segments(self, best: base.Hypothesis) -> list[requests.Segment] | None:
        if not best.segments or self._clock is None:
            return None
        return segments.render(self._detokenizer, best.ids, best.segments, self._clock)

    def _duration(self, frame_count: int | None) -> float | None:
        if frame_count is None or self._clock is None:
            return None
        return frame_count * self._clock.seconds_per_frame

    def _alignment_fields(
        self, request: requests.Request, best: base.Hypothesis, frame_count: int | None
    ) -> alignment.AlignmentFields:
        words = request.options.word_timestamps
        if best.ids and not best.frames and not best.spans:
            if words:
                raise ValueError(
                    f"Word timings need the frame of each of {len(best.ids)} tokens,"
                    " got none."
                )
            return alignment.unaligned_fields(best.ids, best.confidences)
        spans = self._token_alignment(best, frame_count)
        return alignment.alignment_fields(
            self._detokenizer, best.ids, spans, self._clock, words=words
        )

    def _token_alignment(
        self, best: base.Hypothesis, frame_count: int | None
    ) -> alignment.TokenAlignment:
        if best.spans:
            return alignment.span_fields(
                best.spans,
                best.confidences,
                max_frames=self._max_frames,
                frame_count=frame_count,
            )
        return alignment.emission_fields(
            best.frames,
            best.confidences,
            max_frames=self._max_frames,
            frame_count=frame_count,
        )
