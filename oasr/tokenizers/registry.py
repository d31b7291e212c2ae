"""Maps `TokenizerSpec.kind` to the factory that builds it.

The built-in kinds are the table below. A kind's module loads when the first
tokenizer of that kind is built, so its dependencies are needed only then. Installed
packages add kinds by entry points of the group `oasr.tokenizers`.
"""

from collections.abc import Callable
import functools
from importlib import metadata
import logging
from typing import Any

from oasr.tokenizers import base
from oasr.tokenizers import errors
from oasr.tokenizers import plugins
from oasr.tokenizers import spec as tokenizer_spec

Factory = Callable[[tokenizer_spec.TokenizerSpec], base.Tokenizer]

ENTRY_POINT_GROUP = "oasr.tokenizers"

_logger = logging.getLogger("oasr.tokenizers")
_BUILTIN_KINDS = {
    "funasr_char": "oasr.tokenizers.funasr_char:FunASRCharTokenizer",
    "huggingface": "oasr.tokenizers.huggingface:HuggingFaceTokenizer",
    "sentencepiece": "oasr.tokenizers.sentencepiece:SentencePieceTokenizer",
    "symbol_table": "oasr.tokenizers.symbol_table:SymbolTableTokenizer",
    "whisper": "oasr.tokenizers.whisper:WhisperTokenizer",
}
_registered_kinds: dict[str, Factory] = {}


def register_tokenizer(kind: str, factory: Factory, *, replace: bool = False) -> None:
    """Adds a tokenizer kind for this process.

    Args:
      kind: the name that specs use.
      factory: builds a tokenizer from a spec, or a class with `from_spec`.
      replace: whether `kind` may be taken already.

    Raises:
      ValueError: if the kind is taken and not `replace`, or is no name.
      TypeError: if the factory cannot be called.
    """
    plugins.check(
        "tokenizer kind",
        kind,
        factory,
        list_tokenizers(),
        takes="with a TokenizerSpec",
        replace=replace,
    )
    _registered_kinds[kind] = factory


def list_tokenizers() -> list[str]:
    """Returns every kind `build_tokenizer` accepts, sorted."""
    return sorted({*_BUILTIN_KINDS, *_registered_kinds, *_entry_points()})


def build_tokenizer(spec: tokenizer_spec.TokenizerSpec) -> base.Tokenizer:
    """Builds the tokenizer `spec` describes.

    Raises:
      UnknownKindError: if no such kind is registered.
      AssetError: if one of its files is absent, malformed or contradictory.
      ValueError: for a file role or an option the kind does not have.
      ImportError: if the kind needs a library that is not installed.
    """
    tokenizer = _factory(spec.kind)(spec)
    if not isinstance(tokenizer, base.Tokenizer):
        raise TypeError(
            f"The factory of tokenizer kind {spec.kind!r} returned"
            f" {tokenizer!r}, which is no oasr.tokenizers.Tokenizer."
        )
    return tokenizer


def _factory(kind: str) -> Factory:
    if kind in _registered_kinds:
        return _as_factory(_registered_kinds[kind])
    if kind in _BUILTIN_KINDS:
        return _as_factory(plugins.load(_BUILTIN_KINDS[kind]))
    if kind in _entry_points():
        return _as_factory(_entry_points()[kind].load())
    raise errors.UnknownKindError(
        f"Unknown tokenizer kind {kind!r}; expected one of {list_tokenizers()}."
    )


def _as_factory(found: Any) -> Factory:
    """Returns `found` itself, or the `from_spec` of a tokenizer class."""
    factory: Factory = getattr(found, "from_spec", found)
    return factory


@functools.cache
def _entry_points() -> dict[str, metadata.EntryPoint]:
    """Returns the kinds of installed packages; loading waits until one is built."""
    return plugins.find(ENTRY_POINT_GROUP, _BUILTIN_KINDS, "tokenizer kind", _logger)
