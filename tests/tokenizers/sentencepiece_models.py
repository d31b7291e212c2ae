"""SentencePiece models that the tests train for themselves, one per option."""

import functools
import io

import sentencepiece

from tests.tokenizers import languages

_TEXTS = [
    *(languages.SENTENCES[tag] for tag in ("en", "de", "fr", "es", "ru", "zh", "ja")),
    "hello world, hello again: the old mill turns and the river runs on",
    "she sells the shells that she found in the sand by the sea",
    "we hear the low hum of the wheel and the hiss of the water",
    "\u4f60\u597d\u4e16\u754c hello \u4f60\u597d",
]
_ICEFALL = {
    # The options of icefall's local/train_bpe_model.py.
    "user_defined_symbols": ["<blk>", "<sos/eos>"],
    "unk_id": 2,
    "bos_id": -1,
    "eos_id": -1,
    "pad_id": -1,
    "vocab_size": 120,
}
_BYTES = {"model_type": "bpe", "byte_fallback": True, "vocab_size": 420}
OPTIONS = {
    "unigram": {},
    "bpe": {"model_type": "bpe"},
    "bytes": {**_BYTES, "character_coverage": 0.98},
    "unigram_bytes": {"byte_fallback": True, "vocab_size": 420},
    "no_dummy_prefix": {"add_dummy_prefix": False},
    "extra_whitespace": {"remove_extra_whitespaces": False},
    "bytes_extra_whitespace": {**_BYTES, "remove_extra_whitespaces": False},
    "no_start_rule": {
        **_BYTES,
        "add_dummy_prefix": False,
        "remove_extra_whitespaces": False,
        "normalization_rule_name": "identity",
    },
    "suffix": {"treat_whitespace_as_suffix": True},
    "symbols": {
        "user_defined_symbols": ["<sil>", "[laugh]"],
        "control_symbols": ["<ctl>", "<|en|>"],
        "pad_id": 3,
    },
    "unk_surface": {"unk_surface": "<UNK>"},
    "no_unk_surface": {"unk_surface": ""},
    # An unknown piece that looks like the beginning of a word, and renders as no word.
    "marked_unk": {"unk_piece": "\u2581unknown", "unk_surface": "\ufffd"},
    "icefall": _ICEFALL,
    "icefall_bytes": {**_ICEFALL, **_BYTES},
    "characters": {"model_type": "char"},
}


@functools.cache
def model(name: str) -> bytes:
    """Returns the model file of the options `name`."""
    return train(**OPTIONS[name])


def train(**options) -> bytes:
    """Returns a model of few pieces; the same options give the same model."""
    file = io.BytesIO()
    defaults = {
        "vocab_size": 160,
        "model_type": "unigram",
        "hard_vocab_limit": False,
        "num_threads": 1,
        "minloglevel": 2,
    }
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(_TEXTS), model_writer=file, **(defaults | options)
    )
    return file.getvalue()


def reference(content: bytes) -> sentencepiece.SentencePieceProcessor:
    """Returns the library's own processor of a model."""
    return sentencepiece.SentencePieceProcessor(model_proto=content)


def reference_pieces(processor, ids: list[int]) -> list[str]:
    """Returns the text that the library itself says each id has."""
    decoded = processor.decode(ids, return_type="offset_mapping")
    return [decoded["text"][start:end] for start, end in decoded["offsets"]]


def reference_settled(processor, ids: list[int]) -> str:
    """Returns the text that no continuation changes, by the definition.

    Only bytes that some later bytes complete to a character may still change.
    """
    text, pending = processor.decode(ids), b""
    for token_id in reversed(ids):
        if not processor.is_byte(token_id) or len(pending) == 3:
            break
        pending = bytes.fromhex(processor.id_to_piece(token_id)[3:5]) + pending
    for start in range(len(pending)):
        if _completable(pending[start:]):
            return text[: len(text) - (len(pending) - start)]
    return text


@functools.cache
def _beginnings() -> frozenset[bytes]:
    """Returns every proper beginning of a character in UTF-8."""
    characters = (chr(c).encode() for c in range(0x80, 0x110000) if c >> 11 != 0x1B)
    return frozenset(c[:k] for c in characters for k in range(1, len(c)))


def _completable(content: bytes) -> bool:
    return content in _beginnings()
