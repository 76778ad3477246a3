"""A search for the text behind an embedding: texts are proposed, embedded, and edited where they come closer."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import compress, islice
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from core.adversaries.search.bigram_model import BigramModel, Proposal
from core.runtime.seeding import generator
from core.statistics.unit_length import scaled

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Write = Callable[[NDArray[np.float32], int], list[list[Proposal]]]
"""Normalised embeddings, (texts, dimension), and most proposals for each in; the proposals out."""

_RIDGE = 0.1
_REGRESSED = 10_000
_REACHED = 0.9999
"""A text that comes as close to an embedding is taken for the one behind it."""


@dataclass(frozen=True)
class TokenRegression:
    """Predicts a text's embedding from the share of each token in it, by ridge regression.

    Only the 10,000 most frequent tokens have weights other than 0.

    Attributes:
        weights: (tokens, dimension).
    """

    weights: NDArray[np.float32]

    @classmethod
    def learn(cls, proposals: Sequence[Proposal], vectors: NDArray[np.float32], tokens: int) -> "TokenRegression":
        """Fit.

        Args:
            proposals: Texts.
            vectors: (texts, dimension) their centred embeddings.
            tokens: Number of tokens.
        """
        from sklearn.linear_model import Ridge

        shares = _token_shares(proposals, tokens)
        weights = np.zeros((tokens, vectors.shape[1]), np.float32)
        fitted = Ridge(_RIDGE, fit_intercept=False, solver="cholesky").fit(shares[:, :_REGRESSED], vectors)
        weights[:_REGRESSED] = fitted.coef_.T
        return cls(weights)

    def __call__(self, proposal: Proposal) -> NDArray[np.float32]:
        """Return (dimension,)."""
        summed: NDArray[np.float32] = np.add.reduce(self.weights[list(proposal)], axis=0)
        return summed / np.float32(len(proposal))


@dataclass(frozen=True)
class Course:
    """The settings of a search.

    Attributes:
        first: Texts written at first.
        rounds: How often the closest are edited.
        embedded: Edited texts that are embedded in each round.
        tried: Edits tried for each of them; the most promising are embedded.
        closest: Number of closest texts that are edited.
        rewritten: Further texts that a decoder writes in each round.
    """

    first: int
    rounds: int
    embedded: int
    tried: int
    closest: int
    rewritten: int = 0


@dataclass
class Trail:
    """The search for one text.

    Attributes:
        target: (dimension,) the embedding, of length 1.
        odds: (tokens,) by what factor it makes each token likelier.
        closeness: Cosine of each proposal's embedding with the target, in the order in which they were embedded.
        nearest: The closest proposals with their embeddings, the closest first.
        ends: Number of proposals after each round.
    """

    target: NDArray[np.float32]
    odds: NDArray[np.float32]
    closeness: dict[Proposal, float] = field(default_factory=dict)
    nearest: list[tuple[Proposal, NDArray[np.float32]]] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)

    def record(self, proposals: Sequence[Proposal], vectors: NDArray[np.float32], most: int) -> None:
        """Take down the embeddings of proposals, (proposals, dimension), each of length 1."""
        self.closeness |= dict(zip(proposals, (vectors @ self.target).tolist(), strict=True))
        candidates = [*self.nearest, *zip(proposals, vectors, strict=True)]
        self.nearest = sorted(candidates, key=lambda candidate: -self.closeness[candidate[0]])[:most]
        self.ends.append(len(self.closeness))

    @property
    def reached(self) -> bool:
        """Whether a text with this very embedding was found."""
        return bool(self.nearest) and self.closeness[self.nearest[0][0]] >= _REACHED

    def closest(self, number: int = -1) -> float:
        """Return the largest cosine after a round, the last one unless given; NaN without any proposal."""
        return max(islice(self.closeness.values(), self.ends[number]), default=float("nan"))


def search(
    bigrams: BigramModel,
    regression: TokenRegression,
    targets: NDArray[np.float32],
    odds: NDArray[np.float32],
    course: Course,
    embed: Callable[[Sequence[str]], NDArray[np.float32]],
    seed: int,
    names: Sequence[str | int] | None = None,
    write: Write | None = None,
) -> list[Trail]:
    """Search the text behind each embedding, by editing what comes closest to it again and again.

    Where a decoder writes, it writes the first texts, and in each round others: for the embedding plus what the closest
    text lacks of it. A text that is reached is not searched any further.

    Args:
        bigrams: Writes and edits texts.
        regression: Predicts which edits are promising before they are embedded.
        targets: (texts, dimension) centred embeddings, each of length 1.
        odds: (texts, tokens) by what factor each makes a token likelier than usual.
        course: The settings of the search.
        embed: Embeds texts as the targets are.
        seed: Source of all randomness.
        names: What the draws for each embedding are named after; its number if None.
        write: The decoder; the bigram model alone writes if None.
    """
    names = range(len(targets)) if names is None else names
    trails = [Trail(*pair) for pair in zip(targets, odds, strict=True)]
    for number in range(course.rounds + 1):
        going = [write is None or not trail.reached for trail in trails]
        written = _written(list(compress(trails, going)), course.rewritten if number else course.first, write)
        proposals = [
            _propose(bigrams, regression, trail, course, generator(seed, "guesses", number, name), next(written))
            if goes
            else []
            for name, trail, goes in zip(names, trails, going, strict=True)
        ]
        texts = [bigrams.text(proposal) for group in proposals for proposal in group]
        vectors = embed(texts) if texts else np.empty((0, targets.shape[1]), np.float32)
        ends = np.cumsum([0, *map(len, proposals)])
        for trail, group, start, end in zip(trails, proposals, ends[:-1], ends[1:], strict=True):
            trail.record(group, vectors[start:end], course.closest)
    return trails


def word_probabilities(
    bigrams: BigramModel, trails: Sequence[Trail], words: Sequence[str], sharpness: float, ends: Sequence[int]
) -> NDArray[np.float32]:
    """Return the weighted share of proposals that have each word, (texts, words).

    A proposal with cosine c weighs exp(sharpness c).

    Args:
        bigrams: What wrote the proposals.
        trails: The searches.
        words: In lower case.
        sharpness: How much more a closer proposal weighs.
        ends: Number of proposals that count for each embedding, the first ones.
    """
    from scipy.special import softmax

    column = bigrams.columns(words)
    probabilities = np.zeros((len(trails), len(words)), np.float32)
    for row, trail, end in zip(probabilities, trails, ends, strict=True):
        proposals = list(trail.closeness)[:end]
        if not proposals:
            continue
        weights = softmax(sharpness * np.array([trail.closeness[proposal] for proposal in proposals]))
        present = [np.array([*{column[token] for token in proposal} - {-1}], np.int64) for proposal in proposals]
        np.add.at(row, np.concatenate(present), np.repeat(weights, list(map(len, present))))
    return np.minimum(probabilities, 1)


def _written(trails: Sequence[Trail], count: int, write: Write | None) -> Iterator[list[Proposal]]:
    """Yield the new texts, at most ``count``, that a decoder writes for each search; none without one.

    It overshoots: it writes from the embedding plus its difference to that of the closest text, if there is one.
    """
    aims = [trail.target + (trail.target - trail.nearest[0][1] if trail.nearest else 0) for trail in trails]
    texts = write(scaled(np.array(aims, np.float32)), count) if write and aims and count else [[] for _ in trails]
    for trail, some in zip(trails, texts, strict=True):
        yield [text for text in dict.fromkeys(some) if text and text not in trail.closeness]


def _propose(
    bigrams: BigramModel,
    regression: TokenRegression,
    trail: Trail,
    course: Course,
    rng: np.random.Generator,
    written: Sequence[Proposal],
) -> list[Proposal]:
    """Return what is embedded next for one text: what a decoder wrote, and promising edits of the closest.

    At first there is nothing to edit; the bigram model then writes where no decoder did.
    """
    if not trail.nearest:
        if written:
            return list(written)
        drawn = (bigrams.write(trail.odds, rng) for _ in range(course.first))
        return list(dict.fromkeys(filter(None, drawn)))
    residuals = [(proposal, vector - regression(proposal)) for proposal, vector in trail.nearest]
    promising: dict[Proposal, float] = {}
    known = {*trail.closeness, *written}
    for _ in range(course.embedded * course.tried):
        proposal, residual = residuals[int(rng.integers(len(residuals)))]
        other, _ = residuals[int(rng.integers(len(residuals)))]
        edited = bigrams.edit(proposal, other, trail.odds, rng)
        if edited not in known and edited not in promising:
            expected = residual + regression(edited)
            promising[edited] = float(expected @ trail.target) / max(float(np.linalg.norm(expected)), 1e-9)
    return [*written, *sorted(promising, key=lambda edited: -promising[edited])[: course.embedded]]


def _token_shares(proposals: Sequence[Proposal], tokens: int) -> "csr_array":
    """Return the share of each token in each text, (texts, tokens)."""
    from scipy.sparse import csr_array

    ends = np.cumsum([0, *map(len, proposals)])
    flat = np.array([token for proposal in proposals for token in proposal], np.int64)
    shares = np.array([1 / len(proposal) for proposal in proposals for _ in proposal], np.float32)
    return csr_array((shares, flat, ends), shape=(len(proposals), tokens))
