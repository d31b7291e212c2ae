"""The names of pieces that are no text, as publishers write them."""

from collections.abc import Mapping
import re

from oasr.tokenizers import errors

# WeNet and FunASR write <blank>, icefall and sherpa-onnx's exports of NeMo <blk>.
_BLANK = ("<blank>", "<blk>")
# In icefall's phone tables the blank is k2's epsilon.
_EPSILON = "<eps>"
UNKNOWN = "<unk>"
BOUNDARY = "<sos/eos>"

_NAMES = frozenset(
    {*_BLANK, _EPSILON, UNKNOWN, BOUNDARY, "<s>", "</s>", "<sos>", "<eos>", "<pad>"}
)
# icefall leaves these out of the tokens: they exist for building graphs only
# (`icefall/lexicon.py`).
_DISAMBIGUATION = re.compile("#[0-9]+")
_CONTROL = re.compile(r"<\|[^|<>]+\|>")


def is_special(piece: str, *, controls: bool = False) -> bool:
    """Returns whether a piece is the name of something that is no text.

    Args:
      piece: as the file has it.
      controls: whether names like "<|zh|>" count.
    """
    return bool(
        piece.lower() in _NAMES
        or _DISAMBIGUATION.fullmatch(piece)
        or (controls and _CONTROL.fullmatch(piece))
    )


def find(
    pieces: Mapping[int, str], place: str, *, controls: bool = False
) -> dict[str, int]:
    """Returns the ids of the pieces that are no text, by name, in the order of ids.

    Args:
      pieces: the text of each id.
      place: the file that errors name.
      controls: whether names like "<|zh|>" are among them.

    Raises:
      AssetError: if two ids share such a name.
    """
    found: dict[str, int] = {}
    for token_id, piece in sorted(pieces.items()):
        if not is_special(piece, controls=controls):
            continue
        if piece in found:
            raise errors.AssetError(
                f"{place}: the name {piece!r} has two ids, {found[piece]} and"
                f" {token_id}."
            )
        found[piece] = token_id
    return found


def blank(
    specials: Mapping[str, int], place: str, *, epsilon: bool = False
) -> int | None:
    """Returns the id of the blank.

    Args:
      specials: ids by name.
      place: the file that errors name.
      epsilon: whether "<eps>" is the blank where no other name is.
    """
    by_name = {name.lower(): token_id for name, token_id in specials.items()}
    names = [name for name in _BLANK if name in by_name]
    if not names and epsilon:
        return by_name.get(_EPSILON)
    if len(names) > 1:
        raise errors.AssetError(
            f"{place}: both {names[0]!r} and {names[1]!r} are names of the blank, with"
            f" the ids {by_name[names[0]]} and {by_name[names[1]]}; expected one."
        )
    return by_name[names[0]] if names else None


def speech_size(pieces: Mapping[int, str]) -> int:
    """Returns one more than the largest id that a model can emit."""
    ids = [i for i, piece in pieces.items() if not _DISAMBIGUATION.fullmatch(piece)]
    return max(ids, default=-1) + 1
