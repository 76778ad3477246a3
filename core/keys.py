"""Keys: short digests of plain values, which name what is stored."""

import hashlib
import json
from typing import Any


def key_of(value: Any) -> str:
    """Return 16 hex digits of a digest of a plain value, whatever the order of its names.

    >>> key_of({"a": 1, "b": 2}) == key_of({"b": 2, "a": 1})
    True
    """
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()[:16]
