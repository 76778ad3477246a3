"""Messages between a page and the warm process: one line of JSON each way, checked by the receiver."""

import json
from dataclasses import asdict, dataclass
from typing import Any

LONGEST = 250
"""Most characters of a sentence; the encoder reads about as many."""
LINE = 64_000
"""Most bytes of a message."""
_LONGEST_VISITOR = 100


class MalformedError(ValueError):
    """A message is not what this protocol allows; what was typed is never part of the error."""


@dataclass(frozen=True)
class Request:
    """A sentence to read.

    Attributes:
        text: The sentence.
        visitor: Tells who waits, so that all are served in turn; says nothing else about them.
    """

    text: str
    visitor: str


@dataclass(frozen=True)
class Reading:
    """What one method read from the embedding of a sentence.

    Attributes:
        method: Name of the attack.
        named: The words that it predicts, the likeliest first.
        known: Words of the sentence that it could have named at all.
    """

    method: str
    named: tuple[str, ...]
    known: tuple[str, ...]


def request_line(request: Request) -> bytes:
    """Return a request as one line."""
    return _line(asdict(request))


def request_of(line: bytes) -> Request:
    """Return the request that a line holds.

    Raises:
        MalformedError: It holds none, or one of too long a sentence.
    """
    match _value(line):
        case {"text": str(text), "visitor": str(visitor), **unknown} if not unknown:
            if len(text) > LONGEST or len(visitor) > _LONGEST_VISITOR:
                raise MalformedError("the sentence or the visitor is too long")
            return Request(text, visitor)
    raise MalformedError("no request")


def answer_line(readings: tuple[Reading, ...]) -> bytes:
    """Return an answer as one line."""
    return _line({"readings": [asdict(reading) for reading in readings]})


def refusal_line(reason: str) -> bytes:
    """Return a refusal as one line."""
    return _line({"refused": reason})


def answer_of(line: bytes) -> tuple[Reading, ...] | str:
    """Return the answer that a line holds, or the reason of a refusal.

    Raises:
        MalformedError: It holds neither.
    """
    match _value(line):
        case {"refused": str(reason)}:
            return reason
        case {"readings": list(readings)}:
            return tuple(map(_reading, readings))
    raise MalformedError("no answer")


def _reading(value: object) -> Reading:
    match value:
        case {"method": str(method), "named": list(named), "known": list(known)} if _all_text([*named, *known]):
            return Reading(method, tuple(named), tuple(known))
    raise MalformedError("no reading")


def _all_text(values: list[Any]) -> bool:
    return all(isinstance(value, str) for value in values)


def _line(value: Any) -> bytes:
    return json.dumps(value).encode() + b"\n"


def _value(line: bytes) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        raise MalformedError("no JSON") from None
