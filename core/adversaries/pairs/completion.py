"""Adversaries that let a language model complete the words of documents, and judge membership by what it gets right."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from core.access import Access, NextWords
from core.games.membership.contract import Adversary, Answer
from core.runtime.seeding import generator
from core.text.corpus import DUMMY

Text = Sequence[Sequence[str]]
"""The words of each of several documents."""

Places = Sequence[NDArray[np.int64]]
"""For each document, the numbers of the words that are asked for."""

Wanted = Callable[[str, str], bool]
"""Whether two adjacent words, in this order, are a pair to ask about."""

_SETS = 1000
"""Sets drawn from documents that are known to be out."""

_LEVEL = 0.05
"""Share of those who are out that a threshold may accuse."""


def places(text: Text, wanted: Wanted) -> Places:
    """Return where in each document the second word of a wanted pair stands; the dummy word is in no pair."""
    found = [
        [
            place
            for place in range(1, len(words))
            if DUMMY not in words[place - 1 : place + 1] and wanted(words[place - 1], words[place])
        ]
        for words in text
    ]
    return [np.array(numbers, dtype=np.int64) for numbers in found]


def anywhere(first: str, second: str) -> bool:
    """Want every two adjacent words."""
    return True


@dataclass(frozen=True)
class Completed:
    """What a model suggested at some places of documents.

    Attributes:
        said: For each document, what it suggested at each place.
        asked: (documents,) how often it was asked.
        right: (documents,) how often it suggested the word that stands there.
    """

    said: Sequence[Sequence[str]]
    asked: NDArray[np.int64]
    right: NDArray[np.int64]

    @property
    def share(self) -> float:
        """Share of all places where it was right; 0 where it was never asked."""
        return float(self.right.sum() / max(int(self.asked.sum()), 1))


def complete(access: Access, text: Text, asked: Places) -> Completed:
    """Ask a model for the words at some places of documents."""
    if not isinstance(access, NextWords):
        raise TypeError(f"next words are asked of a language model, not of {type(access).__name__}")
    said = access.query(text, asked)
    right = [
        sum(words[place] == word for place, word in zip(numbers.tolist(), answers, strict=True))
        for words, numbers, answers in zip(text, asked, said, strict=True)
    ]
    return Completed(said, np.array([len(numbers) for numbers in asked], np.int64), np.array(right, np.int64))


@dataclass(frozen=True, eq=False)
class Completing(Adversary):
    """Calls a target a member when the model completes any of its places (Mahloujifar et al. 2021, Algorithm 5).

    Attributes:
        texts: The documents of each target.
        asked: Where the model is asked, for each target.
    """

    variant: str
    shadows: int
    penalty: float = float("nan")
    texts: Sequence[Text] = ()
    asked: Sequence[Places] = ()

    def guess(self, target: int, access: Access) -> Answer:
        """Ask for every place; the score is the share that is completed."""
        found = self.completed(target, access)
        return Answer(found.share, bool(found.right.any()))

    def completed(self, target: int, access: Access) -> Completed:
        """Return what a model suggests at a target's places."""
        return complete(access, self.texts[target], self.asked[target])


@dataclass(frozen=True, eq=False)
class Calibrated(Completing):
    """Compares how much of a target a model completes with the same pairs in documents known to be out.

    Attributes:
        own: Those documents.
        elsewhere: Where the model is asked in them, for each target.
    """

    own: Text = ()
    elsewhere: Sequence[Places] = ()

    def guess(self, target: int, access: Access) -> Answer:
        """Call a target a member when chance, at the rate outside, would complete as many places in 5 % at most."""
        from scipy.stats import binom

        found, outside = self.completed(target, access), complete(access, self.own, self.elsewhere[target])
        rate = (outside.right.sum() + 1) / (outside.asked.sum() + 2)
        score = float(np.log(_LEVEL) - binom.logsf(found.right.sum() - 1, found.asked.sum(), rate))
        return Answer(score, score > 0)


@dataclass(frozen=True, eq=False)
class Reading(Completing):
    """Compares how much of a target a model completes with as large sets of documents known to be out.

    Attributes:
        own: Those documents.
        seed: Source of the sets.
        on_epoch: What each access said to the documents, once it was asked.
    """

    own: Text = ()
    seed: int = 0
    on_epoch: dict[Access, Completed] = field(default_factory=dict)

    def guess(self, target: int, access: Access) -> Answer:
        """Return how far the share that the model completes lies above that of 95 % of the sets."""
        score = self.completed(target, access).share - self._usual(len(self.texts[target]), access)
        return Answer(score, score > 0)

    def _usual(self, size: int, access: Access) -> float:
        if access not in self.on_epoch:
            self.on_epoch[access] = complete(access, self.own, places(self.own, anywhere))
        known = self.on_epoch[access]
        sets = generator(self.seed, "sets of its own documents", size).integers(len(self.own), size=(_SETS, size))
        shares = known.right[sets].sum(axis=1) / np.maximum(known.asked[sets].sum(axis=1), 1)
        return float(np.quantile(shares, 1 - _LEVEL))
