"""Requests whose slots are marked as pieces of the text: their words, and the tag that each word gets."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from core.errors import DataCorrupt
from core.text.contents import Utterances

_WORD = re.compile(
    r"""
    (?:[^\W\d_]\.){2,}(?!\w)  # an abbreviation keeps its stops
    | ['’]s\b  # a word of its own, because slots end before it
    | \w+ (?: (?!['’]s\b)['’.:/&@-]\w+ | (?<=\d),(?=\d)\w+ )*
    | \S
    """,
    re.VERBOSE,
)


class Span(NamedTuple):
    """A piece of a text that fills a slot; ``stop`` is outside."""

    start: int
    stop: int
    slot: str


@dataclass(frozen=True)
class Request:
    """A text, what it wants, and the pieces of it that fill slots, none of which overlap."""

    text: str
    intent: str
    spans: tuple[Span, ...] = ()


def json_of(name: str, text: str) -> Any:
    """Return what a JSON file holds.

    Args:
        name: What messages call the file.
        text: Its text.

    Raises:
        DataCorrupt: It is no JSON.
    """
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise DataCorrupt(f"{name} must be JSON. It cannot be read: {error}.") from None


def split(text: str) -> list[str]:
    """Split a text into lower-case words; punctuation that is no part of a word is one.

    A stop, an apostrophe, a colon, a slash, a hyphen, ``&`` and ``@`` between letters or digits are part of the word,
    as is a comma between digits, and so are the stops of abbreviations. Every apostrophe is written in the same way.

    >>> split("What's R&B like? Don't wake me at 7:30 a.m., in St. Louis.")
    ['what', "'s", 'r&b', 'like', '?', "don't", 'wake', 'me', 'at', '7:30', 'a.m.', ',', 'in', 'st', '.', 'louis', '.']
    """
    return [found.group().lower().replace("’", "'") for found in _WORD.finditer(text)]


def tagged(text: str, spans: Sequence[Span]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the words of a text and the tag of each.

    The words are those of the plain text, whatever is marked in it; one that lies in a slot only partly belongs to it,
    and to the first of several.

    >>> tagged("tobymac's songs", [Span(0, 7, "artist")])
    (('tobymac', "'s", 'songs'), ('B-artist', 'O', 'O'))
    """
    ordered = sorted(spans)
    tags: list[str] = []
    begun: set[Span | None] = set()
    for word in _WORD.finditer(text):
        filled = next((span for span in ordered if span.start < word.end() and word.start() < span.stop), None)
        tags.append("O" if filled is None else f"I-{filled.slot}" if filled in begun else f"B-{filled.slot}")
        begun.add(filled)
    return tuple(split(text)), tuple(tags)


def utterances(
    name: str, train: Sequence[Request], test: Sequence[Request], validation: int, rng: np.random.Generator
) -> Utterances:
    """Return the requests that have words, those to train on first, each in the order given.

    Args:
        name: What messages call the source.
        train: Requests to train on, from which those for validation are drawn.
        test: Requests to test on.
        validation: How many are drawn.
        rng: Source of all randomness.

    Raises:
        DataCorrupt: Not enough are there to draw from.
    """
    kept = [(request, *tagged(request.text, request.spans)) for request in (*train, *test)]
    trained = sum(bool(words) for _, words, _ in kept[: len(train)])
    kept = [entry for entry in kept if entry[1]]
    if trained <= validation:
        raise DataCorrupt(f"{name} must hold more than {validation:,} utterances to train on. It holds {trained:,}.")
    drawn = set(rng.choice(trained, validation, replace=False).tolist())
    parts = ("validation" if row in drawn else "train" if row < trained else "test" for row in range(len(kept)))
    requests, words, slots = zip(*kept, strict=True)
    return Utterances(words, slots, tuple(request.intent for request in requests), tuple(parts))
