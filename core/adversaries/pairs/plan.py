"""Adjacent word pairs of targets, and their distances in an embedding."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from core.games.membership.contract import Briefing, Target
from core.networks.word_embedding import Embedding
from core.targets.word_vectors import WordModel
from core.text.corpus import DUMMY

Distance = Literal["l2", "scaled"]

_ANCHORS = 100
_SAMPLE = 32


@dataclass(frozen=True)
class Plan:
    """What to measure in every shadow model, for all targets at once.

    Attributes:
        words: Every word to measure, once.
        left: (pairs,) first word of each pair as an index into ``words``, all targets one after the other.
        right: (pairs,) second word.
        occurrences: (pairs,) how often the pair occurs in its target.
        starts: (targets + 1,) where each target's pairs begin.
        anchors: Indices of frequent words, by which the maps of two models are aligned.
        everywhere: Indices of a sample of the whole vocabulary, for the baseline on all word vectors.
        within: For each target, indices of a sample of its words, for the baseline on the target's word vectors.
        dimension: Length of a word vector.
    """

    words: tuple[str, ...]
    left: NDArray[np.int64]
    right: NDArray[np.int64]
    occurrences: NDArray[np.int64]
    starts: NDArray[np.int64]
    anchors: NDArray[np.int64]
    everywhere: NDArray[np.int64]
    within: tuple[NDArray[np.int64], ...]
    dimension: int

    def pairs(self, target: int) -> slice:
        """Return the columns with the distances of a target's pairs; also where those pairs lie in the plan."""
        return slice(int(self.starts[target]), int(self.starts[target + 1]))

    def words_of(self, pair: int) -> tuple[str, str]:
        """Return the two words of a pair."""
        return self.words[self.left[pair]], self.words[self.right[pair]]

    def lengths(self) -> slice:
        """Return the columns with the length of every word's vector."""
        return slice(len(self.left), len(self.left) + len(self.words))

    def everywhere_vectors(self) -> slice:
        """Return the columns with the vectors of the words sampled everywhere."""
        start = self.lengths().stop
        return slice(start, start + self.dimension * len(self.everywhere))

    def within_vectors(self, target: int) -> slice:
        """Return the columns with the vectors of the words sampled from a target."""
        start = self.everywhere_vectors().stop + self.dimension * sum(len(words) for words in self.within[:target])
        return slice(start, start + self.dimension * len(self.within[target]))

    @property
    def width(self) -> int:
        """Number of columns of a row of measurements."""
        return (
            len(self.left)
            + len(self.words)
            + self.dimension * (len(self.everywhere) + sum(len(words) for words in self.within))
        )


def plan(briefing: Briefing, model: WordModel, rng: np.random.Generator) -> Plan:
    """Choose what to measure, before any shadow model is trained.

    A pair is two different adjacent words of the target, in either order, without the dummy word. Both must be so
    frequent in the shadow distribution that a model without the target knows them: a word that only the target brings
    into the vocabulary would be a trivial attack (Mahloujifar et al. 2021, section 1).
    """
    corpus = briefing.corpus
    background = corpus.select(briefing.auxiliary).counts()
    expected = background * min(briefing.documents / max(len(briefing.auxiliary), 1), 1.0)
    known = expected >= model.minimum_count
    if DUMMY in corpus.words:
        known[corpus.words.index(DUMMY)] = False

    pairs_of = [_adjacent([corpus.document(row) for row in target.documents], known) for target in briefing.targets]
    starts = np.concatenate([[0], np.cumsum([len(pairs) for pairs in pairs_of], dtype=np.int64)])
    left, right, occurrences = (
        np.array([row[column] for pairs in pairs_of for row in pairs], dtype=np.int64) for column in range(3)
    )
    ranked = np.flatnonzero(known)[np.argsort(-background[known], kind="stable")]
    anchors = _sample(ranked[: len(ranked) // 4], _ANCHORS, rng)
    everywhere = _sample(ranked, _SAMPLE, rng)
    within = [_sample(_known_words(briefing, target, known), _SAMPLE, rng) for target in briefing.targets]
    measured = np.unique(np.concatenate([left, right, anchors, everywhere, *within]))
    return Plan(
        words=tuple(corpus.words[word] for word in measured),
        left=np.searchsorted(measured, left),
        right=np.searchsorted(measured, right),
        occurrences=occurrences,
        starts=starts,
        anchors=np.searchsorted(measured, anchors),
        everywhere=np.searchsorted(measured, everywhere),
        within=tuple(np.searchsorted(measured, words) for words in within),
        dimension=model.dimension,
    )


def distances(vectors: NDArray[np.float32], left: NDArray[np.int64], right: NDArray[np.int64]) -> NDArray[np.float32]:
    """Return the l2 distance of each pair of rows of ``vectors``; NaN where a word is unknown."""
    return np.asarray(np.linalg.norm(vectors[left] - vectors[right], axis=1), dtype=np.float32)


def scaled(
    apart: NDArray[np.float32], lengths: NDArray[np.float32], left: NDArray[np.int64], right: NDArray[np.int64]
) -> NDArray[np.float32]:
    """Return distances divided by the root of the sum of both squared lengths: 0 the same, 1 at right angles.

    Args:
        apart: (..., pairs) l2 distances.
        lengths: (..., words) lengths of the vectors.
        left: (pairs,) first word of each pair.
        right: (pairs,) second word of each pair.
    """
    return np.asarray(apart / np.sqrt(lengths[..., left] ** 2 + lengths[..., right] ** 2), dtype=np.float32)


def _adjacent(documents: Sequence[NDArray[np.int32]], known: NDArray[np.bool_]) -> list[tuple[int, int, int]]:
    counts: Counter[tuple[int, int]] = Counter()
    for tokens in documents:
        first, second = tokens[:-1], tokens[1:]
        usable = (first != second) & known[first] & known[second]
        low, high = np.minimum(first, second)[usable], np.maximum(first, second)[usable]
        counts.update(zip(low.tolist(), high.tolist(), strict=True))
    return [(low, high, times) for (low, high), times in sorted(counts.items())]


def _known_words(briefing: Briefing, target: Target, known: NDArray[np.bool_]) -> NDArray[np.int64]:
    words = np.unique(np.concatenate([briefing.corpus.document(row) for row in target.documents]))
    return np.asarray(words[known[words]], dtype=np.int64)


def _sample(words: NDArray[np.int64], size: int, rng: np.random.Generator) -> NDArray[np.int64]:
    return np.sort(rng.choice(words, min(size, len(words)), replace=False))


def measure(plan: Plan, embedding: Embedding) -> NDArray[np.float32]:
    """Measure one embedding: a row of `Plan.width` numbers, in the order that the plan gives."""
    vectors = embedding.lookup(plan.words)
    return np.concatenate(
        [
            distances(vectors, plan.left, plan.right),
            np.linalg.norm(vectors, axis=1),
            vectors[plan.everywhere].ravel(),
            *(vectors[words].ravel() for words in plan.within),
        ]
    ).astype(np.float32)
