"""Files of symbol tables: `<piece> <id>` lines, as in `units.txt` and `tokens.txt`."""

import logging
import os
import re

from oasr import showing
from oasr.tokenizers import assets
from oasr.tokenizers import errors

# Ten times the largest vocabulary in use; a larger id is a score or a mistake.
MAX_ID = 10_000_000

_INTEGER = re.compile(r"-?[0-9]+")
_INT64 = range(-(2**63) + 1, 2**63)  # Native code takes the smallest for no id.
_logger = logging.getLogger("oasr.tokenizers")


def read_symbol_table(path: str | os.PathLike[str]) -> dict[int, str]:
    r"""Returns the piece of each id, read strictly.

    Only ASCII blanks and tabs part the columns and only "\n" ends a line, so any
    other blank is a piece like another. A line with one field is the id of the
    space piece. A BOM, CRLF ends, empty lines and gaps in the ids are read.

    Raises:
      AssetError: naming the first line that is malformed or contradicts another.
    """
    pieces: dict[int, str] = {}
    line_of: dict[int, int] = {}
    for number, line in enumerate(assets.read_text(path).split("\n"), start=1):
        # CRLF: the carriage return belongs to the end of the line.
        fields = [f for f in re.split("[ \t]+", line.removesuffix("\r")) if f]
        if not fields:
            continue
        place = f"{path}:{number}"
        if len(fields) > 2:
            raise errors.AssetError(
                f"{place}: expected '<piece> <id>', got {len(fields)} fields in"
                f" {showing.shown(line)}."
            )
        token_id = _read_id(fields[-1], place, line)
        if token_id in pieces:
            raise errors.AssetError(
                f"{place}: the id {token_id} is given twice; line"
                f" {line_of[token_id]} gave it to {pieces[token_id]!r}."
            )
        pieces[token_id] = fields[0] if len(fields) == 2 else " "
        line_of[token_id] = number
    if not pieces:
        raise errors.AssetError(f"{path}: expected '<piece> <id>' lines, found none.")
    return pieces


def read_historical_table(path: str | os.PathLike[str]) -> dict[int, str]:
    """Returns the piece of each id as OASR's first reader did, to the letter.

    Lines of text in UTF-8 are split at any blank; empty lines and lines of other
    than two fields are skipped (one warning counts those); the last of duplicate
    ids wins. No BOM is taken off. Only an id beyond 64 bits, which native code
    cannot hold, is refused where it was read.

    Raises:
      ValueError: as `int` raises it for the second field.
      AssetError: if the file cannot be read.
    """
    text = assets.read_text(path, keep_bom=True)
    pieces, skipped = {}, 0
    # Text mode ends a line at "\n", "\r" and "\r\n"; str.splitlines at more.
    for line in re.split("\r\n|\r|\n", text):
        fields = line.split()
        if len(fields) == 2:
            pieces[int(fields[1])] = fields[0]
        elif fields:
            skipped += 1
    for token_id in pieces:
        if token_id not in _INT64:
            raise errors.AssetError(f"{path}: the id {token_id} is beyond 64 bits.")
    if skipped:
        _logger.warning(
            "%s: skipped %d line(s) that are not '<piece> <id>'.", path, skipped
        )
    return pieces


def _read_id(field: str, place: str, line: str) -> int:
    if not _INTEGER.fullmatch(field):
        raise errors.AssetError(
            f"{place}: expected '<piece> <id>' with an integer id, got"
            f" {showing.shown(line)}."
        )
    if field.startswith("-"):
        raise errors.AssetError(
            f"{place}: the id {showing.shown(field)} is negative; ids start at 0. A"
            " column of scores is no column of ids."
        )
    digits = field.lstrip("0")
    # The length first: int() of a million digits takes long, or is refused.
    if len(digits) > len(str(MAX_ID)) or int(digits or "0") > MAX_ID:
        raise errors.AssetError(
            f"{place}: the id {showing.shown(field)} is over {MAX_ID}, the largest"
            " allowed."
        )
    return int(digits or "0")
