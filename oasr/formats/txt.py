"""Plain text: a line for each utterance."""

import re

from oasr.engine import request as requests
from oasr.formats import base

# What `str.splitlines` parts lines at, so that no reader finds more of them.
_LINE_BREAK = re.compile("[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")


class Txt(base.Format):
    """Writes the text of each output on a line, that of one that failed empty."""

    def render(self, output: requests.RequestOutput) -> str:
        """Returns the line of one output; line breaks in its text become blanks."""
        return one_line(output.text) + "\n"


def one_line(text: str) -> str:
    """Returns `text` with a blank in place of each line break."""
    return _LINE_BREAK.sub(" ", text)
