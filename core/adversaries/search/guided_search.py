"""A text search guided by a classifier of words, and the word probabilities of both together."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from core.adversaries.search.bigram_model import BigramModel, Proposal
from core.adversaries.search.kept_trails import KeptTrails
from core.adversaries.search.text_search import Course, TokenRegression, Trail, search, word_probabilities
from core.adversaries.search.text_writer import TextWriter
from core.adversaries.word_classifier import WordClassifier
from core.encoders.own_embeddings import OwnEmbeddings
from core.games.inversion.contract import Examined
from core.runtime.seeding import generator
from core.text import word_sets

Embed = Callable[[Sequence[str]], NDArray[np.float32]]

_EDITS = 0.25
"""Mean number of edits of a synthetic text for each of its tokens, besides the first."""
_LEAST = 1e-4


@dataclass(frozen=True)
class Normalisation:
    """Gives embeddings zero mean and unit variance over the auxiliary texts, then length 1.

    Attributes:
        center: (dimension,) mean of each number.
        scale: (dimension,) standard deviation of each.
    """

    center: NDArray[np.float32]
    scale: NDArray[np.float32]

    def __call__(self, embeddings: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return (texts, dimension)."""
        standardised = (embeddings - self.center) / self.scale
        lengths = np.linalg.norm(standardised, axis=1, keepdims=True)
        return np.asarray(standardised / np.maximum(lengths, 1e-9), np.float32)


@dataclass(frozen=True)
class SearchResult:
    """The result of a guided search for the texts behind embeddings.

    Attributes:
        bigrams: What wrote the proposals.
        words: The words that can be predicted.
        classified: (texts, words) probabilities by the classifier.
        trails: The search for each text.
    """

    bigrams: BigramModel
    words: tuple[str, ...]
    classified: NDArray[np.float32]
    trails: Sequence[Trail]

    def proposed(self, sharpness: float, number: int = -1) -> NDArray[np.float32]:
        """Return word probabilities by the proposals after a round, the last one unless given; (texts, words)."""
        ends = [trail.ends[number] for trail in self.trails]
        return word_probabilities(self.bigrams, self.trails, self.words, sharpness, ends)

    def mixed(self, trust: float, proposed: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return a mixture of the probabilities by classifier and proposals, (texts, words)."""
        return np.float32(1 - trust) * self.classified + np.float32(trust) * proposed

    def texts(self) -> tuple[str, ...]:
        """Return the closest proposal for each text."""
        return tuple(self.bigrams.text(trail.nearest[0][0]) if trail.nearest else "" for trail in self.trails)


@dataclass(frozen=True)
class GuidedSearch:
    """Searches for the texts behind embeddings.

    Attributes:
        bigrams: Writes and edits proposals.
        regression: Predicts embeddings of proposals.
        classifier: Predicts which words to write.
        frequencies: (words,) share of the classifier's training texts that have each word.
        normalise: How embeddings are compared.
        course: The settings of the search.
        embed: Has texts embedded.
        seed: Source of all randomness.
        kept: Searches that were made before, each by draws of its own; None to make all anew, in one go.
        writer: Writes proposals, too; None for the bigram model alone.
    """

    bigrams: BigramModel
    regression: TokenRegression
    classifier: WordClassifier
    frequencies: NDArray[np.float32]
    normalise: Normalisation
    course: Course
    embed: Embed
    seed: int
    kept: KeptTrails | None = None
    writer: TextWriter | None = None

    def run(self, embeddings: NDArray[np.float32]) -> SearchResult:
        """Search for the text behind each embedding."""
        if self.kept is None:
            probabilities = self.classifier.probabilities(embeddings)
            return self._result(probabilities, self._searched(embeddings, probabilities))
        probabilities = self._alone(embeddings)
        trails = self.kept.searched(embeddings, lambda some, names: self._searched(some, self._alone(some), names))
        return self._result(probabilities, trails)

    def _result(self, probabilities: NDArray[np.float32], trails: Sequence[Trail]) -> SearchResult:
        return SearchResult(self.bigrams, self.classifier.words, probabilities, trails)

    def _alone(self, embeddings: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the probabilities of words, (texts, words), of each embedding by itself: to the last bit, too."""
        rows = [self.classifier.probabilities(row[None]) for row in embeddings]
        return np.concatenate([np.empty((0, len(self.classifier.words)), np.float32), *rows])

    def _searched(
        self, embeddings: NDArray[np.float32], probabilities: NDArray[np.float32], names: Sequence[str] | None = None
    ) -> list[Trail]:
        odds = self.bigrams.odds(self.classifier.words, _odds(probabilities) / _odds(self.frequencies))
        targets = self.normalise(embeddings)

        def embed(texts: Sequence[str]) -> NDArray[np.float32]:
            return self.normalise(self.embed(texts))

        write = None if self.writer is None else partial(self.writer.proposals, self.bigrams)
        return search(self.bigrams, self.regression, targets, odds, self.course, embed, self.seed, names, write)


def synthetic(bigrams: BigramModel, texts: Sequence[Proposal], count: int, seed: int) -> list[Proposal]:
    """Return edited copies of random texts; none where no text has a token."""
    rng = generator(seed, "made up")
    sources = list(filter(None, texts))
    even = np.ones(len(bigrams.tokens), np.float32)
    edited = []
    for _ in range(count if sources else 0):
        text = sources[rng.integers(len(sources))]
        for _ in range(1 + rng.poisson(_EDITS * len(text))):
            text = bigrams.edit(text, sources[rng.integers(len(sources))], even, rng)
        edited.append(text)
    return edited


def extended(texts: Examined, more: Sequence[str], embeddings: OwnEmbeddings) -> Examined:
    """Return auxiliary texts with more texts, of the given embeddings, inserted before the held-out ones."""
    from scipy.sparse import vstack

    sets = list(map(word_sets.word_set, more))
    taught, held_out = slice(texts.taught), slice(texts.taught, None)
    vectors, plain = (
        np.concatenate([current[taught], added, current[held_out]])
        for current, added in ((texts.vectors, embeddings.vectors), (texts.known.plain, embeddings.plain))
    )
    return Examined(
        texts.words,
        vectors,
        vstack([texts.present[taught], word_sets.presence(sets, texts.words), texts.present[held_out]]).tocsr(),
        np.concatenate([texts.sizes[taught], word_sets.sizes(sets), texts.sizes[held_out]]),
        texts.taught + len(more),
        replace(texts.known, plain=plain),
    )


def _odds(probabilities: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the odds of probabilities, bounded at 1 to 10,000."""
    bounded = np.clip(probabilities, _LEAST, 1 - _LEAST)
    return bounded / (1 - bounded)
