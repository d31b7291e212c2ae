"""The contract between a decode family and the streaming executor.

Shapes: T encoder frames of a chunk, V labels of the model's head.
"""

import abc
from collections.abc import Sequence
import dataclasses
from typing import Any, ClassVar

from oasr.engine import endpointing
from oasr.engine import request
from oasr.engine.decode import base


@dataclasses.dataclass(frozen=True)
class Partial:
    """Where a stream stands.

    Attributes:
      best: the best hypothesis so far; a later one may replace it.
      final_ids: how many of the first ids of `best` every hypothesis begins with from
        now on.
      final_times: how many of them keep their frame and their confidence, too.
    """

    best: base.Hypothesis
    final_ids: int
    final_times: int = 0


class DecodeStream(abc.ABC):
    """One utterance, decoded chunk by chunk; however it is cut, the end is the same."""

    @abc.abstractmethod
    def feed(self, scores: Any) -> None:
        """Consumes what the strategy's `prepare` returned; T may be 0."""

    @abc.abstractmethod
    def partial(self) -> Partial:
        """Returns where the stream stands after what was fed."""

    @abc.abstractmethod
    def finish(self) -> Sequence[base.Hypothesis]:
        """Returns the n-best list of the whole utterance, as `decode` would.

        It may be asked for again, when the first answer was interrupted.
        """


class EndpointingStream(DecodeStream):
    """A stream that knows which frames are blank, so that utterances can end in it."""

    @abc.abstractmethod
    def feed_until(
        self, scores: Any, rules: endpointing.EndpointRules
    ) -> tuple[bool, int]:
        """Consumes frames up to the first behind which the utterance ends.

        Args:
          scores: what the strategy's `prepare` returned, `[T, ...]`; T may be 0.
          rules: say where it ends; asked behind each frame.

        Returns:
          Whether it ended, and how many frames were consumed: all if it did not.
        """


class StreamingStrategy(base.DecodeStrategy):
    """A strategy that runs in the mode "streaming", too.

    Attributes:
      finds_endpoints: whether its streams are `EndpointingStream`s.
    """

    modes = frozenset({"offline", "streaming"})
    finds_endpoints: ClassVar[bool] = False

    @abc.abstractmethod
    def new_stream(self, options: request.DecodingOptions) -> DecodeStream:
        """Returns the stream of an utterance of which nothing was heard."""
