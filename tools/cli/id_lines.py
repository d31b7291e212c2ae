"""Token ids as people write them: blank-separated numbers, or a JSON array."""

import json
import re

# More digits than any 64-bit number has are no id; int() would take long for them.
_ID = re.compile(rb"[+-]?[0-9]{1,19}", re.ASCII)
_SHOWN = 40
_WANTED = "expected token ids, separated by blanks or as a JSON array"


def parse(line: bytes) -> list[int]:
    """Returns the ids of one line.

    Raises:
      ValueError: if it is neither of the forms, naming what is in the way.
    """
    if is_array(line):
        return _array(line)
    return [parse_word(word, place) for place, word in enumerate(line.split(), 1)]


def parse_word(word: bytes, place: int) -> int:
    """Returns the id that a word is.

    Args:
      word: without blanks.
      place: of the word in its line, from 1.

    Raises:
      ValueError: if it is none.
    """
    if not _ID.fullmatch(word):
        raise ValueError(f"{_WANTED}, found {_shown(word)} as word {place}.")
    return int(word)


def is_array(line: bytes) -> bool:
    """Returns whether a line, or its beginning, is in the form of an array."""
    return line.lstrip().startswith(b"[")


def _array(line: bytes) -> list[int]:
    try:
        ids = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{_WANTED}, found {_shown(line)}: {error}.") from error
    for place, token_id in enumerate(ids, start=1):
        if type(token_id) is not int:
            found = json.dumps(token_id).encode()
            raise ValueError(f"{_WANTED}, found {_shown(found)} as item {place}.")
    return list(ids)


def _shown(found: bytes) -> str:
    text = found.decode("utf-8", "replace")
    return repr(text if len(text) <= _SHOWN else text[:_SHOWN] + "...")
