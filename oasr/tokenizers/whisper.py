"""Whisper's vocabularies: a `tokenizer.json` that ends in a block of control tokens."""

import os

from oasr.tokenizers import decoder_rules
from oasr.tokenizers import errors
from oasr.tokenizers import huggingface
from oasr.tokenizers import huggingface_files
from oasr.tokenizers import runtime
from oasr.tokenizers import spec as tokenizer_spec
from oasr.tokenizers import whisper_controls


class WhisperTokenizer(huggingface.HuggingFaceTokenizer):
    """Renders the ids below the end of text, and strips both ends.

    From the end of text on, every id is control: languages, tasks, timestamps. The
    published files mark timestamps as text, or stop short of them, so it is the id
    that counts.

    Args:
      tokenizer_json_path: the tokenizer.json.
      eot_id: the id of the end of text; by default that of the file's <|endoftext|>.
        It is 50256 in the English-only models and 50257 in the multilingual ones.
      vocab_size: the model's, where the file stops short of it.

    Raises:
      ImportError: if the library is not installed.
      AssetError: if the file is absent, malformed, or no vocabulary of Whisper's.
      ValueError: for an option without such a value.
    """

    _strips_ends = True

    def __init__(
        self,
        tokenizer_json_path: str | os.PathLike[str],
        eot_id: int | None = None,
        *,
        vocab_size: int | None = None,
    ) -> None:
        runtime.require()
        vocabulary = huggingface_files.load(tokenizer_json_path)
        self._vocab_size = huggingface.model_size(vocabulary, vocab_size)
        self._eot_id = _end_of_text(vocabulary, eot_id, self._vocab_size)
        self._special_ids = frozenset(range(self._eot_id, self._vocab_size))
        self._controls = whisper_controls.read(
            dict(enumerate(vocabulary.texts)),
            eot_id=self._eot_id,
            vocab_size=self._vocab_size,
        )
        self._adopt(vocabulary, self._eot_id)

    @classmethod
    def from_spec(cls, spec: tokenizer_spec.TokenizerSpec) -> "WhisperTokenizer":
        """Builds the tokenizer from the file `tokenizer` and this kind's options."""
        spec.check(
            files=frozenset({"tokenizer"}), options=frozenset({"eot_id", "vocab_size"})
        )
        return cls(spec.file("tokenizer"), **spec.options)

    @property
    def eot_id(self) -> int:
        """The id of the end of text; all ids from there on are control."""
        return self._eot_id

    def control_id(self, name: str) -> int:
        """Returns the id of a control token, e.g. of "<|en|>" or "<|0.00|>".

        Timestamps have their ids in files that stop short of them, too, if the
        model's `vocab_size` is given. "<|nospeech|>" and "<|nocaptions|>" are the
        same.

        Raises:
          TypeError: if `name` is no text.
          ValueError: if the vocabulary has no control token of that name.
        """
        return whisper_controls.find(self._controls, name, self._path)

    def _follow(self, rules: decoder_rules.Rules, kept: set[int]) -> None:
        if not rules.byte_level:
            raise errors.AssetError(
                f"{self._path}: expected a ByteLevel decoder, as Whisper's files have."
            )
        super()._follow(rules, kept)


def _end_of_text(
    vocabulary: huggingface_files.Vocabulary, eot_id: int | None, vocab_size: int
) -> int:
    if eot_id is None:
        found = vocabulary.built.token_to_id(whisper_controls.END_OF_TEXT)
        if found is None:
            raise errors.AssetError(
                f"{vocabulary.path}: the vocabulary has no"
                f" {whisper_controls.END_OF_TEXT!r}; without it, eot_id must be given."
            )
        return int(found)
    if type(eot_id) is not int or not 0 <= eot_id < vocab_size:
        raise ValueError(
            f"eot_id must be an id of the vocabulary, in [0, {vocab_size}); got"
            f" {eot_id!r}."
        )
    return eot_id
