"""Where the parts of a transcript stand in its text."""

from collections.abc import Sequence

from oasr import showing
from oasr.engine import request as requests


def of(
    parts: Sequence[str], output: requests.RequestOutput, *, what: str
) -> list[tuple[int, int]]:
    """Returns the begin and the end of each part in the text of an output.

    Args:
      parts: all of the text but whitespace between them, in order.
      output: whose text it is.
      what: how messages call a part, e.g. "word".

    Raises:
      ValueError: if the parts are not those of the text.
    """
    found, place = [], 0
    for part in parts:
        begin = output.text.find(part, place)
        if begin < 0 or output.text[place:begin].strip():
            raise ValueError(
                f"The output of {output.request_id!r} has the {what}"
                f" {showing.shown(part)}, which is not next in its text after"
                f" {output.text[:place][-40:]!r}."
            )
        place = begin + len(part)
        found.append((begin, place))
    if output.text[place:].strip():
        raise ValueError(
            f"The output of {output.request_id!r} has no {what} for the end of its"
            f" text, {showing.shown(output.text[place:].strip())}."
        )
    return found
