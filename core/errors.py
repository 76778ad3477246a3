"""Every error a user can meet, each naming the thing, the rule, the value received and the nearest valid choice.

TelltaleError
├── InvalidSpec          a parameter breaks its declared rule
├── UnknownPart          no attack, model, dataset, defense or game of that name
├── Incompatible         parts that do not fit together
├── DataError
│   ├── DataUnavailable  not on disk and not reachable
│   ├── DataCorrupt      the bytes are not the pinned ones
│   └── InvalidDocuments a user's own files cannot be read as documents
├── ModelUnavailable     an encoder is neither on this machine nor reachable
├── ModelRefused         an encoder's files are missing, unsafe, broken, or give no numbers
├── StoreError
│   ├── StoreReadOnly    results cannot be written where they belong
│   └── StoreFull        no space left
├── EngineUnreachable    no Dask scheduler answers, or it has no workers
├── WorkerLost           worker processes kept dying
├── OutOfMemory          a process of a run met its memory limit
└── RunCancelled         a person stopped the run
"""

import re
from collections.abc import Iterable
from difflib import get_close_matches

_LONGEST_MESSAGE = 2_000
_LONGEST_VALUE = 160
_LONGEST_PATH = 240
_QUOTED = re.compile(rf"(?<!\w)(['\"])((?:(?!\1(?!\w)).){{{_LONGEST_VALUE},}})\1", re.DOTALL)
_UNBROKEN = re.compile(rf"\S{{{_LONGEST_PATH},}}")


class TelltaleError(Exception):
    """Base of every error that Telltale raises on purpose; what its message echoes is shortened."""

    def __init__(self, message: str = "") -> None:
        super().__init__(brief(message))


class InvalidSpec(TelltaleError, ValueError):
    """A parameter breaks the rule it was declared with.

    Attributes:
        field: Dotted path of the parameter, for example ``attack.shadows``.
    """

    def __init__(self, message: str, field: str = "") -> None:
        super().__init__(message)
        self.field = field


class UnknownPart(TelltaleError, LookupError):
    """No part of that kind has that name.

    Attributes:
        field: The kind that was looked up, for example ``attack``.
    """

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        known = sorted(known)
        super().__init__(f"No {kind} is named {name!r}.{suggestion(name, known)}")
        self.field = kind


class Incompatible(TelltaleError, ValueError):
    """Parts that do not fit together, with what would."""


class DataError(TelltaleError):
    """Something is wrong with the data an experiment needs."""


class DataUnavailable(DataError):
    """The data are neither on disk nor reachable."""


class DataCorrupt(DataError):
    """A file does not hold the bytes its record promises."""


class InvalidDocuments(DataError, ValueError):
    """A user's own files cannot be read as documents."""


class ModelUnavailable(TelltaleError):
    """An encoder is neither on this machine nor reachable."""


class ModelRefused(TelltaleError):
    """An encoder's files are missing, unsafe or broken, or what it gives are no numbers."""


class StoreError(TelltaleError):
    """The store cannot keep what it was given."""


class StoreReadOnly(StoreError):
    """The folder of the store cannot be written."""


class StoreFull(StoreError):
    """No space is left where the store lies."""


class EngineUnreachable(TelltaleError):
    """No Dask scheduler answers at the address given, or it has no workers.

    Attributes:
        field: The parameter that holds the address.
    """

    field = "engine"


class WorkerLost(TelltaleError):
    """Worker processes died again and again."""


class OutOfMemory(TelltaleError):
    """A process of a run met its memory limit."""


class RunCancelled(TelltaleError):
    """A person stopped the run; what it had finished is kept."""


def brief(message: str) -> str:
    """Shorten what a message echoes: long values in quotes, long runs without a space, and then the whole.

    >>> brief(f"No attack is named {'x' * 1000!r}. Did you mean 'word_pairs'?")
    "No attack is named 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx[…]xxxxxxxxxxxxxxxxxxxx'. Did you mean 'word_pairs'?"
    """
    message = _cut(message, _LONGEST_MESSAGE, _LONGEST_MESSAGE // 2, _LONGEST_MESSAGE // 4)
    message = _QUOTED.sub(lambda found: f"{found[1]}{_cut(found[2], _LONGEST_VALUE, 40, 20)}{found[1]}", message)
    return _UNBROKEN.sub(lambda found: _cut(found[0], _LONGEST_PATH, 60, 40), message)


def _cut(text: str, longest: int, first: int, last: int) -> str:
    return text if len(text) <= longest else f"{text[:first]}[…]{text[-last:]}"


def suggestion(name: str, known: Iterable[str]) -> str:
    """Return ``" Did you mean 'x'?"`` or the list of what there is, to end an error message."""
    known, name = list(known), name[:_LONGEST_VALUE]
    if close := get_close_matches(name, known, n=1, cutoff=0.5):
        return f" Did you mean {close[0]!r}?"
    return f" There is: {', '.join(known)}." if known else ""
