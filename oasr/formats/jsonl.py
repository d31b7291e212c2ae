"""JSON lines: an object for each utterance, with all that is known of it."""

import dataclasses

from oasr.engine import request as requests
from oasr.formats import base
from oasr.formats import json_text


class Jsonl(base.Format):
    """Writes each output as one line of JSON with the fields of `RequestOutput`.

    Text is UTF-8 as it is. A number that is none, as the score -inf of a path that
    cannot be, is null.
    """

    def render(self, output: requests.RequestOutput) -> str:
        """Returns the line of one output."""
        return json_text.line(dataclasses.asdict(output))
