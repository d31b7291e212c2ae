"""Draws a token from a distribution that is sharpened and cut.

Shapes: V labels.
"""

import dataclasses

import numpy as np
from numpy import typing as npt

from oasr.engine import request


@dataclasses.dataclass(frozen=True, kw_only=True)
class Sampling:
    """How tokens are drawn.

    Attributes:
      temperature: logits are divided by it; above 0.
      top_k: how many of the best tokens may be drawn; None for all.
      top_p: the best tokens that together have this probability may be drawn, after
        `top_k` and the temperature; the one that reaches it is among them.
      seed: of all that is random in a request.
    """

    temperature: float = 1.0
    top_k: int | None = None
    top_p: float | None = None
    seed: int = 0

    @classmethod
    def of(cls, options: request.DecodingOptions) -> "Sampling | None":
        """Returns how a request asks to sample, None if it does not.

        A temperature of 0 asks not to; without one, any other option of sampling asks
        for a temperature of 1.
        """
        asked = (options.temperature, options.top_k, options.top_p, options.seed)
        if options.temperature == 0 or all(value is None for value in asked):
            return None
        return cls(
            temperature=1.0 if options.temperature is None else options.temperature,
            top_k=options.top_k,
            top_p=options.top_p,
            seed=options.seed or 0,
        )

    def generator(self, sample: int) -> np.random.Generator:
        """Returns what is random in the n-th sample of a request, from 0."""
        return np.random.Generator(np.random.PCG64([self.seed, sample]))

    def draw(
        self, log_probs: npt.NDArray[np.float32], generator: np.random.Generator
    ) -> int:
        """Returns a token; equal ones are ordered by their ids.

        Args:
          log_probs: `[V]`, one of them finite at least.
          generator: moves on by one number.
        """
        ids, weights = self.candidates(log_probs)
        totals = weights.cumsum()
        # The first whose total exceeds the number; one without weight never does.
        place = totals.searchsorted(generator.random() * totals[-1], side="right")
        return int(ids[min(place, len(ids) - 1)])

    def candidates(
        self, log_probs: npt.NDArray[np.float32]
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
        """Returns the tokens that may be drawn, best first, and their weights."""
        ids = np.argsort(-log_probs, kind="stable")[: self.top_k]
        ids = ids[np.isfinite(log_probs[ids])]
        scaled = log_probs[ids].astype(np.float64) - float(log_probs[ids[0]])
        with np.errstate(over="ignore"):  # Next to 0 the others have no weight at all.
            weights = np.exp(scaled / self.temperature)
        if self.top_p is not None:
            totals = weights.cumsum()
            count = 1 + int(totals.searchsorted(self.top_p * totals[-1]))
            ids, weights = ids[:count], weights[:count]
        return ids, weights
