"""JSON as every reader takes it: UTF-8 as it is, and no NaN."""

import json
import math
from typing import Any


def line(value: Any) -> str:
    """Returns `value` as a line of JSON.

    A number that is none, as the score -inf of a path that cannot be, is null.
    """
    return json.dumps(_finite(value), ensure_ascii=False, allow_nan=False) + "\n"


def _finite(value: Any) -> Any:
    """Returns `value` with None in place of each NaN and infinity."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {name: _finite(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return value
