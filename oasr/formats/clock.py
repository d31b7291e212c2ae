"""Times as files of subtitles and transcripts write them."""

import math

from oasr import showing


def milliseconds(seconds: float) -> int:
    """Returns a time in whole milliseconds, the one place where times are rounded.

    Raises:
      ValueError: if it is no time from the start of the audio.
    """
    if not (math.isfinite(seconds) and seconds >= 0):
        raise ValueError(
            f"A time of a transcript is {showing.shown(seconds)}; expected seconds from"
            " the start of the audio, 0 or more."
        )
    return round(seconds * 1000)


def clock(milliseconds: int, point: str) -> str:
    """Returns hours, minutes, seconds and milliseconds, e.g. "00:01:02,345".

    Args:
      milliseconds: from the start of the audio.
      point: what stands before the milliseconds.
    """
    seconds, rest = divmod(milliseconds, 1000)
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours:02}:{minutes:02}:{seconds:02}{point}{rest:03}"


def decimal(milliseconds: int) -> str:
    """Returns seconds with three decimals, e.g. "62.345"."""
    return f"{milliseconds // 1000}.{milliseconds % 1000:03}"
