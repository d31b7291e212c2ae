"""Runs requests token by token, many at a time; each joins and leaves when it is time.

Shapes: R rows of one request, B rows of all, V labels.
"""

from collections.abc import Callable, Sequence
import itertools
import sys
import time
from typing import Any

import numpy as np

from oasr.engine import request as requests
from oasr.engine.decode import base as decode_base
from oasr.engine.decode import incremental
from oasr.engine.decode import token_search
from oasr.engine.executor import base
from oasr.engine.executor import rendering
from oasr.engine.executor import running as values


class IncrementalExecutor:
    """Runs one deployment of a family that writes token by token.

    Args:
      strategy: says what to read and how to go on; it has the model.
      renderer: writes the outputs.
      batch_size: how many requests run together, at most.
      clock: seconds, for the budget of a tick.
    """

    def __init__(
        self,
        strategy: incremental.IncrementalStrategy,
        renderer: rendering.Renderer,
        batch_size: int = 8,
        *,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self._strategy = strategy
        self._renderer = renderer
        self._batch_size = batch_size
        self._clock = clock
        self._waiting: dict[str, values.Running] = {}
        self._running: dict[str, values.Running] = {}
        self._outputs: dict[str, requests.RequestOutput] = {}  # Not yet returned.

    def __contains__(self, request_id: object) -> bool:
        return (
            request_id in self._waiting
            or request_id in self._running
            or request_id in self._outputs
        )

    def add(self, request: requests.Request) -> None:
        """Puts a request in line."""
        self._waiting[request.request_id] = values.Running(
            request, self._renderer.new_utterance()
        )

    def abort(self, request_id: str) -> bool:
        """Drops a request; returns whether it was still there to drop."""
        places: list[dict[str, Any]] = [self._waiting, self._running, self._outputs]
        return any(place.pop(request_id, None) is not None for place in places)

    def clear(self) -> None:
        """Drops all there is."""
        self._waiting.clear()
        self._running.clear()
        self._outputs.clear()

    def has_unfinished(self) -> bool:
        """Returns whether any request waits, runs, or has an output to be returned."""
        return bool(self._waiting or self._running or self._outputs)

    def run(self, group: Sequence[requests.Request]) -> list[requests.RequestOutput]:
        """Returns the last output of each request, in order; some may be errors.

        Those added before are left as they are.
        """
        own = IncrementalExecutor(self._strategy, self._renderer, self._batch_size)
        for request in group:
            own.add(request)
        while own._waiting or own._running:
            own._advance()
        return [own._outputs[request.request_id] for request in group]

    def step(self) -> list[requests.RequestOutput]:
        """Runs some steps of the model; requests join between them as there is room.

        Returns:
          The last output of each request that ended, and, if asked for, a partial of
          each other with news. When it is interrupted, what has ended is returned by
          the next call, and what runs begins anew there.
        """
        options = self._strategy.options
        deadline = self._clock() + options.milliseconds_per_tick / 1000
        for _ in range(options.steps_per_tick):
            if not self._waiting and not self._running:
                break
            self._advance()
            if self._clock() >= deadline:
                break
        partials = self._partials() if options.partials else []
        outputs = [*self._outputs.values(), *partials]  # A partial may have failed.
        self._outputs = {}
        return outputs

    def _advance(self) -> None:
        """Lets requests in, then moves each that runs on by one token."""
        try:
            going = list(self._running.values())
            coming = self._let_in()
            scored = base.run_stage("model", self._step, going)
            scored += self._begin(coming)
            for running, found in zip([*going, *coming], scored, strict=True):
                self._move(running, found)
        except BaseException:
            self._restart()
            raise

    def _restart(self) -> None:
        """Puts all that run back in line: what their states have read is not known."""
        unfinished = {
            request_id: running
            for request_id, running in self._running.items()
            if request_id not in self._outputs  # It may just have ended.
        }
        for running in unfinished.values():
            running.restart()
        self._waiting = unfinished | self._waiting
        self._running = {}

    def _let_in(self) -> list[values.Running]:
        room = min(self._batch_size, sys.maxsize) - len(self._running)
        coming = dict(itertools.islice(self._waiting.items(), max(room, 0)))
        self._running |= coming
        for request_id in coming:
            del self._waiting[request_id]
        return list(coming.values())

    def _begin(
        self, coming: Sequence[values.Running]
    ) -> list[values.Scored | base.Failure]:
        """Encodes audio, makes prompts and lets the model read them."""
        encoded = base.run_stage("model", self._encode, coming)
        # Each alone: a prompt may ask the model for the language.
        prompted = [
            one
            if isinstance(one, base.Failure)
            else base.attempt("prompt", self._prompt, one)
            for one in encoded
        ]
        return base.run_stage("model", self._prefill, prompted)

    def _encode(self, batch: Sequence[values.Running]) -> list[values.Running]:
        found = self._strategy.run_model(
            self._strategy.model, [running.request.inputs for running in batch]
        )
        for running, encoded in zip(batch, base.as_many(batch, found), strict=True):
            running.encoded = self._strategy.prepare(encoded)
        return list(batch)

    def _prompt(self, running: values.Running) -> values.Running:
        options = running.request.options
        running.prompt = self._strategy.begin(running.encoded, options)
        return running

    def _prefill(self, batch: Sequence[values.Running]) -> list[values.Scored]:
        prompts = [running.prompt.ids for running in batch if running.prompt]
        answer = self._strategy.model.prefill([r.encoded for r in batch], prompts)
        counts = [1] * len(batch)
        return values.shared_out(batch, counts, answer, self._strategy.log_probs)

    def _step(self, batch: Sequence[values.Running]) -> list[values.Scored]:
        states = [state for running in batch for state in running.states]
        ids = np.concatenate([running.ids for running in batch])
        answer = self._strategy.model.step(states, ids)
        counts = [len(running.ids) for running in batch]
        return values.shared_out(batch, counts, answer, self._strategy.log_probs)

    def _move(
        self, running: values.Running, found: values.Scored | base.Failure
    ) -> None:
        """Moves one request on by a token, or ends it."""
        if isinstance(found, base.Failure):
            return self._end(base.failed_output(running.request, found))
        stage, search = "scores", running.search
        try:
            scores = found.scores
            if not found.is_checked:
                scores = self._strategy.log_probs(scores)
            stage = "decoding"
            rows, ids = search.advance(scores)
            if search.live:
                stage = "model"
                running.states, running.ids = self._selected(found.states, rows), ids
                return None
            hypotheses = self._finished(running)
            stage = "rendering"
            output = self._last(running, hypotheses)
        except Exception as error:
            failure = base.Failure(stage, error)
            output = base.failed_output(running.request, failure)
        return self._end(output)

    def _selected(self, states: Sequence[Any], rows: token_search.Ids) -> Sequence[Any]:
        """Returns for each row that goes on the state of the row it comes from."""
        numbers = rows.tolist()
        if numbers == list(range(len(states))):
            return states
        return base.as_many(numbers, self._strategy.model.select(states, rows))

    def _finished(self, running: values.Running) -> list[decode_base.Hypothesis]:
        assert running.prompt is not None
        return self._strategy.finish(
            running.encoded, running.request.options, running.prompt
        )

    def _last(
        self, running: values.Running, hypotheses: Sequence[decode_base.Hypothesis]
    ) -> requests.RequestOutput:
        return self._renderer.final(
            running.request,
            hypotheses,
            frame_count=self._strategy.frame_count(running.encoded),
            streamed=running.given >= 0,
            finish_reason="length" if running.search.is_cut_off else "stop",
        )

    def _end(self, output: requests.RequestOutput) -> None:
        # A model may have had it aborted.
        if self._running.pop(output.request_id, None) is not None:
            self._outputs[output.request_id] = output

    def _partials(self) -> list[requests.RequestOutput]:
        found = []
        for running in list(self._running.values()):
            search = running.search
            count = len(search.live[0].ids)
            if count <= running.given:
                continue
            try:
                # Words are timed when all of them are there.
                output = self._renderer.partial(
                    running.request, search.partial(), running.rendered
                )
            except Exception as error:
                failure = base.Failure("rendering", error)
                self._end(base.failed_output(running.request, failure))
                continue
            running.given = count
            found.append(output)
        return found
