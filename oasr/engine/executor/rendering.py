"""Makes outputs of hypotheses: text, words, times."""

from collections.abc import Sequence
import math

from oasr.engine import config as engine_config
from oasr.engine import request as requests
from oasr.engine.decode import alignment
from oasr.engine.decode import base
from oasr.engine.decode import detokenize


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

    def final(
        self, request: requests.Request, n_best: Sequence[base.Hypothesis]
    ) -> requests.RequestOutput:
        """Returns the last output of a request.

        Args:
          request: the one that was decoded.
          n_best: its hypotheses, best first.

        Raises:
          ValueError: if there is no hypothesis, or words were asked for and the
            frames of the best are not known.
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
            finished=True,
            finish_reason="stop",
            **self._alignment_fields(rows[0], words=request.options.word_timestamps),
        )

    def _alignment_fields(
        self, best: base.Hypothesis, *, words: bool
    ) -> alignment.AlignmentFields:
        if len(best.frames) != len(best.ids):
            if words:
                raise ValueError(
                    f"Word timings need the frame of each of {len(best.ids)} tokens,"
                    f" got {len(best.frames)}."
                )
            return {"timestamps": None, "words": None, "confidence": None}
        spans = alignment.emission_fields(
            best.frames, best.confidences, max_frames=self._max_frames
        )
        return alignment.alignment_fields(
            self._detokenizer, best.ids, spans, self._clock, words=words
        )
