"""What datasets hold: documents, patterns, dictionaries and requests."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Self

import numpy as np

from core.errors import InvalidDocuments, suggestion


@dataclass(frozen=True)
class Documents:
    """Texts and, where the data have them, whose they are and of which class.

    Attributes:
        texts: One string a document.
        owners: The owner of each document (a mailbox, a sender, an article), or empty when there are none.
        labels: The class of each document in the task that its embedding serves (a medical department), or empty when
            there are none; a document outside that task has the empty label.
    """

    texts: tuple[str, ...]
    owners: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Refuse owners or labels that do not match the texts."""
        for name, values in (("owners", self.owners), ("labels", self.labels)):
            if values and len(values) != len(self.texts):
                raise ValueError(f"{len(values)} {name} for {len(self.texts)} documents")

    def __len__(self) -> int:
        """Return the number of documents."""
        return len(self.texts)

    def select(self, documents: Sequence[int]) -> Self:
        """Return the given documents, in that order."""
        texts, owners, labels = (
            tuple(values[number] for number in documents) if values else ()
            for values in (self.texts, self.owners, self.labels)
        )
        return replace(self, texts=texts, owners=owners, labels=labels)


@dataclass(frozen=True)
class PatternField:
    """One secret part of a text that follows a public rule.

    Attributes:
        name: What it is, for example ``"year"``.
        values: Everything it can be, each ``stop - start`` characters long.
        start: Where it begins in the text without its spaces.
        stop: Where it ends there; this character is outside.
    """

    name: str
    values: tuple[str, ...]
    start: int
    stop: int

    def read(self, text: str) -> int:
        """Return which of the values a text has here, as an index.

        >>> PatternField("month", ("01", "02"), 4, 6).read("1 9 4 5 0 2")
        1

        Raises:
            InvalidDocuments: It has none of them.
        """
        value = text.replace(" ", "")[self.start : self.stop]
        if value not in self._places:
            shown = f"{self.values[0]!r} to {self.values[-1]!r}"
            raise InvalidDocuments(
                f"The {self.name!r} of a text must be one of {len(self.values)} values, {shown}. Got {value!r} instead."
                f"{suggestion(value, self.values) if len(self.values) < 20 else ''}"
            )
        return self._places[value]

    @cached_property
    def _places(self) -> Mapping[str, int]:
        return {value: place for place, value in enumerate(self.values)}


@dataclass(frozen=True)
class Patterns(Documents):
    """Texts that follow a generating rule which everybody knows.

    Attributes:
        segments: The secret parts of every text.
        whole: Names of the segments that together are the whole secret (year, month, day); empty when there is none.
        generate: Draws fresh texts by the rule: how many, source of randomness -> texts.
    """

    segments: tuple[PatternField, ...] = field(kw_only=True)
    whole: tuple[str, ...] = field(default=(), kw_only=True)
    generate: Callable[[int, np.random.Generator], tuple[str, ...]] = field(kw_only=True, compare=False, repr=False)

    def __post_init__(self) -> None:
        """Refuse a whole that names no segment."""
        super().__post_init__()
        names = [segment.name for segment in self.segments]
        if unknown := [name for name in self.whole if name not in names]:
            raise ValueError(f"no segment is named {unknown[0]!r}.{suggestion(unknown[0], names)}")


@dataclass(frozen=True)
class Words:
    """A public dictionary: words, the most frequent first."""

    words: tuple[str, ...]


PARTS = ("train", "validation", "test")
"""The parts that utterances are divided into."""


def misplaced(slots: Sequence[str]) -> int | None:
    """Return where the first tag is that cannot stand there, or None.

    >>> misplaced(["O", "B-artist", "I-artist", "I-city"])
    3
    """
    for place, (before, tag) in enumerate(zip(["O", *slots], slots, strict=False)):
        begins, continues = tag[:2] == "B-" and len(tag) > 2, tag[:2] == "I-" and before[1:] == tag[1:]
        if tag != "O" and not begins and not continues:
            return place
    return None


@dataclass(frozen=True)
class Utterances:
    """Requests to an assistant, as words, with what each wants and which of its words fill which slot.

    Attributes:
        words: The words of each, at least one, in lower case.
        slots: A tag a word: ``B-artist`` where an artist begins, ``I-artist`` where it goes on, ``O`` outside slots.
        intents: What each wants.
        parts: Which of `PARTS` each belongs to.
    """

    words: tuple[tuple[str, ...], ...]
    slots: tuple[tuple[str, ...], ...]
    intents: tuple[str, ...]
    parts: tuple[str, ...]

    def __post_init__(self) -> None:
        """Refuse what does not match the words, tags out of place and parts that there are not."""
        for name, values in (("slots", self.slots), ("intents", self.intents), ("parts", self.parts)):
            if len(values) != len(self.words):
                raise ValueError(f"{len(values)} {name} for {len(self.words)} utterances")
        for number, (words, slots) in enumerate(zip(self.words, self.slots, strict=True)):
            if not words or len(words) != len(slots):
                raise ValueError(f"{len(slots)} tags for the {len(words)} words of utterance {number}")
            if (place := misplaced(slots)) is not None:
                raise ValueError(f"tag {place} of utterance {number} cannot be {slots[place]!r}: {' '.join(slots)}")
        if unknown := set(self.parts).difference(PARTS):
            raise ValueError(f"no part is named {min(unknown)!r}.{suggestion(min(unknown), PARTS)}")

    def __len__(self) -> int:
        """Return the number of utterances."""
        return len(self.words)

    def of(self, part: str) -> Self:
        """Return the utterances of one part, in order."""
        if part not in PARTS:
            raise ValueError(f"no part is named {part!r}.{suggestion(part, PARTS)}")
        rows = [row for row, own in enumerate(self.parts) if own == part]
        words, slots = (tuple(values[row] for row in rows) for values in (self.words, self.slots))
        intents = tuple(self.intents[row] for row in rows)
        return replace(self, words=words, slots=slots, intents=intents, parts=(part,) * len(rows))
