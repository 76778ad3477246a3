"""Adversaries that query word vectors and decide by the sign of a linear function."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.access import Access, WordVectors
from core.adversaries.pairs.plan import Distance, Plan, distances, scaled
from core.adversaries.pairs.sparse_linear import SparseLinear
from core.games.membership.contract import Adversary, Answer


@dataclass(frozen=True, eq=False)
class LinearAdversary(Adversary):
    """Queries a target model for the words that its linear function needs, and no others.

    Attributes:
        plan: What the features are.
        functions: One linear function a target.
        variant: Name of the attack or baseline.
        shadows: Number of shadow pairs it learnt from.
        penalty: Penalty on a regularisation path, or NaN.
    """

    plan: Plan
    functions: Sequence[SparseLinear]
    variant: str
    shadows: int
    penalty: float = float("nan")

    def answer(self, target: int, access: Access) -> Answer:
        """Return the linear function's value, and whether it is positive."""
        if not isinstance(access, WordVectors):
            raise TypeError(f"{self.variant} queries word vectors, not {type(access).__name__}")
        score = float(self.functions[target](self.features(target, access)))
        return Answer(score)

    @abstractmethod
    def features(self, target: int, access: WordVectors) -> NDArray[np.float32]:
        """Query what the target's function needs and return its features, (m,)."""


@dataclass(frozen=True, eq=False)
class PairAdversary(LinearAdversary):
    """Uses the distances of adjacent words.

    Attributes:
        distance: How distances are measured.
    """

    distance: Distance = "scaled"

    def pairs(self, target: int) -> NDArray[np.int64]:
        """Return the numbers of a target's selected pairs in the plan, heaviest first."""
        return np.asarray(self.plan.pairs(target).start + self.functions[target].features, dtype=np.int64)

    def features(self, target: int, access: WordVectors) -> NDArray[np.float32]:
        """Query each word of the selected pairs once; only these (Algorithm 2)."""
        selected = self.pairs(target)
        ends = np.concatenate([self.plan.left[selected], self.plan.right[selected]])
        words, index = np.unique(ends, return_inverse=True)
        left, right = index[: len(selected)], index[len(selected) :]
        vectors = access.query([self.plan.words[word] for word in words])
        apart = distances(vectors, left, right)
        return apart if self.distance == "l2" else scaled(apart, np.linalg.norm(vectors, axis=1), left, right)


class VectorAdversary(LinearAdversary):
    """Uses coordinates of word vectors: of words of the whole vocabulary, or of the target."""

    def features(self, target: int, access: WordVectors) -> NDArray[np.float32]:
        """Query the words any of whose coordinates has a weight."""
        sampled = self.plan.everywhere if self.variant == "all_vectors" else self.plan.within[target]
        row, coordinate = np.divmod(self.functions[target].features, self.plan.dimension)
        words, index = np.unique(row, return_inverse=True)
        vectors = access.query([self.plan.words[sampled[word]] for word in words])
        return vectors[index, coordinate]
