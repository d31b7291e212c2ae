"""Runs utterances chunk by chunk, a session each, any number side by side."""

from collections.abc import Sequence
from typing import Any

from oasr import showing
from oasr.engine import endpointing
from oasr.engine import request as requests
from oasr.engine.decode import base as decode_base
from oasr.engine.decode import streams
from oasr.engine.executor import base
from oasr.engine.executor import rendering
from oasr.engine.executor import session as sessions

_INTERRUPTED = base.Failure(
    "decoding", InterruptedError("The step that decoded a chunk was interrupted.")
)


class StreamingExecutor:
    """Owns the sessions of one deployment.

    Chunks wait until `step`, which takes the next of every session to the model
    together.

    Args:
      model: one of `strategy.model_types`; it is given chunks.
      strategy: decodes what the model gives.
      renderer: writes the outputs.
      rules: end the utterances of a session; its streams are `EndpointingStream`s.
        Without them a session is one utterance.
      batch_size: how many whole utterances `run` gives the model together, at most.
    """

    def __init__(
        self,
        model: Any,
        strategy: streams.StreamingStrategy,
        renderer: rendering.Renderer,
        rules: endpointing.EndpointRules | None = None,
        *,
        batch_size: int = 8,
    ) -> None:
        self._model = model
        self._strategy = strategy
        self._renderer = renderer
        self._rules = rules
        self._batch_size = batch_size
        self._sessions: dict[str, sessions.Session] = {}
        self._news: dict[str, sessions.Session] = {}  # Those that `step` looks at.

    def __contains__(self, request_id: object) -> bool:
        return request_id in self._sessions

    def add(self, request: requests.Request) -> None:
        """Opens a session; `inputs`, unless None, is its first chunk."""
        session = sessions.Session(
            request,
            self._strategy.new_stream(request.options),
            self._renderer.new_utterance(),
        )
        if request.inputs is not None:
            session.chunks.append(request.inputs)
            self._news[request.request_id] = session
        self._sessions[request.request_id] = session

    def feed_chunk(self, request_id: str, chunk: Any) -> None:
        """Puts the next chunk of a session in line.

        Raises:
          ValueError: if there is no such session, or it was finalized.
        """
        session = self._session(request_id)
        if session.ended:
            raise ValueError(
                f"Request {showing.shown(request_id)} was finalized; it takes no more"
                " chunks."
            )
        session.chunks.append(chunk)
        self._news[request_id] = session

    def finalize(self, request_id: str) -> None:
        """Says that a session's audio is over; the next `step` gives its last output.

        Raises:
          ValueError: if there is no such session.
        """
        session = self._session(request_id)
        session.ended = True
        self._news[request_id] = session

    def abort(self, request_id: str) -> bool:
        """Drops a session; returns whether it was there to drop."""
        self._news.pop(request_id, None)
        return self._sessions.pop(request_id, None) is not None

    def clear(self) -> None:
        """Drops all there is."""
        self._sessions.clear()
        self._news.clear()

    def has_unfinished(self) -> bool:
        """Returns whether any session is open."""
        return bool(self._sessions)

    def run(self, group: Sequence[requests.Request]) -> list[requests.RequestOutput]:
        """Returns the last output of each request, in order; some may be errors.

        The inputs of each are one utterance. Open sessions are left as they are.
        """
        outputs = []
        for first in range(0, len(group), self._batch_size):
            own = StreamingExecutor(self._model, self._strategy, self._renderer)
            for request in group[first : first + self._batch_size]:
                own.add(request)
                own.finalize(request.request_id)
            outputs += own.step()
        return outputs

    def step(self) -> list[requests.RequestOutput]:
        """Returns an output for each session with news: a partial, or the last one.

        Before it come the outputs of utterances that are over. A session that fails
        ends with an error; the others go on. When it is interrupted, what no stream was
        fed yet waits for the next call.
        """
        news = list(self._news.values())
        while batch := [s for s in news if s.chunks and s.failure is None]:
            self._feed(batch)
        outputs = [
            output
            for session in news
            if self._is_open(session)  # A model may have had it aborted.
            for output in self._outputs(session)
        ]
        # Not before all of them are there to be returned.
        for output in outputs:
            if output.finished:
                self._sessions.pop(output.request_id, None)
        for session in news:
            session.over.clear()
            session.failure = None  # Its traceback holds the session.
            if self._news.get(session.request.request_id) is session:
                del self._news[session.request.request_id]
        return outputs

    def _is_open(self, session: sessions.Session) -> bool:
        return self._sessions.get(session.request.request_id) is session

    def _feed(self, batch: Sequence[sessions.Session]) -> None:
        """Takes the next chunk of each session through model and search."""
        scored = base.run_stage("model", self._score, batch)
        for session, scores in zip(batch, scored, strict=True):
            if isinstance(scores, base.Failure):
                session.failure = scores
                continue
            stage = "scores"
            try:
                prepared = self._strategy.prepare(scores)
                stage = "decoding"
                self._advance(session, prepared)
            except Exception as error:
                session.failure = base.Failure(stage, error)

    def _score(self, batch: Sequence[sessions.Session]) -> Sequence[Any]:
        chunks = [session.chunks[0] for session in batch]
        return self._strategy.run_model(self._model, chunks)

    def _advance(self, session: sessions.Session, scores: Any) -> None:
        # What a stream that is interrupted here consumed is not known.
        session.failure = _INTERRUPTED
        if self._rules is None:
            session.stream.feed(scores)
            session.count(self._strategy.frame_count(scores))
        else:
            self._advance_to_endpoints(session, scores, self._rules)
        session.chunks.popleft()
        session.failure = None

    def _advance_to_endpoints(
        self,
        session: sessions.Session,
        scores: Any,
        rules: endpointing.EndpointRules,
    ) -> None:
        while True:
            stream = session.stream
            assert isinstance(stream, streams.EndpointingStream)
            is_over, taken = stream.feed_until(scores, rules)
            session.count(taken)
            if not is_over:
                return
            self._begin_utterance(session)
            scores = scores[taken:]

    def _begin_utterance(self, session: sessions.Session) -> None:
        assert session.frames is not None
        first = session.rendered.first_frame
        session.over.append(
            sessions.Utterance(session.stream.finish(), first, session.frames)
        )
        session.stream = self._strategy.new_stream(session.request.options)
        session.rendered = self._renderer.new_utterance(first + session.frames)
        session.frames = 0

    def _outputs(self, session: sessions.Session) -> list[requests.RequestOutput]:
        """Returns the outputs of utterances that are over, and of the one heard now."""
        request, outputs = session.request, []
        stage = "rendering"
        try:
            for one in session.over:
                output = self._renderer.final(
                    request,
                    one.n_best,
                    frame_count=one.frame_count,
                    first_frame=one.first_frame,
                    streamed=True,
                    finish_reason="endpoint",
                )
                outputs.append(output)
            if session.failure is not None:
                outputs.append(base.failed_output(request, session.failure))
            elif session.ended:
                stage = "decoding"
                n_best = session.stream.finish()
                stage = "rendering"
                outputs.append(self._last(session, n_best))
            elif session.frames != 0 or not outputs:
                stage = "decoding"
                stands = session.stream.partial()
                stage = "rendering"
                outputs.append(self._partial(session, stands))
        except Exception as error:
            outputs.append(base.failed_output(request, base.Failure(stage, error)))
        return outputs

    def _partial(
        self, session: sessions.Session, stands: streams.Partial
    ) -> requests.RequestOutput:
        return self._renderer.partial(
            session.request,
            stands,
            session.rendered,
            frame_count=session.frames,
            words=session.request.options.word_timestamps,
        )

    def _last(
        self, session: sessions.Session, n_best: Sequence[decode_base.Hypothesis]
    ) -> requests.RequestOutput:
        return self._renderer.final(
            session.request,
            n_best,
            frame_count=session.frames,
            first_frame=session.rendered.first_frame,
            streamed=True,
        )

    def _session(self, request_id: str) -> sessions.Session:
        if request_id not in self._sessions:
            raise ValueError(
                f"No open request {showing.shown(request_id)}; open are"
                f" {showing.shown(sorted(self._sessions))}."
            )
        return self._sessions[request_id]
