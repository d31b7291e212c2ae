"""Refuses requests that the running deployment cannot do as asked."""

import logging

from oasr import showing
from oasr.engine import config as engine_config
from oasr.engine import request as requests
from oasr.engine.decode import base

_logger = logging.getLogger("oasr.engine")

# The options that say what to write. The others say how to search for it; where a
# family searches otherwise they have no effect, which is said once.
_CONTENT = ("messages", "prompt", "task", "language", "word_timestamps")


class Admission:
    """Checks requests for one deployment.

    Args:
      config: how the deployment is set up.
      strategy: that of `config.family`.

    Raises:
      ValueError: if the family does not run in the deployment's mode.
    """

    def __init__(
        self, config: engine_config.EngineConfig, strategy: base.DecodeStrategy
    ) -> None:
        if config.mode not in strategy.modes:
            raise ValueError(
                f"Family {config.family!r} decodes in the modes"
                f" {sorted(strategy.modes)}, not in {config.mode!r}."
            )
        self._config = config
        self._honoured = strategy.honours(config.mode)
        self._honoured_elsewhere = {
            mode: strategy.honours(mode) for mode in strategy.modes - {config.mode}
        }
        self._said: set[str] = set()

    def check(self, request: requests.Request) -> None:
        """Raises ValueError for an option that would change what is decoded.

        Raises:
          TypeError: if `request` is none.
          ValueError: naming the option and the family, or the missing frame clock.
        """
        if not isinstance(request, requests.Request):
            raise TypeError(
                f"Expected an oasr.engine.Request, got {showing.shown(request)}."
            )
        place = f"Request {showing.shown(request.request_id)}"
        for name, value in request.options.asked().items():
            if name in self._honoured:
                continue
            if name in _CONTENT:
                raise ValueError(
                    f"{place} asks for {name}={showing.shown(value)}, which the"
                    f" family {self._config.family!r} cannot honour in"
                    f" {self._config.mode} mode{self._elsewhere(name)}."
                )
            self._say(name)
        if request.options.word_timestamps and self._config.seconds_per_frame is None:
            raise ValueError(
                f"{place} asks for word_timestamps=True, which needs"
                " EngineConfig.seconds_per_frame."
            )

    def _elsewhere(self, name: str) -> str:
        """Returns which other modes of the family honour an option, if any do."""
        found = [m for m, names in self._honoured_elsewhere.items() if name in names]
        return f"; it can in {' and '.join(sorted(found))} mode" if found else ""

    def _say(self, name: str) -> None:
        if name not in self._said:
            self._said.add(name)
            _logger.warning(
                "The option %s has no effect on the family %r.",
                name,
                self._config.family,
            )
