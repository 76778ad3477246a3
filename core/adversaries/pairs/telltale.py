"""The telltale word pairs of a user, and the contexts in which a language model may complete them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from core.adversaries.pairs.completion import CompletionAdversary, Wanted
from core.adversaries.pairs.plan import Distance, Plan
from core.adversaries.pairs.student import Student


class Pair(NamedTuple):
    """Two adjacent words of a target, and their weight in the linear function."""

    first: str
    second: str
    weight: float


class Context(NamedTuple):
    """A position in a target's documents at which the model is queried for the next word.

    Attributes:
        document: Number of the document among the target's.
        place: Number of the word to complete.
        before: The word before it.
        word: The word to complete.
    """

    document: int
    place: int
    before: str
    word: str

    def of(self, pair: Pair) -> bool:
        """Return whether a pair stands here, in either order."""
        return (self.before, self.word) in ((pair.first, pair.second), (pair.second, pair.first))


@dataclass(frozen=True, eq=False)
class TelltaleAdversary(CompletionAdversary):
    """Queries the contexts of chosen pairs.

    Attributes:
        pairs: For each target, its pairs.
    """

    pairs: Sequence[Sequence[Pair]] = ()

    def contexts(self, target: int) -> list[Context]:
        """Return the queried contexts of a target, in order."""
        return [
            Context(number, position, text[position - 1], text[position])
            for number, (text, positions) in enumerate(zip(self.texts[target], self.queried[target], strict=True))
            for position in positions.tolist()
        ]


def one_of(pairs: Sequence[Pair]) -> Wanted:
    """Return a test for the words of given pairs, in either order."""
    either = {order for pair in pairs for order in ((pair.first, pair.second), (pair.second, pair.first))}
    return lambda first, second: (first, second) in either


def selected_pairs(student: Student, target: int, shadow_pairs: int, distance: Distance) -> list[Pair]:
    """Return the pairs with a weight in a target's linear function, heaviest first."""
    function, start = student.function(target, shadow_pairs, distance), student.plan.pairs(target).start
    return [
        Pair(*student.plan.words_of(start + number), float(weight))
        for number, weight in zip(function.features.tolist(), function.weights, strict=True)
    ]


def other_pairs(plan: Plan, target: int, chosen: Sequence[Pair], rng: np.random.Generator) -> list[Pair]:
    """Return as many random pairs of a target as were chosen, none of them chosen."""
    columns, excluded = plan.pairs(target), {(pair.first, pair.second) for pair in chosen}
    pairs = [Pair(*plan.words_of(number), 0.0) for number in range(columns.start, columns.stop)]
    free = [pair for pair in pairs if (pair.first, pair.second) not in excluded]
    drawn = rng.choice(len(free), min(len(chosen), len(free)), replace=False)
    return [free[number] for number in np.sort(drawn)]
