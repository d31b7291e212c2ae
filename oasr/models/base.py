"""What the decode families ask of a model, and the check that it is there.

Shapes: T frames, V labels of the head.
"""

from collections.abc import Sequence
import inspect
from typing import Any, Protocol, runtime_checkable

from numpy import typing as npt

from oasr import showing


@runtime_checkable
class ScoreModel(Protocol):
    """Gives scores per frame, for families that decode nothing else."""

    def scores(self, inputs: Sequence[Any]) -> Sequence[npt.ArrayLike]:
        """Returns the scores of a batch.

        Args:
          inputs: `Request.inputs` of each utterance.

        Returns:
          For each utterance `[T, V]` of a float type; T may differ.
        """


def check_model(model: object, *protocols: type) -> None:
    """Raises TypeError unless `model` has the methods of one of `protocols`.

    Only methods count: what a model gives is checked when it gives it.

    Args:
      model: the one a deployment was given.
      *protocols: classes derived from `typing.Protocol`.
    """
    if not isinstance(model, type) and any(
        all(callable(getattr(model, name, None)) for name in _methods(protocol))
        for protocol in protocols
    ):
        return
    wanted = ", or one with ".join(
        f"{_listed(_methods(protocol))}, an {protocol.__module__}.{protocol.__name__}"
        for protocol in protocols
    )
    raise TypeError(f"A model is an object with {wanted}; got {showing.shown(model)}.")


def _methods(protocol: type) -> dict[str, str]:
    """Returns the methods that a protocol declares, by name as a call is written."""
    found: dict[str, str] = {}
    for owner in reversed(protocol.__mro__):
        if owner in (Protocol, object) or not getattr(owner, "_is_protocol", False):
            continue
        for name, member in vars(owner).items():
            if inspect.isfunction(member) and not name.startswith("_"):
                arguments = list(inspect.signature(member).parameters)[1:]
                found[name] = f"{name}({', '.join(arguments)})"
    return found


def _listed(methods: dict[str, str]) -> str:
    *most, last = methods.values()
    return f"{', '.join(most)} and {last}" if most else last
