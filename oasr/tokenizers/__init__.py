"""Token ids to text, and back: every kind of vocabulary behind one contract.

Names load when they are used, so a kind's library is needed only by that kind.
"""

from typing import TYPE_CHECKING

from oasr import lazy

if TYPE_CHECKING:
    from oasr.tokenizers.base import Tokenizer
    from oasr.tokenizers.decode_state import DecodeState
    from oasr.tokenizers.errors import AssetError
    from oasr.tokenizers.errors import UnknownKindError
    from oasr.tokenizers.funasr_char import FunASRCharTokenizer
    from oasr.tokenizers.funasr_sentence import sentence_postprocess
    from oasr.tokenizers.huggingface import HuggingFaceTokenizer
    from oasr.tokenizers.registry import build_tokenizer
    from oasr.tokenizers.registry import list_tokenizers
    from oasr.tokenizers.registry import register_tokenizer
    from oasr.tokenizers.sentencepiece import SentencePieceTokenizer
    from oasr.tokenizers.spec import DEFAULT_SPECIAL_IDS
    from oasr.tokenizers.spec import TokenizerSpec
    from oasr.tokenizers.symbol_table import SymbolTableTokenizer
    from oasr.tokenizers.whisper import WhisperTokenizer
    from oasr.tokenizers.windowed import WindowedIncrementalTokenizer

_MODULE_OF = {
    "AssetError": "errors",
    "DEFAULT_SPECIAL_IDS": "spec",
    "DecodeState": "decode_state",
    "FunASRCharTokenizer": "funasr_char",
    "HuggingFaceTokenizer": "huggingface",
    "SentencePieceTokenizer": "sentencepiece",
    "SymbolTableTokenizer": "symbol_table",
    "Tokenizer": "base",
    "TokenizerSpec": "spec",
    "UnknownKindError": "errors",
    "WhisperTokenizer": "whisper",
    "WindowedIncrementalTokenizer": "windowed",
    "build_tokenizer": "registry",
    "list_tokenizers": "registry",
    "register_tokenizer": "registry",
    "sentence_postprocess": "funasr_sentence",
}

__all__ = [
    "DEFAULT_SPECIAL_IDS",
    "AssetError",
    "DecodeState",
    "FunASRCharTokenizer",
    "HuggingFaceTokenizer",
    "SentencePieceTokenizer",
    "SymbolTableTokenizer",
    "Tokenizer",
    "TokenizerSpec",
    "UnknownKindError",
    "WhisperTokenizer",
    "WindowedIncrementalTokenizer",
    "build_tokenizer",
    "list_tokenizers",
    "register_tokenizer",
    "sentence_postprocess",
]

if not TYPE_CHECKING:  # To type checkers a module with a `__getattr__` has all names.
    __getattr__, __dir__ = lazy.exports(__name__, _MODULE_OF)
