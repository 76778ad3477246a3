"""Numbers that environment variables set."""

import os

from core.errors import InvalidSpec


def whole_number(variable: str, default: int, most: int, unit: str) -> int:
    """Return the whole number that an environment variable holds, or the default where it is empty.

    Args:
        variable: Its name.
        default: The number where the variable is empty.
        most: The largest number allowed; the smallest is 1.
        unit: What is counted, for the message.

    Raises:
        InvalidSpec: The variable holds something else.
    """
    text = os.environ.get(variable, "").strip()
    if not text:
        return default
    if not (text.isascii() and text.isdecimal() and len(text) <= len(str(most)) and 1 <= int(text) <= most):
        raise InvalidSpec(f"{variable} must be a whole number of {unit} from 1 to {most:,}. Got {text[:60]!r} instead.")
    return int(text)
