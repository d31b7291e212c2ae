"""Maps `EngineConfig.family` to the factory that builds its strategy.

The built-in families are the table below; a family's module loads when the first
strategy of that family is built.
"""

from collections.abc import Callable
from typing import Any

from oasr import showing
from oasr import tokenizers
from oasr.engine import config as engine_config
from oasr.engine.decode import base
from oasr.tokenizers import plugins

Factory = Callable[[base.StrategySetup], base.DecodeStrategy]

_BUILTIN_FAMILIES = {
    "aed": "oasr.engine.decode.aed:build",
    "ctc": "oasr.engine.decode.ctc:Ctc",
    "ctc_aed_rescoring": "oasr.engine.decode.ctc_aed_rescoring:CtcAedRescoring",
    "llm": "oasr.engine.decode.llm:Llm",
    "paraformer": "oasr.engine.decode.paraformer:Paraformer",
    "transducer": "oasr.engine.decode.transducer:Transducer",
}
_registered_families: dict[str, Factory] = {}


def register_decode_strategy(
    family: str, factory: Factory, *, replace: bool = False
) -> None:
    """Adds a decode family for this process.

    Args:
      family: the name that `EngineConfig.family` uses.
      factory: builds a strategy from a `StrategySetup`, e.g. a class's
        `from_setup`; it reads the family's settings with `setup.options(...)`.
      replace: whether `family` may be taken already.

    Raises:
      ValueError: if the family is taken and not `replace`, or is no name.
      TypeError: if the factory cannot be called.
    """
    plugins.check(
        "decode family",
        family,
        factory,
        list_decode_strategies(),
        takes="with a StrategySetup",
        replace=replace,
    )
    _registered_families[family] = factory


def list_decode_strategies() -> list[str]:
    """Returns every family `build_decode_strategy` accepts, sorted."""
    return sorted({*_BUILTIN_FAMILIES, *_registered_families})


def build_decode_strategy(
    config: engine_config.EngineConfig,
    *,
    model: Any = None,
    tokenizer: tokenizers.Tokenizer | None = None,
) -> base.DecodeStrategy:
    """Builds the strategy of `config.family`.

    Args:
      config: names the family and its settings.
      model: for families that call it while they decode.
      tokenizer: the checkpoint's, if it has one.

    Raises:
      ValueError: for an unknown family, or a setting the family does not have.
    """
    setup = base.StrategySetup(config, model, tokenizer)
    strategy = _factory(config.family)(setup)
    if not isinstance(strategy, base.DecodeStrategy):
        raise TypeError(
            f"The factory of decode family {config.family!r} returned"
            f" {showing.shown(strategy)}, which is no"
            " oasr.engine.decode.DecodeStrategy."
        )
    return strategy


def _factory(family: str) -> Factory:
    if family in _registered_families:
        return _as_factory(_registered_families[family])
    if family in _BUILTIN_FAMILIES:
        return _as_factory(plugins.load(_BUILTIN_FAMILIES[family]))
    raise ValueError(
        f"Unknown decode family {showing.shown(family)}; expected one of"
        f" {list_decode_strategies()}."
    )


def _as_factory(found: Any) -> Factory:
    """Returns `found` itself, or the `from_setup` of a strategy class."""
    factory: Factory = getattr(found, "from_setup", found)
    return factory
