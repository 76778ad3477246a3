"""Values in a text column, behind a digest: SQLite does not notice a flipped bit inside a text."""

import hashlib
import json
from typing import Any


def sealed(key: str, value: object) -> str:
    """Return JSON after a digest of it and of the key, which says whose value it is."""
    text = json.dumps(value)
    return f"{_digest(key, text)} {text}"


def opened(key: str, text: Any) -> Any:
    """Return the value of a sealed text.

    Raises:
        TypeError: It is no text.
        ValueError: It is not the one that was written for this key.

    >>> opened("a", sealed("a", [1, 2]))
    [1, 2]
    """
    if not isinstance(text, str):
        raise TypeError(f"{text!r} is no str.")
    digest, _, content = text.partition(" ")
    if digest != _digest(key, content):
        raise ValueError(f"A text of {key!r} is not the one that was written.")
    return json.loads(content)


def _digest(key: str, text: str) -> str:
    return hashlib.sha256(f"{key} {text}".encode()).hexdigest()[:16]
