"""Times as subtitles write them."""


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
