"""Codes of rooms, short enough to type from a screen, and secrets of those who lead them."""

import hashlib
import secrets

from core.errors import RoomRefused

ALPHABET = "23456789CDFHJKMNPQRTVWX"
"""No letters that look like digits, and no vowels, so that no code is a word."""
_MISREAD = str.maketrans("BGSZ", "8652")
"""Letters that a digit is taken for, with the digit; no code holds them, so that whoever types one means the other."""
ROOM, KEY = "room", "key"
"""Parameters of an address: the code of a room, and the secret of its facilitators."""
LENGTH = 6
"""148 million codes: nobody guesses the code of a room while it lasts."""
EXAMPLE = "K7PQ4M"
"""What a code looks like."""


def drawn() -> str:
    """Return a code at random."""
    return "".join(secrets.choice(ALPHABET) for _ in range(LENGTH))


def normal(typed: str) -> str:
    """Return a code in its normal form, whatever case, spaces and hyphens it was typed with, and misread digits.

    Raises:
        RoomRefused: It is no code.

    >>> normal(" k7p-q4m "), normal("B2CDSX")
    ('K7PQ4M', '82CD5X')
    """
    code = "".join(typed.upper().translate(_MISREAD).replace("-", " ").split())
    if len(code) != LENGTH or not set(code) <= set(ALPHABET):
        raise RoomRefused(
            f"The code of a room has {LENGTH} of the letters and digits {ALPHABET}, such as {EXAMPLE}. Got "
            f"{typed.strip()[:40]!r} instead. Type it as the screen of the workshop shows it."
        )
    return code


def as_typed(typed: str) -> str:
    """Return a code for a message: what was typed, in capitals, and how its misread digits were read.

    >>> as_typed(" k7p-q4m "), as_typed("zzzzzz")
    ('K7P-Q4M', 'ZZZZZZ, read as 222222')
    """
    shown = typed.strip().upper()
    read = normal(typed)
    return shown if read == "".join(shown.replace("-", " ").split()) else f"{shown}, read as {read}"


def secret() -> str:
    """Return a secret that makes anyone who has it a facilitator."""
    return secrets.token_urlsafe(18)


def digest(secret: str) -> str:
    """Return the digest of a secret; only this is stored."""
    return hashlib.sha256(secret.encode()).hexdigest()
