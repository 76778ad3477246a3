"""Content types of datasets: documents, patterns, dictionaries and requests."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

from core.errors import InvalidDocuments, suggestion
from core.text.corpus import Corpus


@dataclass(frozen=True)
class Documents:
    """Texts, with their owners, classes and dates where the data have them.

    Attributes:
        texts: One string a document.
        owners: The owner of each document (a mailbox, a sender, an article); empty without owners.
        labels: The class of each document in the downstream task (a medical department); empty without classes. A
            document outside the task has the empty label.
        likely_owners: Column of a user's table that probably says whose each text is; empty where owners are named.
        dates: When each document was written, as ISO 8601 to the day or the second, in UTC; empty without dates.
    """

    texts: tuple[str, ...]
    owners: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    likely_owners: str = ""
    dates: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Check that owners, labels and dates match the texts."""
        for name, values in (("owners", self.owners), ("labels", self.labels), ("dates", self.dates)):
            if values and len(values) != len(self.texts):
                raise ValueError(f"{len(values)} {name} for {len(self.texts)} documents")

    def __len__(self) -> int:
        """Return the number of documents."""
        return len(self.texts)

    def corpus(self, rows: Sequence[int] | NDArray[np.int64], dictionary: Collection[str] | None = None) -> Corpus:
        """Return some documents as word ids, of words in a dictionary where one is given."""
        return Corpus.encode([self.texts[row] for row in rows], dictionary)

    def select(self, documents: Sequence[int]) -> Self:
        """Return the given documents, in that order."""
        texts, owners, labels, dates = (
            tuple(values[number] for number in documents) if values else ()
            for values in (self.texts, self.owners, self.labels, self.dates)
        )
        return replace(self, texts=texts, owners=owners, labels=labels, dates=dates)


@dataclass(frozen=True)
class PatternField:
    """A secret field of a text that follows a public rule.

    Attributes:
        name: Its name, for example ``"year"``.
        values: All possible values, each ``stop - start`` characters long.
        start: Position of its first character in the text without spaces.
        stop: Position after its last character there.
    """

    name: str
    values: tuple[str, ...]
    start: int
    stop: int

    def read(self, text: str) -> int:
        """Return the index of the value that a text has here.

        >>> PatternField("month", ("01", "02"), 4, 6).read("1 9 4 5 0 2")
        1

        Raises:
            InvalidDocuments: The text has none of the values.
        """
        value = text.replace(" ", "")[self.start : self.stop]
        if value not in self._indices:
            extent = f"{self.values[0]!r} to {self.values[-1]!r}"
            raise InvalidDocuments(
                f"The {self.name!r} of a text must be one of {len(self.values)} values, {extent}. Got {value!r} "
                f"instead.{suggestion(value, self.values) if len(self.values) < 20 else ''}"
            )
        return self._indices[value]

    @cached_property
    def _indices(self) -> Mapping[str, int]:
        return {value: index for index, value in enumerate(self.values)}


@dataclass(frozen=True)
class Patterns(Documents):
    """Texts that follow a public generating rule.

    Attributes:
        segments: The secret fields of every text.
        whole: Names of the fields that form one secret together (year, month, day); empty without one.
        generate: Draws fresh texts by the rule, from their number and a source of randomness.
    """

    segments: tuple[PatternField, ...] = field(kw_only=True)
    whole: tuple[str, ...] = field(default=(), kw_only=True)
    generate: Callable[[int, np.random.Generator], tuple[str, ...]] = field(kw_only=True, compare=False, repr=False)

    def __post_init__(self) -> None:
        """Check that the whole names segments only."""
        super().__post_init__()
        names = [segment.name for segment in self.segments]
        if unknown := [name for name in self.whole if name not in names]:
            raise ValueError(f"no segment is named {unknown[0]!r}.{suggestion(unknown[0], names)}")


@dataclass(frozen=True)
class Words:
    """A public dictionary: words, the most frequent first."""

    words: tuple[str, ...]


SUBSETS = ("train", "validation", "test")
"""The subsets of utterances."""


def misplaced(slots: Sequence[str]) -> int | None:
    """Return the position of the first tag that cannot follow the one before it, or None.

    >>> misplaced(["O", "B-artist", "I-artist", "I-city"])
    3
    """
    for position, (before, tag) in enumerate(zip(["O", *slots], slots, strict=False)):
        begins, continues = tag[:2] == "B-" and len(tag) > 2, tag[:2] == "I-" and before[1:] == tag[1:]
        if tag != "O" and not begins and not continues:
            return position
    return None


@dataclass(frozen=True)
class Utterances:
    """Requests to an assistant, as words, with their intents and slots.

    Attributes:
        words: The words of each utterance, at least one, in lower case.
        slots: A tag a word: ``B-artist`` where an artist begins, ``I-artist`` where it continues, ``O`` outside slots.
        intents: The intent of each utterance.
        subsets: Which of `SUBSETS` each utterance belongs to.
    """

    words: tuple[tuple[str, ...], ...]
    slots: tuple[tuple[str, ...], ...]
    intents: tuple[str, ...]
    subsets: tuple[str, ...]

    def __post_init__(self) -> None:
        """Check that lengths match, that tags can follow each other, and that the subsets exist."""
        for name, values in (("slots", self.slots), ("intents", self.intents), ("subsets", self.subsets)):
            if len(values) != len(self.words):
                raise ValueError(f"{len(values)} {name} for {len(self.words)} utterances")
        for number, (words, slots) in enumerate(zip(self.words, self.slots, strict=True)):
            if not words or len(words) != len(slots):
                raise ValueError(f"{len(slots)} tags for the {len(words)} words of utterance {number}")
            if (tag := misplaced(slots)) is not None:
                raise ValueError(f"tag {tag} of utterance {number} cannot be {slots[tag]!r}: {' '.join(slots)}")
        if unknown := set(self.subsets).difference(SUBSETS):
            raise ValueError(f"no subset is named {min(unknown)!r}.{suggestion(min(unknown), SUBSETS)}")

    def __len__(self) -> int:
        """Return the number of utterances."""
        return len(self.words)

    def of(self, subset: str) -> Self:
        """Return the utterances of one subset, in order."""
        if subset not in SUBSETS:
            raise ValueError(f"no subset is named {subset!r}.{suggestion(subset, SUBSETS)}")
        rows = [row for row, name in enumerate(self.subsets) if name == subset]
        words, slots = (tuple(values[row] for row in rows) for values in (self.words, self.slots))
        intents = tuple(self.intents[row] for row in rows)
        return replace(self, words=words, slots=slots, intents=intents, subsets=(subset,) * len(rows))
