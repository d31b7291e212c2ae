"""JSON lines: an object for each utterance, with all that is known of it."""

import dataclasses
import json
import math
from typing import Any

from oasr.engine import request as requests
from oasr.formats import base


class Jsonl(base.Format):
    """Writes each output as one line of JSON with the fields of `RequestOutput`.

    Text is UTF-8 as it is. A number that is none, as the score -inf of a path that
    cannot be, is null.
    """

    def render(self, output: requests.RequestOutput) -> str:
        """Returns the line of one output."""
        fields = _finite(dataclasses.asdict(output))
        return json.dumps(fields, ensure_ascii=False, allow_nan=False) + "\n"


def _finite(value: Any) -> Any:
    """Returns `value` with None in place of each NaN and infinity."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {name: _finite(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return value
