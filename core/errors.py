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
└── RunCancelled         a person stopped the run
"""

from collections.abc import Iterable
from difflib import get_close_matches


class TelltaleError(Exception):
    """Base of every error that Telltale raises on purpose."""


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


class RunCancelled(TelltaleError):
    """A person stopped the run; what it had finished is kept."""


def suggestion(name: str, known: Iterable[str]) -> str:
    """Return ``" Did you mean 'x'?"`` or the list of what there is, to end an error message."""
    known = list(known)
    if close := get_close_matches(name, known, n=1, cutoff=0.5):
        return f" Did you mean {close[0]!r}?"
    return f" There is: {', '.join(known)}." if known else ""
