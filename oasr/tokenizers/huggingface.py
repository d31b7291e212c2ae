"""`tokenizer.json` files: whatever the `tokenizers` library builds from them."""

from collections.abc import Iterable
import itertools
import json
import logging
import os
from typing import Any

import numpy as np

from oasr.tokenizers import decoder_rules
from oasr.tokenizers import huggingface_files
from oasr.tokenizers import model_checks
from oasr.tokenizers import runtime
from oasr.tokenizers import spec as tokenizer_spec
from oasr.tokenizers import token_ids
from oasr.tokenizers import tokenizer_json
from oasr.tokenizers import windowed

_FILES = frozenset({"tokenizer", "tokenizer_config"})
_OPTIONS = frozenset({"special_ids", "on_id_mismatch", "vocab_size"})

_MAX_SIZE = tokenizer_json.MAX_ID + 1

# Published vocabularies have a visible text among their first few hundred.
_MOST_TRIED = 4096

_logger = logging.getLogger("oasr.tokenizers")


class HuggingFaceTokenizer(windowed.WindowedIncrementalTokenizer):
    """Renders ids as the `tokenizers` library does, special tokens skipped.

    Blanks stay as they are, no template ids are added, and nothing is cut off or
    filled up, whatever the file says about training. An id that no text has, in a gap
    of the numbering or in the padded end of a model's head, renders to nothing.

    Args:
      tokenizer_json_path: the tokenizer.json.
      special_ids: ids `decode` drops beside those of the tokens that the files mark
        special.
      tokenizer_config_path: the tokenizer_config.json; its `added_tokens_decoder`
        may declare added tokens that the tokenizer.json lacks.
      on_id_mismatch: what to do about an added token that the library would give
        another id than the declared one: "warn" takes the library's, "error"
        refuses, "fill" keeps the declared one.
      vocab_size: of the model's head, where it is larger than the vocabulary.

    Raises:
      ImportError: if the library is not installed.
      AssetError: if a file is absent, malformed, or contradicts another.
      ValueError: for an option without such a value.
    """

    _text_only: Any
    _built: Any

    def __init__(
        self,
        tokenizer_json_path: str | os.PathLike[str],
        special_ids: Iterable[int] | None = None,
        tokenizer_config_path: str | os.PathLike[str] | None = None,
        *,
        on_id_mismatch: str = "warn",
        vocab_size: int | None = None,
    ) -> None:
        runtime.require()
        if on_id_mismatch not in huggingface_files.ON_ID_MISMATCH:
            raise ValueError(
                "on_id_mismatch must be one of"
                f" {list(huggingface_files.ON_ID_MISMATCH)}, got {on_id_mismatch!r}."
            )
        given = token_ids.as_set(() if special_ids is None else special_ids)
        vocabulary = huggingface_files.load(
            tokenizer_json_path, tokenizer_config_path, on_id_mismatch=on_id_mismatch
        )
        self._vocab_size = model_size(vocabulary, vocab_size)
        self._special_ids = given | vocabulary.special_ids
        self._adopt(vocabulary, vocabulary.size)

    @classmethod
    def from_spec(cls, spec: tokenizer_spec.TokenizerSpec) -> "HuggingFaceTokenizer":
        """Builds the tokenizer from `tokenizer`, `tokenizer_config` and the options."""
        spec.check(files=_FILES, options=_OPTIONS)
        return cls(
            spec.file("tokenizer"),
            tokenizer_config_path=spec.files.get("tokenizer_config"),
            **spec.options,
        )

    @property
    def vocab_size(self) -> int:
        """One more than the largest id; that of the model's head, if it is given."""
        return self._vocab_size

    @property
    def special_ids(self) -> frozenset[int]:
        """The ids `decode` drops."""
        return self._special_ids

    def encode(self, text: str, *, split_special_tokens: bool = False) -> list[int]:
        """Returns the ids of `text`, no template ids added.

        Args:
          text: any text.
          split_special_tokens: treat all of `text` as a user's: it becomes no id of
            `special_ids`, but `unk_id` for what the vocabulary lacks.

        Raises:
          ValueError: if `text` holds half of a surrogate pair.
        """
        built = self._text_only if split_special_tokens else self._built
        return runtime.encode(built, text, self._path)

    def is_text(
        self, ids: token_ids.TokenIds
    ) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """Returns for each id whether a text has it that is not special."""
        return token_ids.mask(ids, 0, self._text_size, self._hidden)

    def _adopt(self, vocabulary: huggingface_files.Vocabulary, size: int) -> None:
        """Keeps the runtimes, and what streams have to know about the decoder.

        Args:
          vocabulary: the files.
          size: one more than the largest id that renders.
        """
        self._path = vocabulary.path
        self._built = vocabulary.built
        self._text_only = vocabulary.build_text_only(self._special_ids)
        self.unk_id = vocabulary.unk_id
        texts = {
            i: text
            for i, text in enumerate(vocabulary.texts[:size])
            if text is not None
        }
        rules = decoder_rules.of_decoder(_decoder(self._built), texts)
        self._text_size = size
        gaps = [i for i in range(size) if i not in texts]
        self._set_kept(size, itertools.chain(self._special_ids, gaps, rules.empty))
        # The same flags, where nothing but the hidden ids is dropped.
        self._hidden = self._dropped
        if not rules.empty <= self._special_ids:
            self._hidden = token_ids.flags(
                itertools.chain(self._special_ids, gaps), size
            )
        self._follow(rules, {i for i in texts if not self._dropped[i]})

    def _follow(self, rules: decoder_rules.Rules, kept: set[int]) -> None:
        """Sets what the window does, by the rules of the decoder."""
        self._bytes = {i: part for i, part in rules.part_bytes.items() if i in kept}
        self._undoes_runs = rules.undoes_runs
        self._first_dropped = rules.first_dropped
        self._follows_last = rules.follows_last
        if rules.first_differs:
            candidates = sorted(kept - self._bytes.keys())
            visible = (i for i in candidates[:_MOST_TRIED] if self._render([i]).strip())
            first = next(visible, None)
            self._primer = () if first is None else (first,)
        self._windowed = rules.known and bool(self._primer or not rules.first_differs)
        self._read_by_table()
        if not rules.known:
            _logger.warning(
                "%s: how the decoder %r treats the end of a text is not known, so the"
                " cost of streams grows with their length.",
                self._path,
                _decoder(self._built),
            )

    def _read_by_table(self) -> None:
        # An id that renders by the one before it has no text of its own.
        if not self._follows_last:
            self._use_table()

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        self._read_by_table()

    def _render(self, ids: list[int]) -> str:
        # `_kept` left out what the runtime would skip.
        return runtime.decode(self._built, ids, self._path)

    def _context_behind(self, ids: list[int]) -> tuple[int, ...]:
        return (ids[-1],) if self._follows_last else self._primer


def model_size(vocabulary: huggingface_files.Vocabulary, vocab_size: int | None) -> int:
    """Returns the size of the model's head, by default that of the vocabulary."""
    least = vocabulary.size
    if vocab_size is None:
        return least
    # What is built takes memory for each id, so the size has to be a real one.
    most = min(_MAX_SIZE, model_checks.most_ids(least))
    if type(vocab_size) is not int or not least <= vocab_size <= most:
        raise ValueError(
            f"vocab_size must be an integer of at least {least}, as"
            f" {vocabulary.path} has ids up to {least - 1}, and at most {most};"
            f" got {vocab_size!r}."
        )
    return vocab_size


def _decoder(built: Any) -> dict[str, Any] | None:
    """Returns the decoder as the library describes it."""
    if built.decoder is None:
        return None
    described: dict[str, Any] = json.loads(built.decoder.__getstate__())
    return described
