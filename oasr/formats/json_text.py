"""JSON as every reader takes it: UTF-8 as it is, one line, and no NaN."""

import json
import math
from typing import Any

# JSON lets them stand in a string, where many readers part lines.
_LINE_BREAKS = str.maketrans({c: f"\\u{ord(c):04x}" for c in "\x85\u2028\u2029"})


def line(value: Any) -> str:
    """Returns `value` as a line of JSON.

    A number that is none, as the score -inf of a path that cannot be, is null.
    """
    text = json.dumps(_finite(value), ensure_ascii=False, allow_nan=False)
    return text.translate(_LINE_BREAKS) + "\n"


def _finite(value: Any) -> Any:
    """Returns `value` with None in place of each NaN and infinity."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {name: _finite(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return value
