"""SubRip subtitles: numbered cues."""

import re

from oasr.engine import request as requests
from oasr.formats import base
from oasr.formats import clock
from oasr.formats import cues

# The format has no escapes, and no text can be told from a tag. What players read
# as one is parted by a character that has no width and breaks no line: a tag as of
# HTML, an override {\an8} or a break \N as of ASS, the arrow between the times, and the
# times, of which two on a line would be those of a cue.
_WORD_JOINER = "\u2060"
_TAG_LIKE = re.compile(
    r"(?<=<)(?= *[A-Za-z/!?])|(?<=\{)(?=\\)|(?<=\\)(?=[Nnh])|(?<=--)(?=>)"
)
_CLOCK_LIKE = re.compile(r"(\d:\d{1,2}:\d{1,2})(?=[.,]\d)")


class Srt(base.Format):
    """Writes the cues of one output, numbered from 1."""

    needs_words = True
    takes_segments = True
    holds_many = False

    def render(self, output: requests.RequestOutput) -> str:
        """Returns the cues of an output, an empty line after each."""
        return "".join(
            f"{number}\n{clock.clock(cue.start, ',')} --> {clock.clock(cue.end, ',')}\n"
            + "".join(f"{_escaped(line)}\n" for line in cue.lines)
            + "\n"
            for number, cue in enumerate(cues.from_output(output), start=1)
        )


def _escaped(line: str) -> str:
    if line.isdecimal():  # pysubs2 would take it for the number of the next cue.
        return line + _WORD_JOINER
    return _CLOCK_LIKE.sub(rf"\1{_WORD_JOINER}", _TAG_LIKE.sub(_WORD_JOINER, line))
