"""What a Whisper model's own vocabulary says: bytes of tokens, ids of control tokens.

Shapes: V entries.
"""

from collections.abc import Mapping, Sequence
import dataclasses
import functools
import unicodedata

from oasr.checkpoints import byte_ranks
from oasr.checkpoints import ctranslate2_files
from oasr.checkpoints import directory as directories
from oasr.checkpoints import whisper_languages as names
from oasr.tokenizers import errors

_OPENING = frozenset({"Ps", "Pi"})


@dataclasses.dataclass(frozen=True, eq=False, kw_only=True)
class Vocabulary:
    """A vocabulary of Whisper.

    Attributes:
      texts: `[V]`, in the letters of byte-level vocabularies.
      end_id: ends a transcript; all ids from there on are control.
      start_id: begins one.
      previous_id: goes before what was said before.
      no_timestamps_id: asks for text alone; the timestamps follow it.
      languages: the token of each language, by code.
    """

    texts: Sequence[str]
    end_id: int
    start_id: int
    previous_id: int
    no_timestamps_id: int
    languages: Mapping[str, int]

    @classmethod
    def read(cls, directory: directories.CheckpointDirectory) -> "Vocabulary":
        """Returns the vocabulary of a CTranslate2 directory.

        Raises:
          AssetError: if there is none, or it is not Whisper's.
        """
        texts = ctranslate2_files.vocabulary(directory)
        ids = {text: token_id for token_id, text in enumerate(texts)}
        wanted = (names.START, names.PREVIOUS, names.NO_TIMESTAMPS)
        missing = [name for name in wanted if name not in ids]
        if missing:
            raise errors.AssetError(
                f"{directory.path}: the vocabulary of Whisper has {missing[0]}; this"
                " one has not."
            )
        return cls(
            texts=texts,
            end_id=ids[names.END_OF_TEXT],
            start_id=ids[names.START],
            previous_id=ids[names.PREVIOUS],
            no_timestamps_id=ids[names.NO_TIMESTAMPS],
            languages={
                code: ids[f"<|{code}|>"]
                for code in names.LANGUAGES
                if f"<|{code}|>" in ids
            },
        )

    @property
    def first_timestamp_id(self) -> int:
        """The timestamp of 0 s; the others follow it."""
        return self.no_timestamps_id + 1

    def is_text(self, token_id: int) -> bool:
        """Returns whether a token is text, and no control token."""
        return token_id < self.end_id

    def text_ids(self, ids: Sequence[int]) -> tuple[int, ...]:
        """Returns those of `ids` that are text."""
        return tuple(i for i in ids if self.is_text(i))

    def bytes_of(self, token_id: int) -> bytes:
        """Returns what a token of text adds; nothing if it is none."""
        if not 0 <= token_id < self.end_id:
            return b""
        text, bytes_by_letter = self.texts[token_id], _bytes_by_letter()
        return bytes(bytes_by_letter[letter] for letter in text)

    def text(self, ids: Sequence[int]) -> str:
        """Returns the text of ids, as it is before its ends are stripped."""
        content = b"".join(self.bytes_of(token_id) for token_id in ids)
        return content.decode("utf-8", errors="replace")

    def is_closing_mark(self, token_id: int) -> bool:
        """Returns whether a token is punctuation that ends what goes before it."""
        text = self.text([token_id])
        return _is_marks(text) and not self.is_opening_mark(token_id)

    def is_opening_mark(self, token_id: int) -> bool:
        """Returns whether a token is punctuation that begins what follows it."""
        text = self.text([token_id])
        if not _is_marks(text):
            return False
        return text[0].isspace() or unicodedata.category(text.strip()[0]) in _OPENING


def _is_marks(text: str) -> bool:
    marks = text.strip()
    return bool(marks) and all(unicodedata.category(c)[0] == "P" for c in marks)


@functools.cache
def _bytes_by_letter() -> Mapping[str, int]:
    return {letter: byte for byte, letter in byte_ranks.letters().items()}
