"""What executors share: stages over a batch in which a request fails alone."""

from collections.abc import Callable, Iterable, Sequence
import dataclasses
import logging
from typing import ParamSpec, TypeVar

from oasr import showing
from oasr.engine import request as requests

_logger = logging.getLogger("oasr.engine")
_ValueT = TypeVar("_ValueT")
_ResultT = TypeVar("_ResultT")
_Arguments = ParamSpec("_Arguments")


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
        text = showing.message(self.cause)
        if isinstance(self.cause, ValueError) and text:
            return f"{self.stage}: {text}"
        return f"{self.stage}: {type(self.cause).__name__}: {text}"


def attempt(
    stage: str,
    function: Callable[_Arguments, _ResultT],
    *args: _Arguments.args,
    **kwargs: _Arguments.kwargs,
) -> _ResultT | Failure:
    """Returns what `function` gives for one request, or why it fails.

    Args:
      stage: the name of what `function` does.
      function: called with all that follows.
      *args: of `function`.
      **kwargs: of `function`.
    """
    try:
        return function(*args, **kwargs)
    except Exception as error:
        return Failure(stage, error)


def run_stage(
    stage: str,
    function: Callable[[Sequence[_ValueT]], Sequence[_ResultT]],
    values: Sequence[_ValueT | Failure],
) -> list[_ResultT | Failure]:
    """Applies `function` to the values of a batch; earlier failures pass through.

    When it fails on all of them together, it is applied to each half, and so on, so
    that only those fail that must. One that must fail among n costs 2 log2(n) more
    calls, in which the work for the others is done again.

    Args:
      stage: the name of what `function` does.
      function: gives one result for each value.
      values: one per request.
    """
    alive = [value for value in values if not isinstance(value, Failure)]
    results = _apply(stage, function, alive)
    if len(alive) == len(values):
        return results
    rest = iter(results)
    return [v if isinstance(v, Failure) else next(rest) for v in values]


def _apply(
    stage: str,
    function: Callable[[Sequence[_ValueT]], Sequence[_ResultT]],
    values: Sequence[_ValueT],
) -> list[_ResultT | Failure]:
    if not values:
        return []
    try:
        return [*as_many(values, function(values))]
    except Exception as error:
        if len(values) == 1:
            return [Failure(stage, error)]
        _forget_frames(error)
    half = len(values) // 2
    return [
        *_apply(stage, function, values[:half]),
        *_apply(stage, function, values[half:]),
    ]


def as_many(values: Sequence[_ValueT], results: Iterable[_ResultT]) -> list[_ResultT]:
    """Returns the results of some values.

    Raises:
      TypeError: if `results` are no results at all.
      ValueError: if there are more or fewer of them than values.
    """
    if not isinstance(results, list | Iterable):
        raise TypeError(
            f"Expected a sequence of results, got {showing.shown(results)}."
        )
    found = list(results)
    if len(found) != len(values):
        raise ValueError(
            f"{len(values)} request(s) need as many results, got {len(found)}."
        )
    return found


def failed_output(
    request: requests.Request, failure: Failure
) -> requests.RequestOutput:
    """Returns the last output of a request that failed; logs why."""
    # A ValueError says what is wrong with the request; others need a traceback.
    expected = isinstance(failure.cause, ValueError)
    _logger.warning(
        "Request %s failed in %s",
        showing.shown(request.request_id),
        failure,
        exc_info=None if expected else failure.cause,
    )
    output = requests.RequestOutput.failed(request.request_id, str(failure))
    _forget_frames(failure.cause)
    return output


def _forget_frames(error: BaseException | None) -> None:
    """Lets go of what an exception knows of where it was raised.

    The frames there hold the request and its audio, and a list with the exception:
    until garbage is collected nothing of them would be free again.
    """
    errors = [error]
    seen: set[int] = set()
    while errors:
        one = errors.pop()
        if one is None or id(one) in seen:
            continue
        seen.add(id(one))
        one.__traceback__ = None
        errors += [one.__cause__, one.__context__]
        if isinstance(one, BaseExceptionGroup):
            errors += one.exceptions
