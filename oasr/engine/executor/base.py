"""What executors share: stages over a batch in which a request fails alone."""

from collections.abc import Callable, Sequence
import dataclasses
from typing import TypeVar

_ValueT = TypeVar("_ValueT")
_ResultT = TypeVar("_ResultT")


@dataclasses.dataclass(frozen=True)
class Failure:
    """Why a request has no result.

    Attributes:
      stage: what failed, e.g. "decoding".
      cause: the exception.
    """

    stage: str
    cause: Exception

    def __str__(self) -> str:
        # A ValueError is a sentence; others may be as short as "'x'".
        if isinstance(self.cause, ValueError) and str(self.cause):
            return f"{self.stage}: {self.cause}"
        return f"{self.stage}: {type(self.cause).__name__}: {self.cause}"


def run_stage(
    stage: str,
    function: Callable[[Sequence[_ValueT]], Sequence[_ResultT]],
    values: Sequence[_ValueT | Failure],
) -> list[_ResultT | Failure]:
    """Applies `function` to the values of a batch; earlier failures pass through.

    When it fails on all of them together, it is applied to each on its own, so that
    only those fail that must.

    Args:
      stage: the name of what `function` does.
      function: gives one result for each value.
      values: one per request.
    """
    alive = [value for value in values if not isinstance(value, Failure)]
    results = iter(_apply(stage, function, alive))
    return [v if isinstance(v, Failure) else next(results) for v in values]


def _apply(
    stage: str,
    function: Callable[[Sequence[_ValueT]], Sequence[_ResultT]],
    values: Sequence[_ValueT],
) -> list[_ResultT | Failure]:
    if not values:
        return []
    try:
        results = list(function(values))
        if len(results) != len(values):
            raise ValueError(
                f"{len(values)} requests need as many results, got {len(results)}."
            )
        return [*results]
    except Exception as error:
        if len(values) == 1:
            return [Failure(stage, error)]
    return [result for v in values for result in _apply(stage, function, [v])]
