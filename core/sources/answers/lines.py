"""Lines of JSON from a user's file, each an object, bounded in size and named by its number."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError
from pydantic_core import from_json

from core.errors import InvalidAnswers
from core.sources import user_files
from core.sources.answers import mistakes
from core.sources.answers.forms import Line

LONGEST = 4_000_000
"""Bytes of a line."""
_SHOWN = 5
"""Problems that one message names."""
_BOM = b"\xef\xbb\xbf"
_NOT_FINITE = re.compile(rb"NaN|Infinity")

_L = TypeVar("_L", bound=Line)


class Problems:
    """Collects what is wrong with the lines of a file, and refuses the file in the end.

    Args:
        name: What messages call the file.
        instead: Where a table or one list of JSON is no other form of the file, what to give, as a sentence.
    """

    def __init__(self, name: str, instead: str = "") -> None:
        self.instead = instead
        self._name = name
        self._said: list[str] = []
        self._count = 0

    def add(self, number: int, problem: str) -> None:
        """Note what is wrong with a line; of many problems only the first are kept."""
        self._count += 1
        if self._count <= _SHOWN:
            self._said.append(f"Line {number:,} of {self._name}: {problem}")

    def refuse(self) -> None:
        """Refuse the file where anything is wrong.

        Raises:
            InvalidAnswers: Something is.
        """
        more = self._count - len(self._said)
        if self._said:
            rest = f" {more:,} more lines cannot be used." if more > 1 else " One more line cannot be used." * more
            raise InvalidAnswers(" ".join(self._said) + rest)


def objects(path: Path, problems: Problems) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Yield the number and the object of each line that is not blank; what is no object is noted and passed over.

    Raises:
        InvalidAnswers: The file is too large, empty, or cannot be read.
    """
    try:
        size = path.stat().st_size
        if size > user_files.LARGEST:
            raise InvalidAnswers(f"{path.name} has {size:,} bytes. At most {user_files.LARGEST:,} are read.")
        with path.open("rb") as file:
            number, begun = 0, False
            while line := file.readline(LONGEST + 1):
                number += 1
                if len(line) > LONGEST:
                    raise InvalidAnswers(f"Line {number:,} of {path.name} has more than {LONGEST:,} bytes.")
                if text := line.removeprefix(_BOM if number == 1 else b"").strip():
                    value = _value(text)
                    if not isinstance(value, dict) and not begun:
                        _refuse_other_format(path.name, number, (text, file.readline(LONGEST)), problems.instead)
                    begun = True
                    if isinstance(value, dict):
                        yield number, value
                    else:
                        problems.add(number, value if isinstance(value, str) else "It is no object of JSON.")
    except OSError as error:
        raise InvalidAnswers(f"{path.name} cannot be read: {error.strerror}.") from None
    if number == 0:
        raise InvalidAnswers(f"{path.name} is empty.")


def validated(form: type[_L], values: Mapping[str, Any]) -> _L | str:
    """Return a line in its form, or what is wrong with it."""
    try:
        return form.model_validate(values)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        path = ".".join(str(step) for step in first["loc"] if not str(step).startswith(("function", "constrained")))
        got = "" if first["type"] == "missing" else f" Got {str(first['input'])[:60]!r}."
        return f"{path or 'It'}: {first['msg']}.{got}"


def _refuse_other_format(name: str, number: int, begins: tuple[bytes, bytes], instead: str) -> None:
    """Refuse a file whose first two lines are those of a table, or of one list of JSON."""
    first, second = begins
    if first == b"[" or (first.startswith(b"[") and isinstance(_value(first), list) and b"{" in first):
        raise InvalidAnswers(
            f"{name} is one list of JSON. {instead or 'Write each of its objects on a line of its own.'}"
        )
    if mistake := mistakes.table(*(line.decode(errors="replace").strip() for line in (first, second))):
        raise InvalidAnswers(f"{name} is a table. {instead}" if instead else f"Line {number:,} of {name}: {mistake}")


def _value(text: bytes) -> Any:
    """Return what a line holds, or in words why it holds nothing."""
    try:
        value = from_json(text, allow_inf_nan=False)
    except ValueError as error:
        return _fault(text, str(error))
    return None if isinstance(value, str) else value


def _fault(text: bytes, error: str) -> str:
    """Return what the parser says of a line, without the number that it gives the line itself.

    >>> _fault(b'{"id": NaN}', "expected value at line 1 column 8")
    'NaN at column 8 is no number of JSON. Write a finite number there.'
    """
    reason, _, column = error.rpartition(" at line 1 column ")
    word = _NOT_FINITE.match(text, int(column) - 1) if column.isdigit() else None
    if word:
        return f"{word[0].decode()} at column {column} is no number of JSON. Write a finite number there."
    return f"It is no JSON: {reason[:100]} at column {column}." if reason else f"It is no JSON: {error[:120]}."
