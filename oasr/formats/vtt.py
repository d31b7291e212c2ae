"""WebVTT subtitles, as the W3C specifies them."""

import html

from oasr.engine import request as requests
from oasr.formats import base
from oasr.formats import clock
from oasr.formats import cues


class Vtt(base.Format):
    """Writes the cues of one output."""

    needs_words = True
    takes_segments = True
    holds_many = False

    def header(self) -> str:
        """Returns the line that every file begins with."""
        return "WEBVTT\n\n"

    def render(self, output: requests.RequestOutput) -> str:
        """Returns the cues of an output, an empty line after each."""
        return "".join(
            f"{clock.clock(cue.start, '.')} --> {clock.clock(cue.end, '.')}\n"
            + "".join(f"{html.escape(line, quote=False)}\n" for line in cue.lines)
            + "\n"
            for cue in cues.from_output(output)
        )
