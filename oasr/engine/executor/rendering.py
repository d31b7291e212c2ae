"""Makes outputs of hypotheses: text, words, times."""

from collections.abc import Sequence

from oasr.engine import config as engine_config
from oasr.engine import request as requests
from oasr.engine.decode import base
from oasr.engine.decode import detokenize
from oasr.engine.decode import streams
from oasr.engine.executor import plain
from oasr.engine.executor import timing


class StreamText:
    """The text of an utterance's final ids; each id is rendered once.

    Args:
      detokenizer: renders the ids.
    """

    def __init__(self, detokenizer: detokenize.Detokenizer) -> None:
        self._detokenizer = detokenizer
        self._state = detokenizer.new_state()
        self._rendered = 0

    def settle(self, ids: Sequence[int], final_ids: int) -> tuple[str, str]:
        """Returns the text that cannot change, and the text of all final ids.

        Args:
          ids: of the best hypothesis.
          final_ids: how many of the first of them are final: those of the last call,
            and what became final since.
        """
        if final_ids > self._rendered:
            new = list(ids[self._rendered : final_ids])
            self._detokenizer.detokenize_incremental(new, self._state)
            self._rendered = final_ids
        given_out = self._state.given_out
        return given_out, given_out + self._state.held


class StreamedUtterance:
    """What is kept of an utterance between its partials.

    Attributes:
      text: of its final ids.
      times: of its tokens.
      first_frame: the frame of the audio at which it begins.
    """

    def __init__(
        self,
        detokenizer: detokenize.Detokenizer,
        clock: timing.Timing,
        first_frame: int = 0,
    ) -> None:
        self.text = StreamText(detokenizer)
        self.times = clock.new_stream_times(first_frame)
        self.first_frame = first_frame


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
        self._timing = timing.Timing(detokenizer, config)

    def new_utterance(self, first_frame: int = 0) -> StreamedUtterance:
        """Returns what `partial` needs of an utterance besides where it stands.

        Args:
          first_frame: the frame of the audio at which it begins.
        """
        return StreamedUtterance(self._detokenizer, self._timing, first_frame)

    def partial(
        self,
        request: requests.Request,
        stands: streams.Partial,
        rendered: StreamedUtterance,
        *,
        frame_count: int | None = None,
        words: bool = False,
    ) -> requests.RequestOutput:
        """Returns an output on the way: the best hypothesis so far.

        Args:
          request: the one that is decoded.
          stands: where its stream stands.
          rendered: of the same utterance.
          frame_count: of the frames fed to it so far, if known.
          words: whether to time each word.
        """
        best = stands.best
        stable, text = rendered.text.settle(best.ids, stands.final_ids)
        if stands.final_ids < len(best.ids):
            text = self._detokenizer.detokenize(best.ids)
        fields = None if words else rendered.times.fields(stands, frame_count)
        if fields is None:
            first = rendered.first_frame
            fields = self._timing.fields(
                best, frame_count, first_frame=first, words=words
            )
        return requests.RequestOutput.partial(
            request_id=request.request_id,
            text=text,
            tokens=[plain.ids_of(best)],
            scores=[plain.score_of(best)],
            timestamps=fields["timestamps"],
            words=fields["words"],
            confidence=fields["confidence"],
            stable_text=stable,
        )

    def final(
        self,
        request: requests.Request,
        n_best: Sequence[base.Hypothesis],
        *,
        frame_count: int | None = None,
        first_frame: int = 0,
        streamed: bool = False,
        finish_reason: str = "stop",
    ) -> requests.RequestOutput:
        """Returns the last output of a request, or of an utterance of its stream.

        Args:
          request: the one that was decoded.
          n_best: its hypotheses, best first.
          frame_count: of the frames that were decoded, if known.
          first_frame: the frame of the audio at which they begin.
          streamed: whether partials went before.
          finish_reason: "stop"; "length" for one that was cut off; "endpoint" for an
            utterance behind which the stream goes on.

        Raises:
          TypeError: if ids are no integers.
          ValueError: if there is no hypothesis, two have the same ids, a score is no
            number, the frames or the confidences of the best cannot be, or words were
            asked for and the frames are not known.
        """
        if not n_best:
            raise ValueError("An n-best list has at least one hypothesis, got none.")
        rows = n_best[: request.options.n_best]
        tokens = plain.rows_of(rows)
        texts = [self._detokenizer.detokenize(row) for row in tokens]
        fields = self._timing.fields(
            rows[0],
            frame_count,
            first_frame=first_frame,
            words=request.options.word_timestamps,
        )
        nbest_words = None
        # A runtime that owns its search may time the best one only.
        is_timed = all(row.frames or row.spans or not row.ids for row in rows[1:])
        if request.options.n_best > 1 and fields["words"] is not None and is_timed:
            others = (
                self._timing.words(row, frame_count, first_frame=first_frame)
                for row in rows[1:]
            )
            nbest_words = [fields["words"], *others]
        return requests.RequestOutput(
            request_id=request.request_id,
            text=texts[0],
            tokens=tokens,
            scores=[plain.score_of(row) for row in rows],
            nbest_texts=texts if request.options.n_best > 1 else None,
            nbest_words=nbest_words,
            stable_text=texts[0] if streamed else None,
            finished=finish_reason != "endpoint",
            finish_reason=finish_reason,
            segments=self._timing.segments(rows[0], first_frame),
            language=rows[0].language,
            duration=self._timing.seconds(
                None if frame_count is None else first_frame + frame_count
            ),
            **fields,
        )
