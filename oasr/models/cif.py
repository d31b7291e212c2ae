"""Continuous integrate-and-fire: where a Paraformer's predictor fires for a token.

The predictor gives each frame a weight. Weights add up; where the sum reaches the
threshold a token fires, and the threshold is taken off. Models publish both the weights
and the sums, the *peaks*, as two arrays of one shape.

Shapes: T frames at the rate of the weights.
"""

import numpy as np
from numpy import typing as npt

# How far a peak may be from the sum of the weights: float32 sums over minutes of audio.
TOLERANCE = 1e-2


def fire_positions(
    *,
    weights: npt.ArrayLike,
    peaks: npt.ArrayLike,
    threshold: float = 1.0,
    rate: float = 1.0,
    frame_count: int | None = None,
) -> npt.NDArray[np.float64]:
    """Returns where each token fires, in encoder frames that may be fractions.

    Within a frame the weight counts as spread evenly, so a token fires at the share of
    the frame that its sum lacked.

    Args:
      weights: `[T]` numbers from 0 on (FunASR's `alphas`, `us_alphas`).
      peaks: `[T]` sums, before the threshold is taken off (`us_cif_peak`).
      threshold: above 0.
      rate: how many weights there are per encoder frame; 3 for FunASR's `us_` arrays.
      frame_count: of the encoder, if the predictor appends a tail frame to them: what
        fires there, fires at the end.

    Raises:
      ValueError: if peaks are not the sums of the weights, as when they are exchanged.
    """
    steps, sums = _array("weights", weights), _array("peaks", peaks)
    if steps.shape != sums.shape:
        raise ValueError(
            f"CIF weights and peaks must be of one length, got {len(steps)} and"
            f" {len(sums)}."
        )
    if not (threshold > 0 and rate > 0):
        raise ValueError(
            f"threshold and rate must be above 0, got {threshold!r} and {rate!r}."
        )
    rest, found = 0.0, []
    for frame, (step, peak) in enumerate(
        zip(steps.tolist(), sums.tolist(), strict=True)
    ):
        if not abs(rest + step - peak) <= TOLERANCE:
            raise ValueError(
                f"CIF peaks must be the sums of the weights: at frame {frame} the"
                f" weights sum to {rest + step:.6g} and the peak is {peak:.6g}; are"
                " the two exchanged?"
            )
        if peak >= threshold:
            # What the last frames left over may already be enough.
            lacked = min(max(threshold - (peak - step), 0.0), step)
            found.append((frame + (lacked / step if step else 0.0)) / rate)
        # Goes on from the model's own sum, so that rounding does not add up.
        rest = peak - threshold if peak >= threshold else peak
    fires = np.array(found, dtype=np.float64)
    return fires if frame_count is None else fires.clip(max=frame_count)


def _array(name: str, given: npt.ArrayLike) -> npt.NDArray[np.float64]:
    found = np.asarray(given, dtype=np.float64)
    if found.ndim != 1:
        raise ValueError(f"CIF {name} must be [T], got the shape {found.shape}.")
    if not (np.isfinite(found) & (found >= 0)).all():
        raise ValueError(f"CIF {name} must be finite numbers from 0 on.")
    return found
