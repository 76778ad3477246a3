"""Adversaries that decide membership by the words of documents that a language model completes correctly."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from core.access import Access
from core.access.language_models import NextWords
from core.adversaries.own_sets import LEVEL, Sets, Text
from core.games.membership.contract import Answer, PreparedAdversary
from core.text.corpus import DUMMY

Positions = Sequence[NDArray[np.int64]]
"""For each document, the numbers of the words that are queried."""

Wanted = Callable[[str, str], bool]
"""Whether two adjacent words, in this order, are a pair to query."""


def positions(text: Text, wanted: Wanted) -> Positions:
    """Return the positions of the second words of wanted pairs in each document; the dummy word is in no pair."""
    return [
        np.array(
            [number for number, pair in enumerate(pairwise(words), start=1) if DUMMY not in pair and wanted(*pair)],
            dtype=np.int64,
        )
        for words in text
    ]


def anywhere(first: str, second: str) -> bool:
    """Accept every two adjacent words."""
    return True


@dataclass(frozen=True)
class Completed:
    """Suggestions of a model at some positions of documents.

    Attributes:
        suggested: For each document, the suggestion at each position.
        queries: (documents,) number of positions.
        right: (documents,) number of correct suggestions.
    """

    suggested: Sequence[Sequence[str]]
    queries: NDArray[np.int64]
    right: NDArray[np.int64]

    @property
    def share(self) -> float:
        """Share of correct suggestions; 0 without any query."""
        return float(self.right.sum() / max(int(self.queries.sum()), 1))


def complete(access: Access, text: Text, queried: Positions) -> Completed:
    """Query a model for the words at some positions of documents."""
    if not isinstance(access, NextWords):
        raise TypeError(f"next words are queried from a language model, not from {type(access).__name__}")
    suggested = access.query(text, queried)
    right = [
        sum(words[number] == word for number, word in zip(numbers.tolist(), answers, strict=True))
        for words, numbers, answers in zip(text, queried, suggested, strict=True)
    ]
    return Completed(suggested, np.array([len(numbers) for numbers in queried], np.int64), np.array(right, np.int64))


@dataclass(frozen=True, eq=False)
class CompletionAdversary(PreparedAdversary):
    """Decides that a target is a member if the model completes any word (Mahloujifar et al. 2021, Algorithm 5).

    Attributes:
        texts: The documents of each target.
        queried: The queried positions of each target.
    """

    texts: Sequence[Text] = ()
    queried: Sequence[Positions] = ()

    def answer(self, target: int, access: Access) -> Answer:
        """Query every position; the score is the share of correct suggestions."""
        completed = self.completed(target, access)
        return Answer(completed.share)

    def completed(self, target: int, access: Access) -> Completed:
        """Return the suggestions of a model at a target's positions."""
        return complete(access, self.texts[target], self.queried[target])


@dataclass(frozen=True, eq=False)
class CalibratedCompletion(CompletionAdversary):
    """Compares the share of a target that a model completes with the same pairs in auxiliary documents.

    Attributes:
        outside: The auxiliary documents.
        elsewhere: The queried positions there, for each target.
    """

    outside: Text = ()
    elsewhere: Sequence[Positions] = ()

    def answer(self, target: int, access: Access) -> Answer:
        """Decide by a binomial test at 5%, with the rate in the auxiliary documents."""
        from scipy.stats import binom

        inside, outside = self.completed(target, access), complete(access, self.outside, self.elsewhere[target])
        rate = (outside.right.sum() + 1) / (outside.queries.sum() + 2)
        score = float(np.log(LEVEL) - binom.logsf(inside.right.sum() - 1, inside.queries.sum(), rate))
        return Answer(score)


@dataclass(frozen=True, eq=False)
class FullText(CompletionAdversary):
    """Compares the share of a target that a model completes with equally large sets of auxiliary documents.

    Attributes:
        outside: The auxiliary documents.
        sets: Draws sets of them.
        completions: Suggestions of each access for these documents, filled on first use.
    """

    outside: Text = ()
    sets: Sets = field(kw_only=True)
    completions: dict[Access, Completed] = field(default_factory=dict)

    def answer(self, target: int, access: Access) -> Answer:
        """Score a target by how far its share of completions exceeds what 5% of sets or people do."""
        if access not in self.completions:
            self.completions[access] = complete(access, self.outside, positions(self.outside, anywhere))
        outside = self.completions[access]
        usual = self.sets.usual(outside.right, outside.queries, len(self.texts[target]))
        return Answer(usual.beyond(self.completed(target, access).share))


@dataclass(frozen=True, eq=False)
class VocabularyAdversary(PreparedAdversary):
    """Compares the share of a target's words that a model knows with equally large sets of auxiliary documents.

    It queries no completion: what it finds is revealed by the vocabulary alone, without any training.

    Attributes:
        texts: The documents of each target.
        outside: The auxiliary documents.
        sets: Draws sets of them.
    """

    texts: Sequence[Text] = field(kw_only=True)
    outside: Text = field(kw_only=True)
    sets: Sets = field(kw_only=True)

    def answer(self, target: int, access: Access) -> Answer:
        """Score a target by how far its share of known words exceeds what 5% of sets or people do."""
        if not isinstance(access, NextWords):
            raise TypeError(f"known words are those of a language model, not of {type(access).__name__}")
        inside, outside = ([access.knows(words) for words in text] for text in (self.texts[target], self.outside))
        known, words = (np.array([count(document) for document in outside]) for count in (np.sum, np.size))
        share = sum(map(np.sum, inside)) / max(sum(map(np.size, inside)), 1)
        return Answer(self.sets.usual(known, words, len(inside)).beyond(float(share)))
