"""Values and exceptions as error texts show them: short, whatever they are."""

import re


def shown(value: object, limit: int = 60) -> str:
    """Returns the `repr` of `value` on one line, at most `limit` characters of it."""
    if type(value) in (str, bytes, list, tuple):
        value = value[:limit]  # type: ignore[index]  # The rest would be cut anyway.
    try:
        text = repr(value)
    except Exception:
        if isinstance(value, int):  # Python writes no more than 4,300 digits.
            text = f"<int of {int.bit_length(value)} bits>"
        else:
            text = f"<{type(value).__name__} without a repr>"
    return shortened(text, limit)


def shortened(text: str, limit: int) -> str:
    """Returns `text` on one line, its end cut off if it is over `limit` characters."""
    line = re.sub(r"\s*[\r\n]\s*", " ", text)
    return line if len(line) <= limit else f"{line[: limit - 3]}..."


def message(error: BaseException) -> str:
    """Returns the text of an exception, of whatever class."""
    try:
        return str(error)
    except Exception:
        return f"{type(error).__name__} without a text"
