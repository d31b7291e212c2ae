"""Tab-separated segments, as Whisper's command line writes them."""

from oasr.engine import request as requests
from oasr.formats import base
from oasr.formats import clock
from oasr.formats import segments
from oasr.formats import txt


class Tsv(base.Format):
    """Writes start and end in milliseconds and the text of each segment.

    Nothing is quoted: a quotation mark is text.
    """

    needs_words = True
    takes_segments = True
    holds_many = False

    def header(self) -> str:
        """Returns the names of the columns."""
        return "start\tend\ttext\n"

    def render(self, output: requests.RequestOutput) -> str:
        """Returns the lines of an output; tabs and line breaks become blanks."""
        return "".join(
            f"{clock.milliseconds(segment.start)}\t{clock.milliseconds(segment.end)}\t"
            + txt.one_line(segment.text).replace("\t", " ")
            + "\n"
            for segment in segments.of(output)
        )
