"""A request whose audio arrives chunk by chunk, between its first and its last one."""

import collections
from collections.abc import Sequence
import dataclasses
from typing import Any, NamedTuple

from oasr.engine import request as requests
from oasr.engine.decode import base as decode_base
from oasr.engine.decode import streams
from oasr.engine.executor import base
from oasr.engine.executor import rendering


class Utterance(NamedTuple):
    """An utterance that is over while its stream goes on.

    Attributes:
      n_best: its hypotheses.
      first_frame: the frame of the audio at which it begins.
      frame_count: how many it has.
    """

    n_best: Sequence[decode_base.Hypothesis]
    first_frame: int
    frame_count: int


@dataclasses.dataclass(eq=False, slots=True)
class Session:
    """One request.

    Attributes:
      request: the same.
      stream: the search of the utterance that is heard.
      rendered: of its partials.
      frames: of the chunks that it was fed, if known.
      chunks: those that wait.
      over: the utterances before it that were not given out.
      ended: whether all of the audio has come.
      failure: why it does not go on.
    """

    request: requests.Request
    stream: streams.DecodeStream
    rendered: rendering.StreamedUtterance
    frames: int | None = 0
    chunks: collections.deque[Any] = dataclasses.field(
        default_factory=collections.deque
    )
    over: list[Utterance] = dataclasses.field(default_factory=list)
    ended: bool = False
    failure: base.Failure | None = None

    def count(self, frames: int | None) -> None:
        """Adds to the frames of the utterance; None if it is not known how many."""
        known = self.frames
        self.frames = None if known is None or frames is None else known + frames
