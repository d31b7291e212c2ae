"""Runs utterances chunk by chunk, a session each, any number side by side."""

import collections
from collections.abc import Sequence
import dataclasses
from typing import Any, TypeAlias

from oasr import showing
from oasr.engine import request as requests
from oasr.engine.decode import base as decode_base
from oasr.engine.decode import streams
from oasr.engine.executor import base
from oasr.engine.executor import rendering


@dataclasses.dataclass
class _Session:
    """One request while its audio arrives."""

    request: requests.Request
    stream: streams.DecodeStream
    rendered: rendering.StreamText
    chunks: collections.deque[Any] = dataclasses.field(
        default_factory=collections.deque
    )
    ended: bool = False
    frames: int | None = 0  # Of the chunks that were fed, if known.
    failure: base.Failure | None = None

    def has_news(self) -> bool:
        return self.ended or bool(self.chunks) or self.failure is not None


# What the search of a session says: where it stands, or its n-best list.
_Read: TypeAlias = tuple[_Session, streams.Partial | Sequence[decode_base.Hypothesis]]


_INTERRUPTED = InterruptedError("The step that decoded a chunk was interrupted.")


class StreamingExecutor:
    """Owns the sessions of one deployment.

    Chunks wait until `step`, which takes the next of every session to the model
    together.

    Args:
      model: one of `strategy.model_types`; it is given chunks.
      strategy: decodes what the model gives.
      renderer: writes the outputs.
    """

    def __init__(
        self,
        model: Any,
        strategy: streams.StreamingStrategy,
        renderer: rendering.Renderer,
    ) -> None:
        self._model = model
        self._strategy = strategy
        self._renderer = renderer
        self._sessions: dict[str, _Session] = {}

    def __contains__(self, request_id: object) -> bool:
        return request_id in self._sessions

    def add(self, request: requests.Request) -> None:
        """Opens a session; `inputs`, unless None, is its first chunk."""
        session = _Session(
            request,
            self._strategy.new_stream(request.options),
            self._renderer.new_stream_text(),
        )
        if request.inputs is not None:
            session.chunks.append(request.inputs)
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

    def finalize(self, request_id: str) -> None:
        """Says that a session's audio is over; the next `step` gives its last output.

        Raises:
          ValueError: if there is no such session.
        """
        self._session(request_id).ended = True

    def abort(self, request_id: str) -> bool:
        """Drops a session; returns whether it was there to drop."""
        return self._sessions.pop(request_id, None) is not None

    def clear(self) -> None:
        """Drops all there is."""
        self._sessions.clear()

    def has_unfinished(self) -> bool:
        """Returns whether any session is open."""
        return bool(self._sessions)

    def run(self, group: Sequence[requests.Request]) -> list[requests.RequestOutput]:
        """Returns the last output of each request, in order; some may be errors.

        The inputs of each are its only chunk. Open sessions are left as they are.
        """
        own = StreamingExecutor(self._model, self._strategy, self._renderer)
        for request in group:
            own.add(request)
            own.finalize(request.request_id)
        return own.step()

    def step(self) -> list[requests.RequestOutput]:
        """Returns an output for each session with news: a partial, or the last one.

        A session that fails ends with an error; the others go on. When it is
        interrupted, what no stream was fed yet waits for the next call.
        """
        alive = [s for s in self._sessions.values() if s.has_news()]
        while batch := [s for s in alive if s.chunks and not s.failure]:
            for session, result in zip(batch, self._feed(batch), strict=True):
                if isinstance(result, base.Failure):
                    session.failure = result
        outputs = [self._output(session) for session in alive]
        # Not before all of them are there to be returned.
        for output in outputs:
            if output.finished:
                del self._sessions[output.request_id]
        return outputs

    def _feed(self, batch: Sequence[_Session]) -> list[_Session | base.Failure]:
        """Takes the next chunk of each session through model and search."""
        scored = base.run_stage("model", self._score, batch)
        prepared = base.run_stage(
            "scores",
            lambda pairs: [(s, self._strategy.prepare(scores)) for s, scores in pairs],
            scored,
        )
        # Each alone: what was fed once must not be fed again when another fails.
        return [base.run_stage("decoding", self._advance, [s])[0] for s in prepared]

    def _score(self, batch: Sequence[_Session]) -> list[tuple[_Session, Any]]:
        chunks = [session.chunks[0] for session in batch]
        scores = self._strategy.run_model(self._model, chunks)
        return base.paired(batch, scores)

    def _advance(self, batch: Sequence[tuple[_Session, Any]]) -> list[_Session]:
        for session, scores in batch:
            # What a stream that is interrupted here consumed is not known.
            session.failure = base.Failure("decoding", _INTERRUPTED)
            session.stream.feed(scores)
            session.chunks.popleft()
            frames = self._strategy.frame_count(scores)
            if session.frames is not None:
                session.frames = None if frames is None else session.frames + frames
            session.failure = None
        return [session for session, _ in batch]

    def _output(self, session: _Session) -> requests.RequestOutput:
        found = base.run_stage("decoding", self._read, [session.failure or session])
        [output] = base.run_stage("rendering", self._render, found)
        if isinstance(output, base.Failure):
            return base.failed_output(session.request, output)
        return output

    def _read(self, sessions: Sequence[_Session]) -> list[_Read]:
        return [
            (s, s.stream.finish() if s.ended else s.stream.partial()) for s in sessions
        ]

    def _render(self, batch: Sequence[_Read]) -> list[requests.RequestOutput]:
        return [
            self._renderer.partial(
                session.request, found, session.rendered, frame_count=session.frames
            )
            if isinstance(found, streams.Partial)
            else self._renderer.final(
                session.request, found, frame_count=session.frames, streamed=True
            )
            for session, found in batch
        ]

    def _session(self, request_id: str) -> _Session:
        if request_id not in self._sessions:
            raise ValueError(
                f"No open request {showing.shown(request_id)}; open are"
                f" {showing.shown(sorted(self._sessions))}."
            )
        return self._sessions[request_id]
