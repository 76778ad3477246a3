"""Every error that a user can meet; each names the thing, the rule, the value received and the nearest valid choice.

TelltaleError
├── InvalidSpec          a parameter breaks its declared rule
├── UnknownPart          no attack, model, dataset, defense or game of that name
├── Incompatible         parts that do not fit together
├── DataError
│   ├── DataUnavailable  neither on disk nor reachable
│   ├── DataCorrupt      the bytes are not the pinned ones
│   ├── InvalidDocuments a user's files cannot be read as documents
│   │   ├── MissingColumn     a table lacks a column
│   │   └── TooManyDocuments  more than memory should hold
│   ├── InvalidAnswers   a user's file does not hold the questions, or the answers to them
│   └── InvalidVectors   a user's files cannot be read as vectors
├── ModelUnavailable     a pretrained model is neither on this machine nor reachable
├── ModelRefused         a model's files are missing, unsafe or broken, or its output is not finite
├── StoreError
│   ├── StoreReadOnly    the folder of the store cannot be written
│   └── StoreFull        no space left
├── TooManyRuns          a visitor asked for more runs than the server takes from one
├── EngineUnreachable    no Dask scheduler answers, or it has no workers
├── WorkerLost           worker processes kept dying
├── OutOfMemory          a process of a run met its memory limit, or that of a GPU
├── RoomRefused          there is no such workshop room, or it refuses
├── ReadersUnavailable   the process that reads typed sentences does not answer
└── RunCancelled         someone stopped the run
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

_LONGEST_MESSAGE = 2_000
_LONGEST_VALUE = 160
_LONGEST_PATH = 240
_LONGEST_EXCERPT, _LONGEST_MARK = 40, 20
_KEY = re.compile(r"[0-9a-f]{7,16}")
"""A key of a result, or the beginning of one."""
_MISTYPED = 0.9
"""Similarity of two keys that differ in a letter."""
_FEW = 4
"""Choices that are named together, at most."""
_QUOTED = re.compile(rf"(?<!\w)(['\"])((?:(?!\1(?!\w)).){{{_LONGEST_VALUE},}})\1", re.DOTALL)
_UNBROKEN = re.compile(rf"\S{{{_LONGEST_PATH},}}")


class TelltaleError(Exception):
    """Base of every error that Telltale raises on purpose; long values in its message are shortened."""

    def __init__(self, message: str = "") -> None:
        super().__init__(abridged(message))


class InvalidSpec(TelltaleError, ValueError):
    """A parameter breaks the rule it was declared with.

    Attributes:
        field: Dotted path of the parameter, for example ``attack.shadow_pairs``.
    """

    def __init__(self, message: str, field: str = "") -> None:
        super().__init__(message)
        self.field = field


class UnknownPart(TelltaleError, LookupError):
    """No part of that kind has that name.

    Attributes:
        field: The kind of the part, for example ``attack``.
    """

    def __init__(self, kind: str, name: str, choices: Iterable[str], listed: str = "", all_named: str = "") -> None:
        super().__init__(f"No {kind} is named {name!r}.{suggestion(name, sorted(choices), listed, all_named)}")
        self.field = kind


class Incompatible(TelltaleError, ValueError):
    """Parts that do not fit together.

    Attributes:
        fits: The nearest values that do, by the dotted path of their parameter, for example ``game.documents``.
    """

    def __init__(self, message: str = "", fits: Mapping[str, Any] | None = None) -> None:
        super().__init__(message)
        self.fits = dict(fits or {})


class DataError(TelltaleError):
    """Something is wrong with the data an experiment needs."""


class DataUnavailable(DataError):
    """The data are neither on disk nor reachable."""


class DataCorrupt(DataError):
    """A file does not hold the bytes its record promises."""


class InvalidDocuments(DataError, ValueError):
    """A user's files cannot be read as documents."""


class MissingColumn(InvalidDocuments):
    """A table lacks a column.

    Attributes:
        column: Its name.
    """

    def __init__(self, message: str = "", column: str = "") -> None:
        super().__init__(message)
        self.column = column


class TooManyDocuments(InvalidDocuments):
    """A user's files hold more documents than memory should; some attacks read them from disk."""


class InvalidAnswers(DataError, ValueError):
    """A user's file of questions or answers cannot be used; lines at fault are named by their number."""


class InvalidVectors(DataError, ValueError):
    """A user's files cannot be read as vectors.

    Attributes:
        program: Lines of Python that save them in a form that is read; none where nothing is known to.
    """

    def __init__(self, message: str = "", program: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.program = program


class ModelUnavailable(TelltaleError):
    """A pretrained model is neither on this machine nor reachable."""


class ModelRefused(TelltaleError):
    """A model's files are missing, unsafe or broken, or its output is not finite."""


class StoreError(TelltaleError):
    """The store cannot read or write its files."""


class StoreReadOnly(StoreError):
    """The folder of the store cannot be written."""


class StoreFull(StoreError):
    """No space is left for the store."""


class TooManyRuns(TelltaleError):
    """A visitor asked for more runs than the server takes from one."""


class EngineUnreachable(TelltaleError):
    """No Dask scheduler answers at the address given, or it has no workers.

    Attributes:
        field: The parameter that holds the address.
    """

    field = "engine"


class WorkerLost(TelltaleError):
    """Worker processes died repeatedly."""


class OutOfMemory(TelltaleError):
    """A process of a run met its memory limit, or that of a GPU."""


class ReadersUnavailable(TelltaleError):
    """The process that reads typed sentences could not be started, died, gave no answer in time, or refused."""


class RoomRefused(TelltaleError):
    """There is no such workshop room, or it refuses what somebody asked of it."""


class RunCancelled(TelltaleError):
    """Someone stopped the run; finished work is kept."""


def abridged(message: str) -> str:
    """Shorten a message: the whole, then long values in quotes, and long runs without a space.

    >>> abridged(f"No attack is named {'x' * 1000!r}. Did you mean 'word_pairs'?")
    "No attack is named 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx[…]xxxxxxxxxxxxxxxxxxxx'. Did you mean 'word_pairs'?"
    """
    message = _cut(message, _LONGEST_MESSAGE, _LONGEST_MESSAGE // 2, _LONGEST_MESSAGE // 4)
    message = _QUOTED.sub(lambda match: f"{match[1]}{_cut(match[2], _LONGEST_VALUE, 40, 20)}{match[1]}", message)
    return _UNBROKEN.sub(lambda match: _cut(match[0], _LONGEST_PATH, 60, 40), message)


def _cut(text: str, longest: int, first: int, last: int) -> str:
    return text if len(text) <= longest else f"{text[:first]}[…]{text[-last:]}"


def excerpt(cell: str) -> str:
    """Return no more than the beginning of what a user's column holds: messages end in logs, and it may be private.

    >>> excerpt("sport"), excerpt("Patient with multiple medical problems (dementia, fatigue).")
    ('sport', 'Patient with multiple medical problems (…')
    """
    return cell if len(cell) <= _LONGEST_EXCERPT else f"{cell[:_LONGEST_EXCERPT]}…"


def cell_in_words(cell: str) -> str:
    """Return what a cell holds where a number or a mark should be; of a text, which may be private, its length.

    >>> cell_in_words("maybe"), cell_in_words("Patient with multiple medical problems.")
    ("'maybe'", 'a text of 39 characters')
    """
    return repr(cell) if len(cell) <= _LONGEST_MARK else f"a text of {len(cell):,} characters"


def suggestion(name: str, choices: Iterable[str], listed: str = "", all_named: str = "") -> str:
    """Return ``" Did you mean 'x'?"`` or the choices, or the file that lists them, to end an error message.

    Up to four choices that begin with the name are all suggested. For a key, only a key that begins with it is, or one
    that differs in a letter.

    >>> suggestion("wikipedia", ["wikipedia_excerpt", "wikipedia_people", "yelp"])
    " Did you mean 'wikipedia_excerpt' or 'wikipedia_people'?"
    >>> suggestion("deadbeef", ["demo_decoder"], "the index")
    ' See the index.'

    Args:
        name: What was asked for.
        choices: What there is.
        listed: The file that lists them, named where none is near.
        all_named: A sentence that names all choices in place of the usual one.
    """
    choices, name = list(choices), name[:_LONGEST_VALUE]
    close = get_close_matches(name, choices, n=1, cutoff=0.5)
    if _KEY.fullmatch(name):
        begun = [choice for choice in choices if choice.startswith(name)][:1]
        close = begun or get_close_matches(name, choices, n=1, cutoff=_MISTYPED)
    elif 1 < len(begun := [choice for choice in choices if name and choice.startswith(name)]) <= _FEW:
        close = begun
    if close:
        return f" Did you mean {' or '.join(map(repr, close))}?"
    if listed:
        return f" See {listed}."
    return f" {all_named or offered(choices)}" if choices or all_named else ""


def no_column(table: str, name: str, columns: Sequence[str], parameter: str = "") -> str:
    """Return the error message about a column that a table lacks: the nearest one, or all, and what names it.

    >>> no_column("a.csv", "ownr", ["id", "owner"], "owner_column")
    "a.csv has no column 'ownr'. Did you mean 'owner'? Set 'owner_column' to the column that is meant."

    Args:
        table: What messages call the table.
        name: The column.
        columns: Those that it has; the first thirty are sought.
        parameter: The parameter that named it; empty where the caller does not know.
    """
    parameter = f" Set {parameter!r} to the column that is meant." if parameter else ""
    # JSON can name a half of a character, which UTF-8 cannot hold.
    written = [each[:60].encode(errors="backslashreplace").decode() for each in columns[:30]]
    return f"{table} has no column {name!r}.{suggestion(name, written)}{parameter}"


def offered(choices: Sequence[str]) -> str:
    """Return all choices as the last sentence of an error message.

    >>> offered(["a"]), offered(["a", "b", "c"]), offered([])
    ('The only one is a.', 'There are a, b and c.', 'There is none.')

    Choices with a comma in them are kept apart by semicolons.

    >>> offered(["a, b", "c"])
    'There are a, b; c.'
    """
    if not choices:
        return "There is none."
    if len(choices) > 1 and any("," in choice for choice in choices):
        return f"There are {'; '.join(choices)}."
    *others, last = choices
    return f"There are {', '.join(others)} and {last}." if others else f"The only one is {last}."
