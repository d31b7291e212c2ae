"""Symbol tables of checkpoints, and the SentencePiece models that agree with them."""

from collections.abc import Mapping
import dataclasses
import functools
from typing import Any

from oasr import tokenizers
from oasr.checkpoints import directory as directories
from oasr.checkpoints import special_names
from oasr.tokenizers import symbol_table_file


@dataclasses.dataclass(frozen=True)
class Table:
    """A `<piece> <id>` table.

    Attributes:
      name: of the file, relative to the directory.
      path: of the file.
      pieces: the piece of each id.
    """

    name: str
    path: str
    pieces: Mapping[int, str]

    @functools.cached_property
    def specials(self) -> dict[str, int]:
        """The ids of the pieces that are no text, by name."""
        return special_names.find(self.pieces, self.path)

    @property
    def special_ids(self) -> list[int]:
        """The ids of the pieces that are no text."""
        return sorted(self.specials.values())

    @property
    def size(self) -> int:
        """One more than the largest id that a model can emit."""
        return special_names.speech_size(self.pieces)

    def blank_id(self, *, epsilon: bool = False) -> int | None:
        """Returns the id of the blank, by its name, if there is one."""
        return special_names.blank(self.specials, self.path, epsilon=epsilon)

    def spec(self, byte_pieces: str = "none") -> tokenizers.TokenizerSpec:
        """Returns the spec of a symbol table of this file."""
        options: dict[str, Any] = {"special_ids": self.special_ids}
        if byte_pieces != "none":
            options["byte_pieces"] = byte_pieces
        return tokenizers.TokenizerSpec("symbol_table", {"table": self.path}, options)


def read(directory: directories.CheckpointDirectory, name: str) -> Table:
    """Returns the table in a file.

    Raises:
      AssetError: if the file is absent or malformed, naming the line.
    """
    path = directory.file(name, max_bytes=directories.MAX_TEXT_BYTES)
    return Table(name, path, symbol_table_file.read_symbol_table(path))


def agreeing_model(
    directory: directories.CheckpointDirectory, table: Table, names: list[str]
) -> tuple[str | None, str]:
    """Looks for a SentencePiece model with the table's pieces under the table's ids.

    Args:
      directory: where the models are.
      table: what they are compared with.
      names: of the models, relative to the directory.

    Returns:
      The path of the first model that agrees, or None; and a sentence on why.
    """
    said = [f"no model is beside {table.name}"]
    for name in names:
        difference = _difference(sentencepieces(directory.file(name)), table)
        if difference is None:
            return directory.file(name), f"{name} agrees with {table.name}"
        said = [f"{name} is not the vocabulary of {table.name}: {difference}"]
    return None, said[0]


def sentencepieces(path: str) -> dict[int, str]:
    """Returns the piece of each id of a SentencePiece model.

    Raises:
      AssetError: if the file is no model.
      ImportError: if the library is not installed.
    """
    size = tokenizers.SentencePieceTokenizer(path, ()).vocab_size  # Checks the file.
    import sentencepiece

    processor = sentencepiece.SentencePieceProcessor(model_file=path)
    return dict(enumerate(map(processor.id_to_piece, range(size))))


def _difference(pieces: Mapping[int, str], table: Table) -> str | None:
    """Returns where the model and the table differ, or None if they agree."""
    for token_id, piece in pieces.items():
        if table.pieces.get(token_id) != piece:
            return (
                f"the id {token_id} is {piece!r} in the model and"
                f" {table.pieces.get(token_id)!r} in the table"
            )
    special = set(table.special_ids)
    for token_id, piece in table.pieces.items():
        if token_id not in pieces and token_id not in special:
            return f"the id {token_id}, {piece!r} in the table, is not in the model"
    return None


def with_model(
    spec: tokenizers.TokenizerSpec,
    directory: directories.CheckpointDirectory,
    table: Table,
    names: list[str],
) -> tokenizers.TokenizerSpec:
    """Returns the spec of the model that agrees with the table, else `spec`.

    A model renders the same ids as the table does, and can encode, too.
    """
    model, _ = agreeing_model(directory, table, names)
    if model is None:
        return spec
    return tokenizers.TokenizerSpec(
        "sentencepiece", {"model": model}, {"special_ids": table.special_ids}
    )
