"""Rank files of byte-level BPE (`.tiktoken`), and the merges that made them."""

import base64
import binascii

from oasr.tokenizers import assets
from oasr.tokenizers import errors

# Four times the largest published rank file's number of tokens.
_MAX_RANKS = 2**20


def read(path: str) -> list[bytes]:
    """Returns the tokens of a file of `<base64> <rank>` lines, by rank.

    Raises:
      AssetError: naming the first line that is malformed or out of order.
    """
    tokens: list[bytes] = []
    seen: set[bytes] = set()
    for number, line in enumerate(assets.read_bytes(path).splitlines(), start=1):
        coded, _, rank = line.partition(b" ")
        try:
            # Multilingual files hold "=" for a token of no bytes, the last one.
            token = b"" if coded == b"=" else base64.b64decode(coded, validate=True)
        except binascii.Error as error:
            raise errors.AssetError(f"{path}:{number}: expected base64.") from error
        if rank != str(len(tokens)).encode() or len(tokens) >= _MAX_RANKS:
            raise errors.AssetError(
                f"{path}:{number}: expected '<base64> <rank>' with the rank"
                f" {len(tokens)}, found {line[:60]!r}."
            )
        if token in seen:
            raise errors.AssetError(f"{path}:{number}: {token!r} has a rank already.")
        seen.add(token)
        tokens.append(token)
    if not tokens:
        raise errors.AssetError(
            f"{path}: expected '<base64> <rank>' lines, found none."
        )
    return tokens


def merges(tokens: list[bytes], path: str) -> list[tuple[bytes, bytes]]:
    """Returns the merge that makes each token of more than one byte, in their order.

    A rank file orders tokens, a `tokenizer.json` pairs. The pair of a token is what
    merging its bytes leaves before the token's own rank comes in turn.

    Raises:
      AssetError: if a token cannot be made of those before it.
    """
    ranks = {token: rank for rank, token in enumerate(tokens)}
    found = []
    for token in tokens:
        if len(token) < 2:
            continue
        parts = _merged(token, ranks)
        if len(parts) != 2 or any(part not in ranks for part in parts):
            raise errors.AssetError(
                f"{path}:{ranks[token] + 1}: the token {token!r} cannot be made of two"
                " tokens before it."
            )
        found.append((parts[0], parts[1]))
    return found


def _merged(token: bytes, ranks: dict[bytes, int]) -> list[bytes]:
    """Returns the parts of a token, merged by all ranks below its own."""
    limit = ranks[token]
    parts = [token[i : i + 1] for i in range(len(token))]
    while len(parts) > 2:
        rank, place = min(
            (ranks.get(parts[i] + parts[i + 1], limit), i)
            for i in range(len(parts) - 1)
        )
        if rank >= limit:
            break
        parts[place : place + 2] = [parts[place] + parts[place + 1]]
    return parts


def letters() -> dict[int, str]:
    """Returns the letter that byte-level vocabularies write for each byte.

    Printable bytes of Latin-1 are their own letter; the others are, in order, the
    letters from U+0100 on (`bytes_to_unicode` in GPT-2's `encoder.py`).
    """
    printable = {*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)}
    others = (chr(code) for code in range(0x100, 0x200))
    return {
        byte: chr(byte) if byte in printable else next(others) for byte in range(256)
    }
