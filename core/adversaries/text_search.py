"""A search for texts that might stand behind an embedding: they are embedded, and changed where they come closer."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from core.adversaries.bigram_model import BigramModel, Proposal
from core.runtime.seeding import generator

if TYPE_CHECKING:
    from scipy.sparse import csr_array

_RIDGE = 0.1
_OUTLINED = 10_000


@dataclass(frozen=True)
class Outline:
    """What its tokens alone tell of a text's embedding: ridge regression on the share that each has in the text.

    It knows of the 10,000 most frequent tokens; others are taken to add nothing.

    Attributes:
        weights: (tokens, dimension).
    """

    weights: NDArray[np.float32]

    @classmethod
    def learn(cls, guesses: Sequence[Proposal], vectors: NDArray[np.float32], tokens: int) -> "Outline":
        """Fit.

        Args:
            guesses: Texts.
            vectors: (texts, dimension) their embeddings, around 0.
            tokens: How many tokens there are.
        """
        from sklearn.linear_model import Ridge

        shares = _token_shares(guesses, tokens)
        weights = np.zeros((tokens, vectors.shape[1]), np.float32)
        fitted = Ridge(_RIDGE, fit_intercept=False, solver="cholesky").fit(shares[:, :_OUTLINED], vectors)
        weights[:_OUTLINED] = fitted.coef_.T
        return cls(weights)

    def __call__(self, guess: Proposal) -> NDArray[np.float32]:
        """Return (dimension,)."""
        found: NDArray[np.float32] = self.weights[list(guess)].mean(axis=0)
        return found


@dataclass(frozen=True)
class Course:
    """How a search goes on.

    Attributes:
        first: Texts that are written at first, the likeliest by what is known of an embedding.
        rounds: How often the closest are changed.
        asked: Texts that are embedded in each of these rounds.
        tried: Changes that are made for each of them, of which the most promising are embedded.
        kept: Closest texts that are changed.
    """

    first: int
    rounds: int
    asked: int
    tried: int
    kept: int


@dataclass
class Trail:
    """What was guessed for one embedding.

    Attributes:
        target: (dimension,) the embedding, of length 1.
        odds: (tokens,) by what factor it makes each token likelier.
        found: Every guess, to how close its embedding is: the cosine; in the order in which they were embedded.
        near: The closest ones, the closest first.
        ends: How many had been guessed after each round.
    """

    target: NDArray[np.float32]
    odds: NDArray[np.float32]
    found: dict[Proposal, float] = field(default_factory=dict)
    near: list[tuple[Proposal, NDArray[np.float32]]] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)

    def hear(self, guesses: Sequence[Proposal], vectors: NDArray[np.float32], kept: int) -> None:
        """Take down what guesses are embedded as, (guesses, dimension), each of length 1."""
        self.found |= dict(zip(guesses, (vectors @ self.target).tolist(), strict=True))
        known = [*self.near, *zip(guesses, vectors, strict=True)]
        self.near = sorted(known, key=lambda one: -self.found[one[0]])[:kept]
        self.ends.append(len(self.found))

    def closest(self, number: int = -1) -> float:
        """Return the largest cosine after a round, the last one unless given; NaN without any guess."""
        return max(islice(self.found.values(), self.ends[number]), default=float("nan"))


def search(
    writer: BigramModel,
    outline: Outline,
    targets: NDArray[np.float32],
    odds: NDArray[np.float32],
    course: Course,
    embed: Callable[[Sequence[str]], NDArray[np.float32]],
    seed: int,
) -> list[Trail]:
    """Return what was guessed for each embedding, by changing what comes closest to it again and again.

    Args:
        writer: Writes and changes texts.
        outline: Tells which changes are promising before they are embedded.
        targets: (texts, dimension) embeddings around 0, each of length 1.
        odds: (texts, tokens) by what factor each makes a token likelier than usual.
        course: How the search goes on.
        embed: Embeds texts as the targets are.
        seed: Source of all randomness.
    """
    trails = [Trail(*own) for own in zip(targets, odds, strict=True)]
    for number in range(course.rounds + 1):
        made = [
            _next(writer, outline, trail, course, generator(seed, "guesses", number, text))
            for text, trail in enumerate(trails)
        ]
        vectors = embed([writer.text(guess) for own in made for guess in own])
        at = np.cumsum([0, *map(len, made)])
        for trail, own, start, end in zip(trails, made, at[:-1], at[1:], strict=True):
            trail.hear(own, vectors[start:end], course.kept)
    return trails


def likelihoods(
    writer: BigramModel, trails: Sequence[Trail], words: Sequence[str], sharpness: float, ends: Sequence[int]
) -> NDArray[np.float32]:
    """Return how likely each word stands behind each embedding, (texts, words): its share of the guesses.

    A guess with cosine c weighs exp(sharpness c).

    Args:
        writer: What wrote the guesses.
        trails: What was guessed.
        words: In lower case.
        sharpness: How much more a closer guess weighs.
        ends: How many guesses for each embedding count, the first ones.
    """
    from scipy.special import softmax

    column = writer.columns(words)
    told = np.zeros((len(trails), len(words)), np.float32)
    for row, trail, end in zip(told, trails, ends, strict=True):
        guesses = list(trail.found)[:end]
        if not guesses:
            continue
        weights = softmax(sharpness * np.array([trail.found[guess] for guess in guesses]))
        there = [np.array([*{column[token] for token in guess} - {-1}], np.int64) for guess in guesses]
        np.add.at(row, np.concatenate(there), np.repeat(weights, list(map(len, there))))
    return np.minimum(told, 1)


def _next(
    writer: BigramModel, outline: Outline, trail: Trail, course: Course, rng: np.random.Generator
) -> list[Proposal]:
    """Return what is to be embedded next for one text: texts written anew, or promising changes of the closest."""
    if not trail.near:
        written = (writer.write(trail.odds, rng) for _ in range(course.first))
        return list(dict.fromkeys(filter(None, written)))
    about = [(guess, vector - outline(guess)) for guess, vector in trail.near]
    promising: dict[Proposal, float] = {}
    for _ in range(course.asked * course.tried):
        guess, rest = about[int(rng.integers(len(about)))]
        other, _ = about[int(rng.integers(len(about)))]
        change = writer.changed(guess, other, trail.odds, rng)
        if change not in trail.found and change not in promising:
            expected = rest + outline(change)
            promising[change] = float(expected @ trail.target) / max(float(np.linalg.norm(expected)), 1e-9)
    return sorted(promising, key=lambda change: -promising[change])[: course.asked]


def _token_shares(guesses: Sequence[Proposal], tokens: int) -> "csr_array":
    """Return the share that each token has in each text, (texts, tokens)."""
    from scipy.sparse import csr_array

    ends = np.cumsum([0, *map(len, guesses)])
    flat = np.array([token for guess in guesses for token in guess], np.int64)
    shares = np.array([1 / len(guess) for guess in guesses for _ in guess], np.float32)
    return csr_array((shares, flat, ends), shape=(len(guesses), tokens))
