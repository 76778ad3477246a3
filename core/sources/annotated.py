"""Requests whose slots are spans of the text: their words, and the tag of each word."""

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from core.errors import DataCorrupt
from core.text.contents import Utterances

_WORD = re.compile(
    r"""
    (?:[^\W\d_]\.){2,}(?!\w)  # an abbreviation keeps its stops
    | ['’]s\b  # a separate word, because slots end before it
    | \w+ (?: (?!['’]s\b)['’.:/&@-]\w+ | (?<=\d),(?=\d)\w+ )*
    | \S
    """,
    re.VERBOSE,
)


class Span(NamedTuple):
    """A span of a text that fills a slot; ``stop`` is exclusive."""

    start: int
    stop: int
    slot: str


@dataclass(frozen=True)
class Request:
    """A text, its intent, and its spans that fill slots, which do not overlap."""

    text: str
    intent: str
    spans: tuple[Span, ...] = ()


def overlapping(spans: Iterable[Span]) -> tuple[Span, Span] | None:
    """Return the first two spans that share a part of the text, or None.

    >>> overlapping([Span(5, 9, "song"), Span(0, 6, "artist")])
    (Span(start=0, stop=6, slot='artist'), Span(start=5, stop=9, slot='song'))
    """
    return next(((first, second) for first, second in pairwise(sorted(spans)) if second.start < first.stop), None)


def json_of(name: str, text: str) -> Any:
    """Return the content of a JSON file.

    Raises:
        DataCorrupt: It is not JSON.
    """
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise DataCorrupt(f"{name} must be JSON. It cannot be read: {error}.") from None


def split(text: str) -> list[str]:
    """Split a text into lower-case words; punctuation outside words is a word.

    A full stop, an apostrophe, a colon, a slash, a hyphen, ``&`` and ``@`` between letters or digits belong to the
    word, as do a comma between digits and the full stops of abbreviations. All apostrophes are written alike.

    >>> split("What's R&B like? Don't wake me at 7:30 a.m., in St. Louis.")
    ['what', "'s", 'r&b', 'like', '?', "don't", 'wake', 'me', 'at', '7:30', 'a.m.', ',', 'in', 'st', '.', 'louis', '.']
    """
    return [word.group().lower().replace("’", "'") for word in _WORD.finditer(text)]


def tagged(text: str, spans: Sequence[Span]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the words of a text and the tag of each.

    The words are those of the plain text, regardless of spans. A word that overlaps a slot belongs to it, or to the
    first of several slots.

    >>> tagged("tobymac's songs", [Span(0, 7, "artist")])
    (('tobymac', "'s", 'songs'), ('B-artist', 'O', 'O'))
    """
    ordered = sorted(spans)
    tags: list[str] = []
    begun: set[Span | None] = set()
    for word in _WORD.finditer(text):
        span = next((span for span in ordered if span.start < word.end() and word.start() < span.stop), None)
        tags.append("O" if span is None else f"I-{span.slot}" if span in begun else f"B-{span.slot}")
        begun.add(span)
    return tuple(split(text)), tuple(tags)


def utterances(
    name: str, train: Sequence[Request], test: Sequence[Request], validation: int, rng: np.random.Generator
) -> Utterances:
    """Return the requests that have words, those for training first, in the given order.

    Args:
        name: Name of the source in messages.
        train: Requests for training, from which those for validation are drawn.
        test: Requests for testing.
        validation: Number of requests for validation.
        rng: Source of all randomness.

    Raises:
        DataCorrupt: There are too few requests for training.
    """
    entries = [(request, *tagged(request.text, request.spans)) for request in (*train, *test)]
    trained = sum(bool(words) for _, words, _ in entries[: len(train)])
    entries = [entry for entry in entries if entry[1]]
    if trained <= validation:
        raise DataCorrupt(f"{name} must hold more than {validation:,} utterances for training. It holds {trained:,}.")
    drawn = set(rng.choice(trained, validation, replace=False).tolist())
    subsets = ("validation" if row in drawn else "train" if row < trained else "test" for row in range(len(entries)))
    requests, words, slots = zip(*entries, strict=True)
    return Utterances(words, slots, tuple(request.intent for request in requests), tuple(subsets))
