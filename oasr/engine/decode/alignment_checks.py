"""What an alignment must be: checks of the frames and confidences of tokens."""

from collections.abc import Sequence

import numpy as np
from numpy import typing as npt

from oasr import showing

Float64 = npt.NDArray[np.float64]


def frame_numbers(given: Sequence[int], count: int | None = None) -> Float64:
    """Returns emission frames as they must be.

    Args:
      given: for each token its frame, from 0 on and never decreasing.
      count: how many frames there are, if known.

    Raises:
      ValueError: naming what they are.
    """
    frames = _numbers("Emission frames", given)
    # What never decreases is finite if its ends are; a NaN equals not even itself.
    if frames.size and not (
        (frames == np.floor(frames)).all()
        and (frames[1:] >= frames[:-1]).all()
        and frames[0] >= 0
        and frames[-1] < np.inf
    ):
        raise ValueError(
            "Emission frames must be whole numbers from 0 on that never decrease, got"
            f" {showing.shown(given)}."
        )
    if count is not None and frames.size and frames[-1] >= count:
        raise ValueError(
            f"The last emission frame is {frames[-1]:.0f}, and there are {count}"
            " frames, counted from 0."
        )
    return frames


def token_spans(
    given: Sequence[tuple[float, float]], count: int | None = None
) -> Float64:
    """Returns `[N, 2]` spans as they must be.

    Args:
      given: for each token its begin and its end, in frames from 0 on.
      count: how many frames there are, if known.

    Raises:
      ValueError: naming what they are.
    """
    spans = np.empty((0, 2)) if len(given) == 0 else _floats("Spans", given)
    if spans.ndim != 2 or spans.shape[1] != 2:
        raise ValueError(
            f"Spans must be a begin and an end per token, got the shape {spans.shape}."
        )
    if not (
        np.isfinite(spans).all()
        and (spans >= 0).all()
        and (spans[:, 0] <= spans[:, 1]).all()
        and (np.diff(spans, axis=0) >= 0).all()
    ):
        raise ValueError(
            "Spans must be finite frames from 0 on whose begins and ends never"
            f" decrease, each begin at or before its end; got {showing.shown(given)}."
        )
    if count is not None and len(spans) and spans[-1, 1] > count:
        raise ValueError(
            f"The last span ends at frame {spans[-1, 1]:g}, and there are {count}"
            " frames."
        )
    return spans


def posteriors(given: Sequence[float], tokens: int) -> Float64 | None:
    """Returns the confidences of tokens as they must be, None if there are none.

    Args:
      given: for each token a number in [0, 1], or empty.
      tokens: how many tokens there are.

    Raises:
      ValueError: naming what they are.
    """
    confidences = _numbers("Confidences", given)
    if len(confidences) not in (0, tokens):
        raise ValueError(
            f"{tokens} tokens need as many confidences or none, got {len(confidences)}."
        )
    if not confidences.size:
        return None
    if not (confidences.min() >= 0 and confidences.max() <= 1):  # Nor is a NaN.
        outside = np.flatnonzero(~((confidences >= 0) & (confidences <= 1)))
        raise ValueError(
            f"Confidences must be in [0, 1], got {confidences[outside[0]]} at position"
            f" {outside[0]}."
        )
    return confidences


def _floats(what: str, given: npt.ArrayLike) -> Float64:
    try:
        return np.asarray(given, dtype=np.float64)
    except (OverflowError, TypeError, ValueError) as error:
        raise ValueError(
            f"{what} must be numbers, got {showing.shown(given)}."
        ) from error


def _numbers(what: str, given: Sequence[float]) -> Float64:
    found = _floats(what, given)
    if found.ndim != 1:
        raise ValueError(
            f"{what} must be one number per token, got the shape {found.shape}."
        )
    return found


def same_length(tokens: int, **values: Float64 | None) -> None:
    """Raises ValueError unless there is one of `values`, or None, for each token."""
    for name, found in values.items():
        if found is not None and len(found) != tokens:
            raise ValueError(
                f"{tokens} tokens need an alignment of as many, got {len(found)}"
                f" {name}."
            )
