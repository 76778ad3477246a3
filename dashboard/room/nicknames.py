"""Nicknames, as participants type them."""

import re
import unicodedata

LONGEST = 24
"""Most letters of a nickname."""


def tidied(nickname: str) -> str:
    r"""Return a nickname without control characters, cut to `LONGEST` letters.

    >>> tidied("  Ann\n\u202e  of the very long and winding road ")
    'Ann of the very long and'
    """
    visible = "".join(" " if unicodedata.category(letter).startswith("C") else letter for letter in nickname)
    return re.sub(r"\s+", " ", visible).strip()[:LONGEST].strip()
