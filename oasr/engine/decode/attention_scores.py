"""What attention decoders say of whole hypotheses: checked, and summed.

Shapes: N hypotheses, L ids of a hypothesis.
"""

from collections.abc import Sequence

import numpy as np
from numpy import typing as npt

from oasr.engine.decode import scores as score_forms


def sums(
    name: str, given: Sequence[npt.ArrayLike], lengths: Sequence[int]
) -> npt.NDArray[np.float64]:
    """Returns `[N]` log-probabilities of whole hypotheses.

    Args:
      name: of the decoder.
      given: for each what it gave.
      lengths: L of each.

    Raises:
      ValueError: if a decoder gave anything but `[L + 1]` log-probabilities for each.
    """
    if len(given) != len(lengths):
        raise ValueError(
            f"{name} must score each of {len(lengths)} hypotheses, gave {len(given)}."
        )
    pairs = enumerate(zip(given, lengths, strict=True))
    return np.array([_sum(f"{name}, hypothesis {k}", *pair) for k, pair in pairs])


def _sum(place: str, given: npt.ArrayLike, length: int) -> float:
    values = np.asarray(given)
    if values.shape != (length + 1,) or not np.issubdtype(values.dtype, np.floating):
        raise ValueError(
            f"{place}: expected {length + 1} log-probabilities, one per id and one for"
            f" the end symbol, got {values.dtype} of shape {values.shape}."
        )
    outside = np.flatnonzero(~(values <= score_forms.TOLERANCE))  # A NaN is outside.
    if outside.size:
        raise ValueError(
            f"{place}: a log-probability is at most 0, got {values[outside[0]]} at"
            f" position {outside[0]}."
        )
    return float(values.sum(dtype=np.float64))
