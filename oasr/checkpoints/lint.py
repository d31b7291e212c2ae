"""What looks wrong in a checkpoint, and what would put it right."""

from collections.abc import Iterable, Mapping
import itertools

from oasr import tokenizers
from oasr.checkpoints import byte_guess
from oasr.checkpoints import checkpoint as checkpoints
from oasr.checkpoints import lint_added_tokens
from oasr.checkpoints import special_names
from oasr.checkpoints import tokenizer_files
from oasr.checkpoints import vocabulary
from oasr.checkpoints.finding import Finding

_MOST_GAPS = 1000
# Kinds whose special ids are those that somebody names, and no others.
_NAMED_KINDS = ("funasr_char", "sentencepiece", "symbol_table")


def lint(
    checkpoint: checkpoints.ConvertedCheckpoint,
    tokenizer: tokenizers.Tokenizer,
    pieces: Mapping[int, str],
    files: tokenizer_files.TokenizerFiles,
) -> list[Finding]:
    """Returns the findings, errors first.

    Args:
      checkpoint: what was converted.
      tokenizer: what its spec builds.
      pieces: the piece of each id.
      files: reads its files.
    """
    spec = checkpoint.tokenizer
    found = [
        *_duplicates(pieces),
        *_gaps(pieces),
        *_unreachable(spec, files),
        *_head(checkpoint, tokenizer, pieces),
        *_byte_guess(spec, pieces),
        *_specials(checkpoint, tokenizer, pieces),
        *lint_added_tokens.lint(spec, files),
    ]
    return sorted(found, key=lambda finding: finding.order)


def _duplicates(pieces: Mapping[int, str]) -> Iterable[Finding]:
    first: dict[str, int] = {}
    again = [
        i for i, piece in sorted(pieces.items()) if first.setdefault(piece, i) != i
    ]
    if again:
        piece = pieces[again[0]]
        yield Finding(
            "duplicate_piece",
            "note",
            f"{len(again)} ids have a piece that an earlier id has, e.g. {again[0]}"
            f" has the {piece!r} of {first[piece]}",
            "none is needed where the model was trained so: each id renders; a search"
            " may list one text twice",
            tuple(again),
        )


def _gaps(pieces: Mapping[int, str]) -> Iterable[Finding]:
    size = max(pieces, default=-1) + 1
    missing = (i for i in range(size) if i not in pieces)
    # The largest id that a table may have is millions above the others.
    if first := tuple(itertools.islice(missing, _MOST_GAPS)):
        yield Finding(
            "gap",
            "warning",
            f"{size - len(pieces)} ids below the largest have no piece, e.g."
            f" {first[0]}",
            "if the model can emit them, look for the lines that the file lost; they"
            " render to nothing",
            first,
        )


def _unreachable(
    spec: tokenizers.TokenizerSpec, files: tokenizer_files.TokenizerFiles
) -> Iterable[Finding]:
    ids = vocabulary.unreachable(spec, files)
    if ids:
        yield Finding(
            "unreachable_id",
            "note",
            f"no merge makes {len(ids)} of the ids, e.g. {ids[0]}, so no text becomes"
            " them",
            "none is needed to decode; a prompt cannot hold them",
            tuple(ids),
        )


def _head(
    checkpoint: checkpoints.ConvertedCheckpoint,
    tokenizer: tokenizers.Tokenizer,
    pieces: Mapping[int, str],
) -> Iterable[Finding]:
    """Compares the labels of the model with the ids that have a piece."""
    labels = checkpoint.vocab_size
    size = max(pieces, default=labels - 1) + 1
    surplus = [i for i in sorted(pieces) if i >= labels]
    text = [i for i in surplus if i not in tokenizer.special_ids]
    if text:
        yield Finding(
            "head_mismatch",
            "error",
            f"the model emits {labels} labels, but {len(text)} ids with a text are"
            f" beyond them, e.g. {pieces[text[0]]!r} with the id {text[0]}",
            "the vocabulary is another model's, or the configuration is; take both"
            " from one checkpoint",
            tuple(text),
        )
    elif surplus:
        yield Finding(
            "unreachable_id",
            "note",
            f"the model emits {labels} labels; the special ids from {surplus[0]} on,"
            f" e.g. {pieces[surplus[0]]!r}, never come out of it",
            "none is needed",
            tuple(surplus),
        )
    # A blank behind the last piece is a label, too.
    if labels > size and not (labels == size + 1 and checkpoint.blank_id == size):
        yield Finding(
            "head_mismatch",
            "note",
            f"the model emits {labels} labels, of which those from {size} on have no"
            " piece",
            "none is needed if the model's output is padded, or if they are"
            " timestamps that the file stops short of: they render to nothing",
            (size,),
        )


def _byte_guess(
    spec: tokenizers.TokenizerSpec, pieces: Mapping[int, str]
) -> Iterable[Finding]:
    if spec.kind != "symbol_table":
        return
    declared = spec.options.get("byte_pieces", "none")
    guessed = byte_guess.guess(pieces, spec.special_ids())
    named = byte_guess.hex_pieces(pieces)
    if declared == "none" and guessed != "none":
        yield Finding(
            "byte_guess",
            "error",
            f"the pieces are written in bytes ({guessed}), but are read as text",
            f"set the option byte_pieces={guessed!r}, or convert the directory again",
        )
    elif declared != guessed and not (
        guessed == "none" and _may_be(spec, pieces, named)
    ):
        yield Finding(
            "byte_guess",
            "error",
            f"byte_pieces is {declared!r}, but the pieces are not written so",
            f"set the option byte_pieces={guessed!r}, or convert the directory again",
        )
    elif named and declared == guessed == "none":
        yield Finding(
            "byte_guess",
            "warning",
            f"{len(named)} pieces look like bytes, e.g. {pieces[min(named)]!r} with the"
            f" id {min(named)}; as not all of <0x00> to <0xFF> stand in a row, they are"
            " read as text",
            "if they are bytes, look for the lines that the file lost, or set the"
            " option byte_pieces='hex'",
            tuple(sorted(named)),
        )


def _may_be(
    spec: tokenizers.TokenizerSpec,
    pieces: Mapping[int, str],
    named: Mapping[int, int],
) -> bool:
    """Returns whether pieces that show no bytes may be what the spec declares.

    Part of a run of bytes may be one, and in plain letters the pieces read the same
    as text and in letters for bytes.
    """
    if spec.options.get("byte_pieces") == "hex":
        return bool(named)
    special = spec.special_ids()
    return all(piece.isascii() or i in special for i, piece in pieces.items())


def _specials(
    checkpoint: checkpoints.ConvertedCheckpoint,
    tokenizer: tokenizers.Tokenizer,
    pieces: Mapping[int, str],
) -> Iterable[Finding]:
    """Names control pieces that `decode` shows, and text that it strips."""
    if checkpoint.tokenizer.kind not in _NAMED_KINDS:
        return
    is_table = checkpoint.tokenizer.kind == "symbol_table"
    control = {i for i, p in pieces.items() if special_names.is_special(p)}
    if is_table:
        control |= pieces.keys() & {checkpoint.blank_id}  # Whatever it is called.
    shown = sorted(control - tokenizer.special_ids)
    if not is_table:
        # They drop names of their own, and a mark of the unknown is to be seen.
        shown = [i for i in shown if i != tokenizer.unk_id and tokenizer.decode([i])]
    if shown:
        yield Finding(
            "special_id",
            "error",
            f"decode shows {len(shown)} pieces that are no text, e.g."
            f" {pieces[shown[0]]!r} of {shown[0]}",
            "add their ids to the option special_ids",
            tuple(shown),
        )
    special = tokenizer.special_ids & pieces.keys()
    stripped = sorted(i for i in special - control if not _is_name(pieces[i]))
    if stripped:
        yield Finding(
            "special_id",
            "error",
            f"decode strips the text of {len(stripped)} ids, e.g."
            f" {pieces[stripped[0]]!r} of {stripped[0]}",
            "leave their ids out of the option special_ids",
            tuple(stripped),
        )


def _is_name(piece: str) -> bool:
    """Returns whether a piece has brackets around it, as names have."""
    return len(piece) > 2 and piece[0] + piece[-1] in ("<>", "[]")
