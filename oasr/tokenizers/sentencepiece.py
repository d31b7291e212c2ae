"""SentencePiece models: unigram and BPE, with or without byte fallback."""

from collections.abc import Iterable
import logging
import os
import re
from typing import Any

from oasr.tokenizers import assets
from oasr.tokenizers import errors
from oasr.tokenizers import sentencepiece_model
from oasr.tokenizers import sentencepiece_start
from oasr.tokenizers import spec as tokenizer_spec
from oasr.tokenizers import token_ids
from oasr.tokenizers import windowed

_BYTE = re.compile("<0x([0-9A-F]{2})>")
_logger = logging.getLogger("oasr.tokenizers")


class SentencePieceTokenizer(windowed.WindowedIncrementalTokenizer):
    """Renders and segments text as the SentencePiece library does.

    An id that begins nothing is rendered as the library renders it; special ids and
    ids beyond the pieces are dropped before. A byte that is no part of a character
    is one mark. Trailing blanks are text.

    Args:
      model_path: a model file as `spm_train` writes it.
      special_ids: the ids `decode` drops; by default {0, 1, 2}.

    Raises:
      ImportError: if the library is not installed.
      AssetError: if the file is absent or no model.
    """

    _marks_each_byte = True

    def __init__(
        self,
        model_path: str | os.PathLike[str],
        special_ids: Iterable[int] | None = None,
    ) -> None:
        _library()
        if special_ids is None:
            special_ids = tokenizer_spec.DEFAULT_SPECIAL_IDS
        self._special_ids = token_ids.as_set(special_ids)
        self._content = assets.read_bytes(model_path)
        try:
            self._load()
        except (OSError, RuntimeError, ValueError) as error:
            raise errors.AssetError(
                f"{model_path}: expected a SentencePiece model: {_reason(error)}."
            ) from error
        if not self._windowed:
            _logger.warning(
                "%s: the model has a denormalizer, which may rewrite any text behind"
                " itself: streams hold all text back until they end.",
                model_path,
            )

    @classmethod
    def from_spec(cls, spec: tokenizer_spec.TokenizerSpec) -> "SentencePieceTokenizer":
        """Builds the tokenizer from the file `model` and this kind's options."""
        spec.check(files=frozenset({"model"}), options=frozenset({"special_ids"}))
        return cls(spec.file("model"), spec.special_ids())

    @property
    def vocab_size(self) -> int:
        """The number of pieces."""
        return self._vocab_size

    @property
    def special_ids(self) -> frozenset[int]:
        """The ids `decode` drops."""
        return self._special_ids

    def encode(self, text: str, *, split_special_tokens: bool = False) -> list[int]:
        """Returns the ids of `text`, no ids for its beginning or end added.

        Args:
          text: any text.
          split_special_tokens: treat all of `text` as a user's: no id of
            `special_ids` comes out but `unk_id`, for text the vocabulary lacks.

        Raises:
          ValueError: if `text` holds half of a surrogate pair.
        """
        _check_text(text)
        if not split_special_tokens:
            ids: list[int] = self._runtime.encode(text)
            return ids
        ids = self._user_runtime.encode(text)
        if self._special_bytes.isdisjoint(ids):
            return ids
        return [self._runtime.unk_id() if i in self._special_bytes else i for i in ids]

    def settled(self, ids: token_ids.TokenIds) -> int:
        """Returns how many characters of `decode(ids)` no later id can change."""
        if not self._windowed:
            self.decode(ids)  # Refuses what is no id.
            return 0
        return super().settled(ids)

    def __getstate__(self) -> dict[str, Any]:
        return {"content": self._content, "special_ids": self._special_ids}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._content, self._special_ids = state["content"], state["special_ids"]
        self._load()

    def _load(self) -> None:
        """Builds the runtimes, and asks once what the stream must know."""
        file = sentencepiece_model.ModelFile(self._content)
        load = _library().SentencePieceProcessor
        runtime = self._runtime = load(model_proto=self._content)
        self._vocab_size: int = runtime.get_piece_size()
        self._read_pieces()
        self._set_kept(self._vocab_size, self._special_ids)
        self.unk_id = runtime.unk_id() if runtime.unk_id() >= 0 else None
        self._windowed = not file.denormalizes()
        # A byte piece cannot be retyped, all 256 must be there.
        self._special_bytes = self._special_ids & self._bytes.keys()
        retyped = {
            i
            for i in range(self._vocab_size)
            if self._dropped[i]
            and i not in self._special_bytes
            and not (runtime.is_control(i) or runtime.is_unknown(i))
        }
        self._user_runtime = runtime
        if retyped:
            self._user_runtime = load(model_proto=file.with_controls(retyped))
        self._use_table()

    def _read_pieces(self) -> None:
        """Reads every piece once; notes the byte of those that are one."""
        runtime = self._runtime
        pieces = dict(enumerate(map(runtime.id_to_piece, range(self._vocab_size))))
        self._bytes = {}
        for token_id in filter(runtime.is_byte, pieces):
            byte = _BYTE.fullmatch(pieces[token_id])
            if not byte:
                raise ValueError(f"the byte piece {token_id} is {pieces[token_id]!r}")
            self._bytes[token_id] = bytes.fromhex(byte[1])
        text = {i: p for i, p in pieces.items() if not runtime.is_control(i)}
        # The unknown piece renders as the model's surface, whatever it is called.
        named = {i: piece for i, piece in text.items() if i != runtime.unk_id()}
        self._start = sentencepiece_start.StartRule(self._render, named)
        ordinary = [i for i in text if i not in self._bytes and i != runtime.unk_id()]
        # Without an ordinary piece an ASCII letter does; other bytes may begin a run.
        letters = [i for i, byte in self._bytes.items() if byte.isalpha()]
        self._primer = self._start.primer([*ordinary, runtime.unk_id(), *letters])

    def _ends_start(self, token_id: int) -> bool:
        return self._start.ends_with(token_id)

    def _render(self, ids: list[int]) -> str:
        text: str = self._runtime.decode(ids)
        return text


def _check_text(text: str) -> None:
    """Refuses what UTF-8 cannot write; the runtime's own error names nothing."""
    if not isinstance(text, str):
        raise TypeError(f"Expected a text to encode, got {type(text).__name__}.")
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise ValueError(
            f"A text to encode must be Unicode; its character at position"
            f" {error.start} is the lone surrogate {text[error.start]!r}."
        ) from error


def _library() -> Any:
    """Returns the SentencePiece library.

    Raises:
      ImportError: if it is not installed, saying how to.
    """
    try:
        import sentencepiece
    except ImportError as error:
        raise ImportError(
            "The tokenizer kind 'sentencepiece' needs the library sentencepiece:"
            " pip install 'oasr-server[tokenizers]'."
        ) from error
    return sentencepiece


def _reason(error: Exception) -> str:
    """Returns what the runtime found wrong, without its status code and line ends."""
    said = re.sub("^[A-Z_]+: ", "", str(error)).strip().rstrip(".")
    return said or "the library refuses it and does not say why"
