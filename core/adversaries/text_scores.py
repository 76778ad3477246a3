"""Scores of documents from the losses that a language model gives their words, and adversaries that decide by them."""

import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from core.access import Access
from core.access.language_models import GivesGradients, GivesLosses, GivesStandings
from core.adversaries.own_sets import Sets, Text, Usual
from core.errors import Incompatible
from core.games.membership.contract import Answer, PreparedAdversary


@dataclass(frozen=True)
class Parts:
    """A score as a quotient of two sums, so that the documents of a target can be pooled.

    Attributes:
        above: (documents,) the numerator.
        below: (documents,) the denominator; 0 where a document has no known word.
    """

    above: NDArray[np.float64]
    below: NDArray[np.float64]

    def of(self, documents: slice | NDArray[np.int64]) -> "Parts":
        """Return the parts of some documents."""
        return Parts(self.above[documents], self.below[documents])

    @property
    def quotient(self) -> float:
        """The score of all documents together; NaN where they have no known word."""
        below = self.below.sum()
        return float(self.above.sum() / below) if below else float("nan")


Score = Callable[[GivesLosses, Text], Parts]
"""Scores documents by a language model: the higher, the more likely members."""


def loss(access: GivesLosses, text: Text) -> Parts:
    """Return the mean log-probability of a word (Yeom et al. 2018, section 3.2)."""
    losses = access.losses(text)
    return Parts(_sums([-nats for nats in losses]), _known(losses))


def zlib_ratio(access: GivesLosses, text: Text) -> Parts:
    """Return the log-probability per byte of the compressed text (Carlini et al. 2021, section 5.2)."""
    compressed = [len(zlib.compress(" ".join(words).encode())) if words else 0 for words in text]
    return Parts(_sums([-nats for nats in access.losses(text)]), np.array(compressed, np.float64))


def lower_ratio(access: GivesLosses, text: Text) -> Parts:
    """Return the loss in lower case as a multiple of that of the text (Carlini et al. 2021, section 5.2)."""
    lowered, losses = (access.losses(read) for read in ([[word.lower() for word in words] for words in text], text))
    return Parts(_sums(lowered), _sums(losses))


@dataclass(frozen=True)
class MinK:
    """Mean log-probability of the least likely words (Shi et al. 2024, section 3).

    Attributes:
        share: Share of a document's words that count.
    """

    share: float

    def __call__(self, access: GivesLosses, text: Text) -> Parts:
        """Return the score of documents."""
        return _lowest([-nats for nats in access.losses(text)], self.share)


@dataclass(frozen=True)
class MinKPlus(MinK):
    """The same of log-probabilities in deviations from the mean at their position (Zhang et al. 2024, Equation 3)."""

    def __call__(self, access: GivesLosses, text: Text) -> Parts:
        """Return the score of documents."""
        if not isinstance(access, GivesStandings):
            raise TypeError(f"the probability of every word is needed, not that of {type(access).__name__}")
        standings = access.standings(text)
        columns = (standing.T for standing in standings)
        return _lowest([(-nats - mean) / np.maximum(deviation, 1e-6) for nats, mean, deviation in columns], self.share)


def gradient_norm(access: GivesLosses, text: Text) -> Parts:
    """Return how little documents would still move the weights: less the mean logarithm of their gradients' norms.

    Source: M. Nasr, R. Shokri, A. Houmansadr. Comprehensive Privacy Analysis of Deep Learning. IEEE S&P 2019, section
    III (gradients by all weights; there a network learns to read them).
    """
    return _mean_of_each(-_log_norms(access, text))


@dataclass(frozen=True, eq=False)
class GradientRatio:
    """How much shorter the gradient of a document is than in reference models, on the scale of logarithms.

    Attributes:
        references: The reference models; the logarithms of their norms are averaged.
    """

    references: Sequence[GivesLosses]

    def __call__(self, access: GivesLosses, text: Text) -> Parts:
        """Return the score of documents."""
        usual = np.mean([_log_norms(reference, text) for reference in self.references], axis=0)
        return _mean_of_each(usual - _log_norms(access, text))


@dataclass(frozen=True, eq=False)
class ReferenceRatio:
    """How much likelier than reference models a model finds a word, in nats (Carlini et al. 2021, section 5.2).

    Attributes:
        references: The reference models; their losses are averaged.
    """

    references: Sequence[GivesLosses]

    def __call__(self, access: GivesLosses, text: Text) -> Parts:
        """Return the score of documents; words that one of the models does not know are left out."""
        gains = self.gains(access, text)
        return Parts(_sums(gains), _known(gains))

    def gains(self, access: GivesLosses, text: Text) -> list[NDArray[np.float64]]:
        """Return the references' loss less the model's of each word, (words,) each; NaN for unknown words.

        Raises:
            Incompatible: A reference cuts texts into other tokens than the model.
        """
        by_model, usual = access.losses(text), [reference.losses(text) for reference in self.references]
        if any(
            len(row) != len(row_of_model)
            for losses in usual
            for row, row_of_model in zip(losses, by_model, strict=True)
        ):
            raise Incompatible(
                "The model and the one it is compared with cut texts into other tokens. A base must have the tokeniser "
                "of the model that was fine-tuned from it."
            )
        by_text = zip(*usual, strict=True)
        return [np.mean(losses, axis=0) - of_model for losses, of_model in zip(by_text, by_model, strict=True)]


@dataclass(frozen=True, eq=False)
class ScoreAdversary(PreparedAdversary):
    """Calls a target a member if it scores higher than 95% of sets of the adversary's own documents, or of people.

    Attributes:
        score: How documents are scored.
        targets: The documents of each target.
        outside: Documents that the adversary knows to be out.
        sets: Draws sets of them.
        cache: The scores of all documents and what is usual by size, for each access; filled on first use.
    """

    shadows: int = 0
    score: Score = field(kw_only=True)
    targets: Sequence[Text] = field(kw_only=True)
    outside: Text = field(kw_only=True)
    sets: Sets = field(kw_only=True)
    cache: dict[Access, tuple[Parts, dict[int, Usual]]] = field(default_factory=dict)

    def answer(self, target: int, access: Access) -> Answer:
        """Score a target by how far it exceeds what 5% of sets or people do; an average one without a known word."""
        inside, outside = self.parts(target, access)
        size, usual = len(inside.above), self.cache[access][1]
        if size not in usual:
            usual[size] = self.sets.usual(outside.above, outside.below, size)
        score = inside.quotient if np.isfinite(inside.quotient) else outside.quotient
        return Answer(usual[size].beyond(score))

    def parts(self, target: int, access: Access) -> tuple[Parts, Parts]:
        """Return the scores of a target's documents, and of those known to be out."""
        if access not in self.cache:
            texts = [*chain.from_iterable(self.targets), *self.outside]
            self.cache[access] = self.score(probabilities(access), texts), {}
        parts, _ = self.cache[access]
        first, size = sum(map(len, self.targets[:target])), len(self.targets[target])
        return parts.of(slice(first, first + size)), parts.of(slice(len(parts.above) - len(self.outside), None))


@dataclass(frozen=True, eq=False)
class MedianAdversary(PreparedAdversary):
    """Calls the half of the targets with the higher scores members.

    Attributes:
        score: How documents are scored.
        documents: The targets' documents, target by target.
        sizes: (targets,) number of documents of each.
        cache: The score of each target less the median, for each access; filled on first use.
    """

    shadows: int = 0
    score: Score = field(kw_only=True)
    documents: Text = field(kw_only=True)
    sizes: NDArray[np.int64] = field(kw_only=True)
    cache: dict[Access, NDArray[np.float64]] = field(default_factory=dict)

    def answer(self, target: int, access: Access) -> Answer:
        """Score a target less the median of all; one without a known word counts as an average one."""
        if access not in self.cache:
            parts = self.score(probabilities(access), self.documents)
            ends = np.cumsum(self.sizes)
            quotients = np.array(
                [parts.of(slice(end - size, end)).quotient for size, end in zip(self.sizes, ends, strict=True)]
            )
            self.cache[access] = np.nan_to_num(quotients - np.nanmedian(quotients))
        return Answer(float(self.cache[access][target]))


def probabilities(access: Access) -> GivesLosses:
    """Return an access as one that tells the probability of texts."""
    if not isinstance(access, GivesLosses):
        raise TypeError(f"losses are those of a language model that gives probabilities, not {type(access).__name__}")
    return access


def _log_norms(access: GivesLosses, text: Text) -> NDArray[np.float64]:
    if not isinstance(access, GivesGradients):
        raise TypeError(f"the weights are needed, not {type(access).__name__}")
    return np.log(np.maximum(access.gradient_norms(text), np.finfo(np.float64).tiny))


def _mean_of_each(values: NDArray[np.float64]) -> Parts:
    """Return a score that is the mean over documents, those without a value left out."""
    return Parts(np.nan_to_num(values), np.isfinite(values).astype(np.float64))


def _sums(values: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    return np.array([np.nansum(row) for row in values], np.float64)


def _known(values: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    return np.array([np.isfinite(row).sum() for row in values], np.float64)


def _lowest(values: Sequence[NDArray[np.float64]], share: float) -> Parts:
    """Return the sum of a share of the lowest values of each document, at least one, and their number."""
    known = [np.sort(row[np.isfinite(row)]) for row in values]
    lowest = [row[: max(round(share * len(row)), 1)] for row in known]
    return Parts(_sums(lowest), np.array([len(row) for row in lowest], np.float64))
