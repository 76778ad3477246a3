"""Numbers that environment variables set."""

import os

from core.errors import InvalidSpec


def whole_number(variable: str, default: int, most: int, unit: str) -> int:
    """Return the whole number that an environment variable holds, or the default where it is empty.

    Args:
        variable: Its name.
        default: What holds where nothing is said.
        most: The largest number allowed; the smallest is 1.
        unit: What is counted, for the message.

    Raises:
        InvalidSpec: The variable holds something else.
    """
    said = os.environ.get(variable, "").strip()
    if not said:
        return default
    if not (said.isascii() and said.isdecimal() and len(said) <= len(str(most)) and 1 <= int(said) <= most):
        raise InvalidSpec(f"{variable} must be a whole number of {unit} from 1 to {most:,}. Got {said[:60]!r} instead.")
    return int(said)
